import { expect, test } from 'vitest';
import { growthOf } from '../../../test/work.js';
import { findSecret } from './secret-forms.js';

const mixed = 'a1B2c3D4e5'.repeat(3);

test.each([
  ['a key in a text', { description: `Use sk-${mixed}.` }],
  ['a token', { note: `eyJ${mixed}.eyJ${mixed}.${mixed}` }],
  ['an Authorization header', { examples: [`Authorization: Bearer ${mixed}`] }],
  ['a password in a URL', { iconUrl: 'https://me:hunter2@vendor.example/i.png' }],
  ['a credential in a query', { url: 'https://vendor.example/a2a?api_key=0a1b2c3d4e' }],
  ['a member', { metadata: { apiKey: '0a1b2c3d4e5f6a7b' } }],
])('%s is found, and not repeated', (_, card) => {
  const found = findSecret(card);
  expect(found).toMatch(/looks like/);
  expect(found).not.toMatch(/a1B2|hunter2|0a1b/);
});

test.each([
  ['the name of a header', { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Api-Key-2' } } }],
  ['scopes', { scopes: { token: 'Read 3 tokens', secret: 'none' } }],
  [
    'placeholders',
    { url: 'https://vendor.example/?token=YOUR_TOKEN_1', apiKey: '<your-api-key-1>', token: 'xxxxxxxx1234' },
  ],
  ['URLs of an identity provider', { tokenUrl: 'https://id.example/oauth2/token', jwks: 'https://id.example/k' }],
  ['words about secrets', { description: 'Asks for a password or token: "Bearer <token>", then sends it.' }],
  ['signatures', { signatures: [{ protected: `eyJ${mixed}.eyJ${mixed}`, signature: mixed }] }],
  ['a port and a path', { url: 'https://vendor.example:8443/a@b' }],
])('%s are not secrets', (_, card) => {
  expect(findSecret(card)).toBeUndefined();
});

test.each(['eyJ', 'sk-1', 'Bearer 1', 'http://a', '?token=', '-----BEGIN '])(
  'a text of %j, ten times as long, takes ten times the work',
  async (text) => {
    const look = (size: number) => findSecret({ a: Array.from({ length: 20 }, () => text.repeat(size)) });
    // An expression that goes back and forth would not end.
    expect(await growthOf(look, 1000)).toBeLessThan(15);
  },
);
