import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { ProfileId } from '../../dialect/index.js';
import { type Carrier, createTape, createWire, virtualClock } from '../../wire/index.js';
import { random, uuids } from '../random.js';
import { type Detected, detect } from './detect.js';

// What a card alone says: every call is refused for want of credentials.

const baseUrl = 'http://agent.test';

async function* once(text: string) {
  yield new TextEncoder().encode(text);
}

const guarded =
  (card: string): Carrier =>
  async ({ method, url }) => {
    if (method !== 'GET') return { status: 401, headers: [], body: once('') };
    const isCard = new URL(url).pathname === '/.well-known/agent-card.json';
    const headers = [['content-type', isCard ? 'application/json' : 'text/plain']] as const;
    return { status: isCard ? 200 : 404, headers, body: once(isCard ? card : 'Not found') };
  };

function look(card: string, profile = 'auto'): Promise<Detected> {
  const wire = createWire({
    carrier: guarded(card),
    clock: virtualClock(),
    tape: createTape(),
    limits: { timeoutMs: 1000, maxBytes: 1 << 20 },
  });
  return detect({ url: baseUrl, profile, wire, credentials: [], allowedOrigins: [], uuid: uuids(random(1)) });
}

const fixture = (name: string): string => readFileSync(`fixtures/detection/${name}.json`, 'utf8');

test.for([
  ['schemes-without-version', 'a2a-0.3'],
  ['schemes-and-skills-without-tags', 'a2a-0.3'],
  ['schemes-with-version', 'a2a-0.3'],
  ['version-1.0-in-old-form', 'a2a-1.0'],
  ['version-0.2', 'a2a-0.2'],
  ['long-running-tasks', 'a2a-0.3'],
  ['version-in-metadata', 'a2a-0.3'],
  ['list-of-capabilities', 'a2a-0.3'],
  ['interfaces-without-binding', 'a2a-1.0'],
  ['interface-without-version-beside-0.3', 'a2a-0.3'],
  ['old-interface-in-new-form', 'a2a-0.3'],
  ['members-of-1.0-without-interfaces', 'a2a-1.0'],
  ['http-json-1.0', 'a2a-1.0-rest'],
  ['http-json-0.3', 'a2a-0.3-rest'],
  ['grpc-and-own-binding', 'a2a-1.0-grpc'],
  ['next-version', 'a2a-1.0'],
  ['openclaw', 'openclaw'],
  ['terminal-bench', 'terminal-bench'],
] as const)('the card %s is judged as %s', async ([name, profile]) => {
  const { dialect, evidence, isAgent } = await look(fixture(name));
  expect(dialect.id).toBe(profile);
  expect(isAgent).toBe(true);
  expect(evidence.at(-1)).not.toContain('a guess');
});

describe('a card that declares no binding that the kit speaks', () => {
  test.for([
    ['own-binding', 'the card declares only https://weather.example/bindings/websocket'],
    ['next-version', 'the card declares only JSONRPC 2.0'],
  ] as const)('%s', async ([name, fact]) => {
    const { unspoken, interfaces, evidence } = await look(fixture(name));
    expect(unspoken?.fact).toBe(fact);
    expect(evidence.at(-1)).toContain('the kit found no binding that it speaks');
    expect(interfaces.length).toBeGreaterThan(0);
    expect(interfaces.every(({ declared, judged, why }) => declared && judged === 'not' && why !== undefined)).toBe(
      true,
    );
  });
  test('is judged all the same where the user says what is spoken, and something answers', async () => {
    expect((await look(fixture('own-binding'), 'a2a-1.0')).unspoken).toBeUndefined();
  });
});

describe('the kit says what stands in the place of a card', () => {
  const reply = (status: number, headers: readonly (readonly [string, string])[] = []) => ({
    status,
    headers,
    body: once('no'),
  });
  test.for([
    ['401 everywhere', () => reply(401), 'agent-card.json wants credentials (HTTP 401); give valid credentials'],
    [
      'a redirect to another host',
      () => reply(302, [['location', 'https://elsewhere.example/card']]),
      'agent-card.json redirects to https://elsewhere.example/card; give its URL',
    ],
    ['an error of the server', () => reply(503), 'agent-card.json answers HTTP 503; give its URL'],
    ['nothing', () => reply(404), 'agent-card.json answers HTTP 404, nor is one at 3 other places; give its URL'],
  ] as const)('%s', async ([, answer, reason]) => {
    const wire = createWire({
      carrier: async () => answer(),
      clock: virtualClock(),
      tape: createTape(),
      limits: { timeoutMs: 1000, maxBytes: 1 << 20 },
    });
    const options = { url: baseUrl, profile: 'auto', wire, credentials: [], allowedOrigins: [] };
    const { target } = await detect({ ...options, uuid: uuids(random(1)) });
    expect(target.whyNoCard?.told).toContain(reason);
  });
});

// Cards of public agents, where this machine has them.
const corpus = '../shared/corpus/cards';
const expected: readonly (readonly [string, string])[] = existsSync(`${corpus}/expected.tsv`)
  ? readFileSync(`${corpus}/expected.tsv`, 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split('\t').slice(0, 2) as [string, string])
  : [];

function profileOf(version: string): ProfileId | undefined {
  if (version === 'none') return undefined;
  if (version.startsWith('none named') || version.includes('only interface is 0.3')) return 'a2a-0.3';
  const line = /^(0\.\d|1\.0)/.exec(version)?.[1];
  return line === undefined ? undefined : (`a2a-${line}` as ProfileId);
}

describe.skipIf(expected.length === 0)('public cards', () => {
  test('are all expected', () => {
    const cards = readdirSync(corpus).filter((name) => name.endsWith('.json'));
    expect(new Set(expected.map(([name]) => `${name}.json`))).toEqual(new Set(cards));
  });
  test.for([...new Map(expected)])('%s: %s', async ([name, version]) => {
    const profile = profileOf(version);
    const { dialect, target } = await look(readFileSync(`${corpus}/${name}.json`, 'utf8'));
    if (profile === undefined) expect(target.cardDocument).toBeUndefined();
    else expect(dialect.version).toBe(profile);
  });
});
