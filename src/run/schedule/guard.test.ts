import { expect, test } from 'vitest';
import { type Carrier, createTape, createWire, exchangeIds, type StopSignal, virtualClock } from '../../wire/index.js';
import { createCrew, type GuardedWire, guard } from './guard.js';

const request = (path: string) => ({ method: 'POST', url: `http://agent.test/${path}`, headers: [] });
const sending = { purpose: 'test' };

async function* body() {
  yield new TextEncoder().encode('{}');
}

/** Answers until it is asked for `/kill`, then never again. */
function mortal(): { readonly carrier: Carrier; readonly seen: string[] } {
  const seen: string[] = [];
  let dead = false;
  return {
    seen,
    carrier: (asked, signal) => {
      const path = new URL(asked.url).pathname;
      seen.push(path);
      dead ||= path === '/kill';
      if (dead) return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
      return Promise.resolve({ status: 200, headers: [], body: body() });
    },
  };
}

const wireTo = (carrier: Carrier) => {
  const clock = virtualClock();
  return guard(createWire({ carrier, clock, tape: createTape(), limits: { timeoutMs: 1000, maxBytes: 1000 } }));
};

/** A stream that says something and never ends. */
async function* endless(signal: StopSignal) {
  yield new TextEncoder().encode('data: 1\n\n');
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
}

test('after an agent has died nothing more is sent, and the request that did it is named', async () => {
  const agent = mortal();
  const wire = wireTo(agent.carrier);
  wire.watch({ canary: (plain) => plain.exchange(request('canary'), sending), clock: virtualClock() });
  await wire.exchange(request('fine'), sending);
  await wire.exchange(request('kill'), { purpose: 'the deadly check' });
  for (let more = 0; more < 20; more++) await wire.exchange(request('more'), sending);
  expect(wire.lostReason()).toContain('since x2 (the deadly check: timeout)');
  expect(agent.seen.length).toBeLessThan(16);
  // What hangs may only take its time.
  expect(agent.seen.filter((path) => path === '/canary')).toHaveLength(2);
  expect((await wire.exchange(request('late'), sending)).failure?.kind).toBe('aborted');
});

test('an agent that is silent here and there is not given up', async () => {
  let count = 0;
  const wire = wireTo((_, signal) => {
    if (++count % 2 === 0)
      return new Promise((__, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
    return Promise.resolve({ status: 200, headers: [], body: body() });
  });
  wire.watch({ canary: (plain) => plain.exchange(request('canary'), sending), clock: virtualClock() });
  for (let more = 0; more < 40; more++) await wire.exchange(request('more'), sending);
  expect(wire.lostReason()).toBeUndefined();
});

test('streams that do not end in time are answers, and none is opened once the agent is gone', async () => {
  let dead = false;
  const wire = wireTo((_, signal) =>
    dead
      ? new Promise((__, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))))
      : Promise.resolve({ status: 200, headers: [['content-type', 'text/event-stream']], body: endless(signal) }),
  );
  wire.watch({ canary: (plain) => plain.exchange(request('canary'), sending), clock: virtualClock() });
  for (let more = 0; more < 20; more++) {
    expect((await (await wire.open(request('stream'), sending)).ended).failure?.kind).toBe('timeout');
  }
  expect(wire.lostReason()).toBeUndefined();
  dead = true;
  for (let more = 0; more < 20; more++) await wire.exchange(request('more'), sending);
  expect(wire.lostReason()).toBeDefined();
  const late = await wire.open(request('stream'), sending);
  expect(late.head).toBeUndefined();
  expect((await late.ended).id).toBe('unsent');
});

test('while the canary is asked nothing is sent, and an agent that comes back is not given up', async () => {
  const seen: string[] = [];
  let canaries = 0;
  const wire = wireTo((asked, signal) => {
    const path = new URL(asked.url).pathname;
    seen.push(path);
    if (path === '/canary') canaries++;
    return canaries === 2
      ? Promise.resolve({ status: 200, headers: [], body: body() })
      : new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
  });
  wire.watch({ canary: (plain) => plain.exchange(request('canary'), sending), clock: virtualClock() });
  for (let more = 0; more < 11; more++) await wire.exchange(request('slow'), sending);
  const last = wire.exchange(request('slow'), sending);
  await wire.exchange(request('slow'), sending).then(() => wire.exchange(request('next'), sending));
  await last;
  expect(wire.lostReason()).toBeUndefined();
  expect(seen.slice(-3)).toEqual(['/canary', '/canary', '/next']);
});

test('a check that waits for calm asks often enough for what stands in line', async () => {
  const seen: string[] = [];
  const wire = wireTo((asked, signal) => {
    seen.push(new URL(asked.url).pathname);
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
  });
  wire.watch({ canary: (plain) => plain.exchange(request('canary'), sending), clock: virtualClock() });
  await Promise.all([wire.waitUntilResponsive(), wire.waitUntilResponsive()]);
  expect(seen).toEqual(Array.from({ length: 6 }, () => '/canary'));
  expect(wire.lostReason()).toContain('the agent no longer answers');
});

test('a check that waits for calm asks an agent that streams without an end once', async () => {
  let canaries = 0;
  const wire = wireTo((_, signal) => {
    canaries++;
    return Promise.resolve({ status: 200, headers: [['content-type', 'text/event-stream']], body: endless(signal) });
  });
  wire.watch({ canary: (plain) => plain.exchange(request('canary'), sending), clock: virtualClock() });
  await wire.waitUntilResponsive();
  expect(canaries).toBe(1);
  expect(wire.lostReason()).toBeUndefined();
});

test('an agent that drops a connection here and there, the canary too, costs little time', async () => {
  let count = 0;
  const dropped = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  const wire = wireTo(() =>
    ++count % 2 === 0 ? Promise.reject(dropped) : Promise.resolve({ status: 200, headers: [], body: body() }),
  );
  const clock = virtualClock();
  const started = clock.now();
  const canary = (plain: { exchange: typeof wire.exchange }) => plain.exchange(request('canary'), sending);
  wire.watch({ canary, clock });
  for (let calls = 0; calls < 99; calls++) {
    if (calls % 2 === 0) await wire.exchange(request('more'), sending);
    await wire.waitUntilResponsive();
  }
  expect(wire.lostReason()).toBeUndefined();
  expect(count).toBeGreaterThan(150);
  expect(clock.now() - started).toBeLessThan(5000);
});

/** An answer of gRPC that begins with these bytes and never ends. */
const unending = (bytes: readonly number[]) => (_: unknown, signal: StopSignal) => {
  async function* drip() {
    yield Uint8Array.from(bytes);
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  }
  return Promise.resolve({ status: 200, headers: [['content-type', 'application/grpc']] as const, body: drip() });
};
const emptyMessage = [0, 0, 0, 0, 0];

test.for<[string, string, readonly number[], boolean]>([
  ['a call with a part of a message is silent', 'GetTask', [0, 0, 0, 1, 0, 8], true],
  ['a call with a message and no end is silent', 'GetTask', emptyMessage, true],
  ['a stream with a part of a message is silent', 'SendStreamingMessage', [0, 0, 0, 1, 0, 8], true],
  ['a stream with a message is none', 'SendStreamingMessage', emptyMessage, false],
])('over gRPC %s', async ([, method, bytes, isGone]) => {
  const wire = wireTo(unending(bytes));
  const asked = request(`lf.a2a.v1.A2AService/${method}`);
  wire.watch({ canary: (plain) => plain.exchange(asked, sending), clock: virtualClock() });
  for (let more = 0; more < 20; more++) await wire.exchange(asked, sending);
  expect(wire.lostReason() !== undefined).toBe(isGone);
});

/** Answers with the page of a server that failed: from `/kill` on to all, before that to `/odd`. */
const failing = (): Carrier => {
  let isDead = false;
  return (asked) => {
    const path = new URL(asked.url).pathname;
    isDead ||= path === '/kill';
    const isPage = isDead || path === '/odd';
    return Promise.resolve({ status: isPage ? 500 : 200, headers: [], body: body() });
  };
};

test.for([
  ['/kill', true, 'the agent answers each request with HTTP 500, since x3 (the deadly check)'],
  // It has pages for odd requests only.
  ['/odd', true, undefined],
  // It may have them for all errors, that of the canary too.
  ['/kill', false, undefined],
] as const)('an agent that has error pages only, from %s on, is gone: %s', async ([path, hasAnswered, reason]) => {
  const wire = wireTo(failing());
  const canary = (plain: { exchange: typeof wire.exchange }) => plain.exchange(request('canary'), sending);
  wire.watch({ canary, clock: virtualClock(), hasAnswered: () => hasAnswered });
  await wire.exchange(request('fine'), sending);
  await wire.exchange(request('fine'), sending);
  await wire.exchange(request(path.slice(1)), { purpose: 'the deadly check' });
  const later = path === '/odd' ? 'odd' : 'more';
  for (let more = 0; more < 20; more++) await wire.exchange(request(later), sending);
  expect(wire.lostReason()).toBe(reason);
});

test('a request that ends the agent is a suspect over each interface, and each knows its own losses', async () => {
  const dropped = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  const underWay: (() => void)[] = [];
  let isDead = false;
  const carrier: Carrier = (asked) => {
    if (isDead) return Promise.reject(dropped);
    if (asked.url.endsWith('/slow')) return new Promise((_, reject) => underWay.push(() => reject(dropped)));
    if (!asked.url.endsWith('/kill')) return Promise.resolve({ status: 200, headers: [], body: body() });
    isDead = true;
    for (const end of underWay) end();
    return Promise.reject(dropped);
  };
  const clock = virtualClock();
  const crew = createCrew();
  const nextId = exchangeIds();
  const returned: string[] = [];
  const [first, other] = ['one', 'other'].map((name) => {
    const tape = createTape(() => undefined, nextId);
    const wire = guard(createWire({ carrier, clock, tape, limits: { timeoutMs: 1000, maxBytes: 1000 } }), crew);
    const canary = (plain: { exchange: typeof wire.exchange }) => plain.exchange(request('canary'), sending);
    wire.watch({ canary, clock, onReturn: () => returned.push(name) });
    return wire;
  }) as [GuardedWire, GuardedWire];
  clock.after(500, () => {
    isDead = false;
  });
  const slow = first.exchange(request('slow'), { purpose: 'a long task' });
  await other.exchange(request('kill'), { purpose: 'the deadly check' });
  const { id } = await slow;
  expect(first.deaths()).toHaveLength(1);
  expect(other.deaths()).toEqual(first.deaths());
  expect(
    first
      .deaths()[0]
      ?.suspects.map(({ purpose }) => purpose)
      .toSorted(),
  ).toEqual(['a long task', 'the deadly check']);
  expect(first.deaths()[0]?.lost.has(id)).toBe(true);
  expect(returned).toEqual(['one', 'other']);
  // What only one of them loses later does not concern the other.
  await first.exchange(request('fine'), sending);
  isDead = true;
  await first.exchange(request('more'), sending);
  expect([first.deaths().length, other.deaths().length]).toEqual([2, 1]);
});
