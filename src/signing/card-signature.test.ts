import { generateKeyPairSync, type JsonWebKey } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../model/index.js';
import {
  cardPayload,
  cardVerifier,
  protectedHeader,
  publicJwk,
  readings,
  type SigningKey,
  signCard,
} from './card-signature.js';

const jwk = (pair: { readonly privateKey: { export(options: { format: 'jwk' }): JsonWebKey } }) =>
  pair.privateKey.export({ format: 'jwk' });
const es256: SigningKey = { kid: 'es', alg: 'ES256', jwk: jwk(generateKeyPairSync('ec', { namedCurve: 'P-256' })) };
const eddsa: SigningKey = { kid: 'ed', alg: 'EdDSA', jwk: jwk(generateKeyPairSync('ed25519')) };

const card: JsonObject = {
  name: 'Example Agent',
  description: '',
  capabilities: { streaming: false, pushNotifications: false, extensions: [] },
  skills: [],
};

test('the example of A2A 1.0 §8.4.1', () => {
  expect(cardPayload(card, 'presence')).toBe(
    '{"capabilities":{"pushNotifications":false,"streaming":false},"description":"","name":"Example Agent","skills":[]}',
  );
});

test('the other readings', () => {
  expect(cardPayload({ ...card, signatures: [1] }, 'as-served')).toBe(
    '{"capabilities":{"extensions":[],"pushNotifications":false,"streaming":false},"description":"","name":"Example Agent","skills":[]}',
  );
  expect(cardPayload(card, 'without-empty')).toBe(
    '{"capabilities":{"pushNotifications":false,"streaming":false},"name":"Example Agent"}',
  );
  expect(cardPayload(card, 'without-defaults')).toBe('{"name":"Example Agent"}');
});

test('presence keeps messages that are set, and values that are not a default', () => {
  const rich = {
    capabilities: {},
    securitySchemes: {
      tls: { mtlsSecurityScheme: {} },
      oauth: { oauth2SecurityScheme: { flows: { clientCredentials: { tokenUrl: '', scopes: {}, refreshUrl: '' } } } },
    },
    securityRequirements: [{ schemes: { tls: { list: [] } } }, { schemes: {} }],
    skills: [{ id: '', tags: [], examples: [], inputModes: [''] }],
  };
  expect(JSON.parse(cardPayload(rich, 'presence'))).toEqual({
    capabilities: {},
    securitySchemes: {
      tls: { mtlsSecurityScheme: {} },
      oauth: { oauth2SecurityScheme: { flows: { clientCredentials: { tokenUrl: '', scopes: {} } } } },
    },
    securityRequirements: [{ schemes: { tls: {} } }, {}],
    skills: [{ id: '', tags: [], inputModes: [''] }],
  });
});

describe.each([es256, eddsa])('$alg', (key) => {
  test.each(readings)('a card signed under the reading %s verifies', (reading) => {
    const signature = signCard(card, key, { reading, jku: 'https://agent.example/jwks.json' });
    expect(protectedHeader(signature)).toEqual({
      alg: key.alg,
      typ: 'JOSE',
      kid: key.kid,
      jku: 'https://agent.example/jwks.json',
    });
    expect(cardVerifier({ ...card, signatures: [signature] })(signature, publicJwk(key))).toEqual({
      verified: true,
      reading,
    });
  });

  test('another card, key or signature does not', () => {
    const signature = signCard(card, key);
    const open = publicJwk(key);
    expect(open).not.toHaveProperty('d');
    expect(cardVerifier({ ...card, name: 'Mallory' })(signature, open)).toEqual({
      verified: false,
      problem: 'signature',
      payloads: 4,
    });
    expect(cardVerifier({ name: 'Mallory' })(signature, open)).toEqual({
      verified: false,
      problem: 'signature',
      payloads: 1,
    });
    const other = key.alg === 'ES256' ? eddsa : es256;
    expect(cardVerifier(card)(signature, publicJwk(other))).toMatchObject({ problem: 'key' });
    expect(cardVerifier(card)(signature, { ...open, x: 'AAAA' })).toMatchObject({ verified: false });
    expect(cardVerifier(card)({ ...signature, signature: 'AAAA' }, open)).toMatchObject({ problem: 'signature' });
  });
});

test.each<[unknown, string]>([
  [undefined, 'malformed'],
  [{}, 'malformed'],
  [{ protected: 'e30', signature: 'A+A=' }, 'malformed'],
  [{ protected: '{}', signature: 'AAAA' }, 'malformed'],
  [{ protected: 'e30', signature: 'AAAA' }, 'algorithm'],
  [{ protected: Buffer.from('{"alg":"none"}').toString('base64url'), signature: 'AAAA' }, 'algorithm'],
  [{ protected: Buffer.from('{"alg":"HS256"}').toString('base64url'), signature: 'AAAA' }, 'algorithm'],
])('%j is %s', (signature, problem) => {
  expect(cardVerifier(card)(signature, publicJwk(eddsa))).toMatchObject({ verified: false, problem });
});

test('EdDSA gives the same bytes each time', () => {
  expect(signCard(card, eddsa)).toEqual(signCard(card, eddsa));
});
