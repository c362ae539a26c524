import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { judgeDocument, upgradeDocument } from '../src/document/index.js';
import type { Validation } from '../src/report/index.js';
import { rules } from '../suites/index.js';

// Cards of 0.2 and 0.3, written anew for 1.0.

const folders = [
  new URL('../fixtures/a2a/cards/', import.meta.url),
  new URL('../../shared/corpus/cards/', import.meta.url),
];
const encode = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
const judged = (bytes: Uint8Array, profile?: string): Validation =>
  judgeDocument({ bytes, source: 'card.json', as: 'card', profile, kit: { name: 'a2a-tck', version: '0' }, rules });
const mustOf = ({ faults }: Validation) => faults.filter(({ level }) => level === 'must').map(({ pointer }) => pointer);

const whole = JSON.parse(readFileSync(new URL('../fixtures/a2a/0.3.0/agent-card.json', import.meta.url), 'utf8'));

test('writes all that a card of 0.3 says in the form of 1.0, and tells what is lost', () => {
  const { card, changes } = upgradeDocument(encode(whole), 'card.json');
  expect(mustOf(judged(encode(card), 'a2a-1.0'))).toEqual([]);
  expect(card).toMatchObject({
    name: whole.name,
    supportedInterfaces: [
      { url: 'https://clerk.harbour.example/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      { url: 'https://clerk.harbour.example/rest', protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
    ],
    securitySchemes: {
      key: { apiKeySecurityScheme: { location: 'header', name: 'X-Harbour-Key' } },
      token: { httpAuthSecurityScheme: { scheme: 'bearer', bearerFormat: 'JWT' } },
      ship: { mtlsSecurityScheme: { description: 'The certificate of the ship.' } },
    },
  });
  expect(card['securityRequirements']).toContainEqual({ schemes: { 'clerk-login': { list: ['berths:write'] } } });
  expect(changes.filter(({ kind }) => kind === 'lost').map(({ pointer }) => pointer)).toEqual(
    expect.arrayContaining([
      '/capabilities/stateTransitionHistory',
      '/securitySchemes/clerk-login/flows/clientCredentials',
      '/securitySchemes/clerk-login/flows/implicit',
    ]),
  );
  for (const old of ['url', 'security', 'preferredTransport', 'protocolVersion']) expect(card).not.toHaveProperty(old);
});

const cards = folders
  .filter((folder) => existsSync(folder))
  .flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .map((name) => ({ name, bytes: new Uint8Array(readFileSync(new URL(name, folder))) })),
  );

describe('of the corpus', () => {
  test.for(cards)('$name: the new card has no fault that the old one has not', ({ name, bytes }) => {
    const old = judged(bytes);
    let made: ReturnType<typeof upgradeDocument>;
    try {
      made = upgradeDocument(bytes, name);
    } catch (error) {
      expect(String(error)).toMatch(/is a card of 1\.0 already|names no url|cannot be read|not an agent card/);
      return;
    }
    const left = mustOf(judged(encode(made.card), 'a2a-1.0'));
    if (mustOf(old).length === 0) expect(left).toEqual([]);
  });
});

test.for<[string, unknown, string]>([
  ['a card of 1.0', { ...whole, supportedInterfaces: [] }, 'is a card of 1.0 already'],
  ['a task', { kind: 'task', id: 'a', contextId: 'b', status: { state: 'working' } }, 'is not an agent card'],
  ['a list', [1], 'is not an agent card'],
])('refuses %s', ([, document, problem]) => {
  expect(() => upgradeDocument(encode(document), 'card.json')).toThrow(problem);
});

test('survives members of any type', () => {
  const odd = [null, 1, 'x', [], [null, 1, {}], { a: null }, { __proto__: null }];
  for (const name of Object.keys(whole))
    for (const value of odd) {
      const card = { ...whole, [name]: value };
      try {
        upgradeDocument(encode(card), 'card.json');
      } catch (error) {
        expect(error).toMatchObject({ name: 'TckError' });
      }
    }
});
