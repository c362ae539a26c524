import { describe, expect, test } from 'vitest';
import { createClient, nobody } from '../../../src/client/index.js';
import { dialectById, type ProfileId } from '../../../src/dialect/index.js';
import { isObject } from '../../../src/model/index.js';
import { createAgent, type Patch } from '../../../src/reference/index.js';
import { detect } from '../../../src/run/detection/detect.js';
import { skewOf } from '../../../src/run/extensions/agent-clock.js';
import { random, uuids } from '../../../src/run/random.js';
import {
  type Carrier,
  createTape,
  createWire,
  type Exchange,
  type Header,
  header,
  virtualClock,
} from '../../../src/wire/index.js';
import { createChain, residentKey, residents, testChainId, xprAgent } from '../agent/index.js';
import type { XprScene } from '../shared/scene.js';
import { headerNames, isAccountName, publicKeyText } from '../signing/index.js';
import { withoutAccount, type XprOptions } from './options.js';
import { madeUpAccount, signingBy } from './prepare.js';

const baseUrl = 'http://agent.test';
const alice = { account: 'alice', key: residentKey('alice') };

interface Stage {
  readonly speaks?: ProfileId;
  readonly profile?: string;
  readonly url?: string;
  readonly patches?: readonly Patch[];
  readonly xpr?: Partial<XprOptions>;
  /** In place of the agent. */
  readonly answers?: (agent: Carrier, clock: ReturnType<typeof virtualClock>) => Carrier;
  /** The control of the chain is given to the kit. */
  readonly withStub?: boolean;
}

/** The kit before the first check, over the reference agent in memory. */
async function prepared({ speaks = 'xpr', profile = 'auto', url = baseUrl, ...more }: Stage = {}) {
  const { patches = [], xpr = {}, answers = (agent) => agent, withStub = false } = more;
  const clock = virtualClock();
  const chain = createChain({ clock });
  const control = await residents(chain.control);
  const dialect = dialectById(speaks) ?? expect.fail('no dialect');
  const chainAt = { url: 'http://chain.test', carrier: chain.handle };
  const agent = createAgent({ dialect, clock, baseUrl: url, patches, part: xprAgent(dialect, { chain: chainAt }) });
  const tape = createTape();
  const carrier = answers((request, signal) => agent.handle(request, signal), clock);
  const wire = createWire({ carrier, clock, tape, limits: { timeoutMs: 1000, maxBytes: 1 << 20 } });
  const uuid = uuids(random(1));
  const found = await detect({ url, profile, wire, credentials: [], allowedOrigins: [], uuid });
  const options = { ...withoutAccount, ...xpr, ...(withStub ? { stub: control } : {}) };
  const waits: number[] = [];
  const onWait = (ms: number): void => void waits.push(ms);
  const done = await signingBy(options).prepare({ wire, clock, uuid, onWait }, found);
  const scene = done.addition.of(uuid) as XprScene;
  const client = createClient({
    wire,
    clock,
    dialect: done.dialect,
    endpoint: found.target.endpoint,
    credentials: [],
    ...(done.signer === undefined ? {} : { signer: done.signer }),
    ...(done.sendsOff === undefined ? {} : { sendsOff: done.sendsOff }),
    readOnly: false,
    limitPatienceMs: 65_000,
    uuid,
  });
  return { ...done, scene, client, clock, control, uuid, waits, exchanges: tape.exchanges };
}

const isSigned = ({ request }: Exchange): boolean => header(request.headers, headerNames.signature) !== undefined;
const toldBy = (answer: readonly Header[]): Pick<Stage, 'answers'> => ({
  answers: (agent) => async (request, signal) => {
    const response = await agent(request, signal);
    return { ...response, headers: [...response.headers.filter(([name]) => name.toLowerCase() !== 'date'), ...answer] };
  },
});
const dated = (seconds: number): Pick<Stage, 'answers'> => ({
  answers: (agent, clock) => async (request, signal) => {
    const response = await agent(request, signal);
    const date = new Date(clock.now() + seconds * 1000).toUTCString();
    return {
      ...response,
      headers: [...response.headers.filter(([name]) => name.toLowerCase() !== 'date'), ['date', date]],
    };
  },
});

describe('the clock of the agent', () => {
  const now = Date.UTC(2026, 0, 1);
  const answered = (headers: readonly Header[], durationMs = 0): Exchange => ({
    id: '1',
    purpose: 'test',
    request: { method: 'GET', url: baseUrl, headers: [] },
    response: { status: 200, headers, body: new Uint8Array(), chunks: [] },
    startedAt: now,
    durationMs,
  });
  const at = (ms: number): Header => ['Date', new Date(now + ms).toUTCString()];

  test.each([
    [[at(0)], 0, 0],
    [[at(1000)], 0, 0],
    [[at(-1000)], 0, 0],
    [[at(90_000)], 0, 90_000],
    [[at(-90_000)], 0, -90_000],
    [[at(90_000)], 1500, 88_500],
    [[['date', 'yesterday']], 0, 0],
    [[['date', '']], 0, 0],
    [[['date', '1e400']], 0, 0],
    [[], 0, 0],
    [[at(-90_000), ['Age', '90']], 0, 0],
  ] as [Header[], number, number][])('%j after %i ms is %i ms ahead', (headers, durationMs, skew) => {
    expect(skewOf(answered(headers, durationMs))).toBe(skew);
  });

  test('is read from the first answer that states it', () => {
    const cached = answered([at(-90_000), ['age', '90']]);
    expect(skewOf(undefined, cached, answered([at(20_000)]), answered([at(40_000)]))).toBe(20_000);
    expect(skewOf()).toBe(0);
  });

  test.each([120, -120, 299, -299])('%i s away is followed', async (seconds) => {
    const { scene, clock, evidence } = await prepared(dated(seconds));
    expect(scene.seconds()).toBe(Math.floor(clock.now() / 1000) + seconds);
    expect(evidence.join()).toContain(`${Math.abs(seconds)} s ${seconds > 0 ? 'ahead' : 'behind'}`);
  });

  test.each([310, -310, 86_400, -86_400, 3e9, -3e9])(
    '%i s away is not: a signature would be good then',
    async (seconds) => {
      const { scene, clock, evidence } = await prepared({ ...dated(seconds), xpr: { first: alice } });
      expect(scene.seconds()).toBe(Math.floor(clock.now() / 1000));
      expect(evidence.join()).toContain('too far to follow');
    },
  );

  test.each(['', 'soon', '9'.repeat(400), 'Thu, 99 Foo 0000', '-1', '\u0000'])('a date of %j is none', async (date) => {
    const { scene, clock, evidence } = await prepared({ ...toldBy([['date', date]]), xpr: { first: alice } });
    expect(Math.abs(scene.seconds() - clock.now() / 1000)).toBeLessThan(301);
    expect(evidence.filter((line) => line.includes('NaN'))).toEqual([]);
  });
});

describe('the digest', () => {
  test('is that of three lines where the agent takes them', async () => {
    const { dialect, scene, evidence } = await prepared({ xpr: { first: alice } });
    expect([dialect.id, scene.scheme]).toEqual(['xpr', { lines: 3 }]);
    expect(evidence).toContain('the agent accepts a request signed over three lines');
  });

  test('is that of five where it takes those, and the agent is judged by their rules', async () => {
    const { dialect, scene, evidence } = await prepared({
      speaks: 'xpr-v2',
      profile: 'xpr',
      xpr: { first: alice, chainId: testChainId },
    });
    expect(dialect.id).toBe('xpr-v2');
    expect(scene.scheme).toEqual({ lines: 5, audience: 'tckagent', chainId: testChainId });
    expect(evidence).toContain('the agent accepts a request signed over five lines (for tckagent, chain 71ee83bc…)');
  });

  test.each(['xpr', 'xpr-v2'])('is found without the chain id on the public chains: %s', async (profile) => {
    const { dialect, scene } = await prepared({ speaks: 'xpr-v2', profile, xpr: { first: alice } });
    expect([dialect.id, scene.scheme.chainId]).toEqual(['xpr-v2', testChainId]);
  });

  test.each([
    ['on a known chain', { chainId: testChainId }, /refuses a request signed over three lines, or over five$/],
    ['on a chain that is guessed', {}, /or over five; for five lines give --xpr-audience/],
  ])('stays three where neither is taken %s', async (_, more, sentence) => {
    const stranger = { account: 'alice', key: residentKey('bob') };
    const { dialect, evidence } = await prepared({
      speaks: 'xpr-v2',
      profile: 'xpr',
      xpr: { first: stranger, ...more },
    });
    expect(dialect.id).toBe('xpr');
    expect(evidence.some((line) => sentence.test(line))).toBe(true);
  });

  test('a card that names no account puts no lines of its own into what is signed', async () => {
    const named: Patch = (inner) => ({
      cardDocument() {
        const card = inner.cardDocument();
        return isObject(card) ? { ...card, 'xpr:account': 'tckagent\n0' } : card;
      },
    });
    const { evidence, exchanges } = await prepared({
      speaks: 'xpr-v2',
      profile: 'xpr',
      patches: [named],
      xpr: { first: alice },
    });
    expect(exchanges.filter(isSigned)).toHaveLength(1);
    expect(evidence.join()).toContain('the agent refuses a request signed over three lines; for five lines give');
  });

  test('is not asked for where it was said, nor without an account', async () => {
    for (const xpr of [{ first: alice, digest: 'v1' as const }, {}]) {
      const { exchanges, dialect } = await prepared({ xpr });
      expect(dialect.id).toBe('xpr');
      expect(exchanges.filter(isSigned)).toEqual([]);
    }
  });

  test('the chain id comes from the chain', async () => {
    const chainId = 'ab'.repeat(32);
    const chain = { chainId: async () => chainId, keysOf: async () => ({ lines: ['told by the chain'] }) };
    const { scene, evidence } = await prepared({ xpr: { first: alice, digest: 'v2', chain } });
    expect(scene.scheme).toMatchObject({ lines: 5, chainId });
    expect(evidence).toContain('told by the chain');
  });

  const noAccount: Patch = (inner) => ({
    cardDocument() {
      const card = inner.cardDocument();
      return isObject(card) ? { ...card, 'xpr:account': undefined } : card;
    },
  });
  test.each([
    ['the chain is not known', { xpr: { digest: 'v2' } }],
    ['the profile says five', { profile: 'xpr-v2' }],
    ['the recipient is not known', { xpr: { digest: 'v2', chainId: testChainId }, patches: [noAccount] }],
  ] as [string, Stage][])('five lines are wrong usage where %s', async (_, stage) => {
    await expect(prepared({ speaks: 'xpr-v2', ...stage })).rejects.toMatchObject({
      code: 'usage',
      hint: expect.stringContaining('--xpr-audience and --xpr-chain-id'),
    });
  });

  test('the recipient that was given wins over the card', async () => {
    const { scene } = await prepared({ xpr: { digest: 'v2', chainId: testChainId, audience: 'other' } });
    expect(scene.scheme.audience).toBe('other');
  });
});

describe('messages', () => {
  test.each([
    ['http://agent.example', true],
    ['http://127.0.0.1.example', true],
    ['http://127.example', true],
    ['http://localhost.example', true],
    ['http://10.0.0.1:4000', true],
    ['http://localhost:4000', false],
    ['http://agent.localhost', false],
    ['http://127.0.0.1:4000', false],
    ['http://127.1.2.3', false],
    ['http://[::1]:4000', false],
  ])('to %s are kept back: %s', async (url, isOff) => {
    const { sendsOff } = await prepared({ url });
    expect(sendsOff === undefined).toBe(!isOff);
    if (isOff) expect(sendsOff).toContain('--xpr-allow-send');
    expect((await prepared({ url, xpr: { allowSend: true } })).sendsOff).toBeUndefined();
  });

  test('that are kept back are not sent by any door, and cost no turn', async () => {
    const { client, exchanges } = await prepared({ url: 'http://agent.example', xpr: { first: alice, digest: 'v1' } });
    const before = exchanges.length;
    const message = { role: 'user' as const, parts: [{ kind: 'text' as const, text: 'Hi' }], messageId: 'm' };
    const request = { jsonrpc: '2.0', id: 1, method: 'message/send', params: {} };
    const outcomes = [
      await client.call('send', { message } as never),
      await client.rpc(request),
      await client.post(JSON.stringify(request)),
    ];
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ kind: 'not-sent', reason: expect.stringContaining('--xpr-allow-send') });
    }
    expect(exchanges.length).toBe(before);
    expect((await client.call('get', { id: 'x' })).kind).toBe('refusal');
    expect((await client.rpc({ ...request, method: 'tasks/get' }, { harmless: true })).kind).toBe('refusal');
  });
});

describe('signed requests', () => {
  const limitedOnce: Pick<Stage, 'answers'> = {
    answers: (agent) => {
      let limited = false;
      return async (request, signal) => {
        if (limited || header(request.headers, headerNames.signature) === undefined) return agent(request, signal);
        limited = true;
        return { status: 429, headers: [['retry-after', '0']], body: (async function* () {})() };
      };
    },
  };

  test('are signed anew after a limit, at another second', async () => {
    const { client, exchanges } = await prepared({ ...limitedOnce, xpr: { first: alice, digest: 'v1' } });
    expect((await client.call('get', { id: 'x' })).kind).toBe('refusal');
    const [exchange, other] = exchanges.filter(isSigned);
    const stamps = [exchange, other].map((seen) => Number(header(seen?.request.headers ?? [], headerNames.timestamp)));
    expect((other?.startedAt ?? 0) - (exchange?.startedAt ?? 0)).toBeGreaterThan(1000);
    expect((stamps[1] ?? 0) - (stamps[0] ?? 0)).toBeGreaterThanOrEqual(1);
  });

  test('are not sent again where the limit is the answer', async () => {
    const { client, exchanges } = await prepared({ ...limitedOnce, xpr: { first: alice, digest: 'v1' } });
    expect((await client.call('get', { id: 'x' }, { impatient: true })).kind).toBe('busy');
    expect(exchanges.filter(isSigned)).toHaveLength(1);
  });

  test('keep under the limit, those before the first check included', async () => {
    const { client, exchanges, waits, scene } = await prepared({ xpr: { first: alice, rate: 6 } });
    for (let sent = 0; sent < 10; sent++) await client.call('get', { id: 'x' }, { credentials: scene.as(alice) });
    const times = exchanges.filter(isSigned).map(({ startedAt }) => startedAt);
    expect(times.length).toBe(11);
    times.forEach((time, place) => {
      expect((times[place + 4] ?? Number.POSITIVE_INFINITY) - time).toBeGreaterThan(60_000);
    });
    expect(waits.length).toBeGreaterThan(0);
    expect(exchanges.some(({ response }) => response?.status === 429)).toBe(false);
  });

  test('that are sent unpaced count for later ones', async () => {
    const { client, clock, scene } = await prepared({ xpr: { first: alice, digest: 'v1', rate: 4 } });
    const start = clock.now();
    const hasty = scene.as(alice, { paced: false });
    for (let sent = 0; sent < 5; sent++) await client.call('get', { id: 'x' }, { credentials: hasty, impatient: true });
    expect(clock.now() - start).toBeLessThan(1000);
    await client.call('get', { id: 'x' });
    expect(clock.now() - start).toBeGreaterThan(59_000);
  });

  test('carry the three headers once, whatever else is given', async () => {
    const { client, exchanges } = await prepared({ xpr: { first: alice, digest: 'v1' } });
    await client.call('get', { id: 'x' }, { headers: [['x-trace', '1']] });
    const { headers } = exchanges.at(-1)?.request ?? expect.fail('nothing was sent');
    for (const name of Object.values(headerNames)) {
      expect(headers.filter(([key]) => key.toLowerCase() === name.toLowerCase())).toHaveLength(1);
    }
    await client.call('get', { id: 'x' }, { credentials: 'none' });
    await client.call('get', { id: 'x' }, { credentials: nobody });
    expect(exchanges.slice(-2).some(isSigned)).toBe(false);
  });

  test('the signer alone signs: a GET carries no signature', async () => {
    const { client } = await prepared({ xpr: { first: alice, digest: 'v1' } });
    expect(isSigned(await client.get(`${baseUrl}/.well-known/agent.json`))).toBe(false);
  });
});

describe('a chain of the kit', () => {
  test('gets accounts where the user gave none, and the agent accepts them', async () => {
    const { scene, client, signer, secondSigner } = await prepared({ withStub: true });
    expect([signer, secondSigner].includes(undefined)).toBe(false);
    const { first, second, unregistered } = scene;
    if (first === undefined || second === undefined || unregistered === undefined) return expect.fail('not made');
    expect(new Set([first.account, second.account, unregistered.account]).size).toBe(3);
    for (const [caller, kind] of [
      [first, 'refusal'],
      [second, 'refusal'],
      [unregistered, 'denied'],
    ] as const) {
      expect(isAccountName(caller.account)).toBe(true);
      expect((await client.call('get', { id: 'x' }, { credentials: scene.as(caller) })).kind).toBe(kind);
    }
  });

  test('keeps the account of the user', async () => {
    const { scene } = await prepared({ withStub: true, xpr: { first: alice } });
    expect(scene.first).toBe(alice);
    expect(scene.stubOff).toBe('');
  });

  test('says its id', async () => {
    const { scene } = await prepared({ speaks: 'xpr-v2', withStub: true });
    expect(scene.scheme).toMatchObject({ lines: 5, chainId: testChainId });
  });

  test('is named where there is none', async () => {
    const { scene } = await prepared();
    expect([scene.stub, scene.first]).toEqual([undefined, undefined]);
    expect(scene.stubOff).toContain('a2a-tck stub --profile xpr');
  });
});

test('made-up accounts and strangers are names, and each comes once', async () => {
  const { scene, uuid } = await prepared();
  const names = Array.from({ length: 500 }, () => madeUpAccount(uuid()));
  expect(names.filter((name) => !isAccountName(name))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
  const strangers = [scene.stranger(), scene.stranger(), scene.stranger('alice')];
  expect(new Set(strangers.map(({ key }) => publicKeyText(key.publicKey))).size).toBe(3);
  expect(strangers[2]?.account).toBe('alice');
});
