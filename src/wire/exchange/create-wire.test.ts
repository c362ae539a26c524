import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import {
  bodyText,
  type Carrier,
  CarrierFailure,
  type Clock,
  createTape,
  createWire,
  type Header,
  type StopSignal,
  sleep,
  type Tape,
  virtualClock,
  type Wire,
  type WireOptions,
} from '../index.js';

const text = (value: string): Uint8Array => new TextEncoder().encode(value);
const get = { method: 'GET', url: 'http://agent.test/', headers: [] } as const;
const sending = { purpose: 'test' } as const;

async function* pieces(clock: Clock, ...values: readonly (Uint8Array | string | number)[]): AsyncGenerator<Uint8Array> {
  for (const value of values) {
    if (typeof value === 'number') await sleep(clock, value);
    else yield typeof value === 'string' ? text(value) : value;
  }
}

const answering =
  (body: () => AsyncIterable<Uint8Array>, headers: readonly Header[] = []): Carrier =>
  () =>
    Promise.resolve({ status: 200, headers, body: body() });

function setUp(
  carrier: (clock: Clock) => Carrier,
  extra: Partial<WireOptions> = {},
): { readonly wire: Wire; readonly tape: Tape; readonly clock: Clock } {
  const clock = virtualClock();
  const tape = createTape();
  const limits = { timeoutMs: 10_000, maxBytes: 1000 };
  return { wire: createWire({ carrier: carrier(clock), clock, tape, limits, ...extra }), tape, clock };
}

const never = <T>(): Promise<T> => new Promise<T>(() => {});
const silent: Carrier = () => never();

describe('exchange', () => {
  test('records status, headers, body and the time of each chunk', async () => {
    const { wire, tape } = setUp((clock) => answering(() => pieces(clock, 'a', 50, 'bc', 25, 'd'), [['X-A', '1']]));
    const exchange = await wire.exchange(get, { ...sending, call: { valid: true, rpcId: 7 } });
    expect(exchange).toMatchObject({ id: 'x1', purpose: 'test', durationMs: 75, call: { valid: true, rpcId: 7 } });
    expect(exchange.failure).toBeUndefined();
    expect(bodyText(exchange.response?.body)).toBe('abcd');
    expect(exchange.response?.headers).toEqual([['X-A', '1']]);
    expect(exchange.response?.chunks.map(({ atMs, bytes }) => [atMs, bodyText(bytes)])).toEqual([
      [0, 'a'],
      [50, 'bc'],
      [75, 'd'],
    ]);
    expect(tape.exchanges).toEqual([exchange]);
    expect(tape.find('x1')).toBe(exchange);
  });

  test('gives up on a target that never answers, even when the carrier ignores the signal', async () => {
    const { wire, tape } = setUp(() => silent);
    const exchange = await wire.exchange(get, sending);
    expect(exchange).toMatchObject({ durationMs: 10_000, failure: { kind: 'timeout' } });
    expect(exchange.response).toBeUndefined();
    expect(tape.exchanges).toHaveLength(1);
  });

  test('keeps what came before a body stalls', async () => {
    const { wire } = setUp((clock) => answering(() => pieces(clock, 'half', 20_000, 'rest')));
    const exchange = await wire.exchange(get, { ...sending, limits: { timeoutMs: 500 } });
    expect(exchange).toMatchObject({ durationMs: 500, failure: { kind: 'timeout' }, response: { status: 200 } });
    expect(bodyText(exchange.response?.body)).toBe('half');
  });

  test('keeps exactly the limit of a body that is longer, and a body of exactly the limit is whole', async () => {
    const { wire } = setUp((clock) => answering(() => pieces(clock, 'x'.repeat(600), 'y'.repeat(600))));
    const long = await wire.exchange(get, sending);
    expect(long.failure?.kind).toBe('too-large');
    expect(long.response?.body).toHaveLength(1000);
    const whole = await wire.exchange(get, { ...sending, limits: { maxBytes: 1200 } });
    expect(whole.failure).toBeUndefined();
    expect(whole.response?.body).toHaveLength(1200);
  });

  test('records what the carrier rejects or throws', async () => {
    const rejecting: Carrier = () => Promise.reject(new CarrierFailure('refused', 'nobody there'));
    const throwing: Carrier = () => {
      throw new TypeError('crash');
    };
    expect((await setUp(() => rejecting).wire.exchange(get, sending)).failure).toEqual({
      kind: 'refused',
      detail: 'nobody there',
    });
    expect((await setUp(() => throwing).wire.exchange(get, sending)).failure?.kind).toBe('reset');
  });

  test('a body that fails ends in its failure', async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield text('{"a"');
      throw new CarrierFailure('reset', 'gone');
    }
    const exchange = await setUp(() => answering(broken)).wire.exchange(get, sending);
    expect(exchange.failure).toEqual({ kind: 'reset', detail: 'gone' });
    expect(bodyText(exchange.response?.body)).toBe('{"a"');
  });

  test('a drip of single bytes costs a bounded number of chunks', async () => {
    async function* drip(): AsyncGenerator<Uint8Array> {
      for (let index = 0; index < 30_000; index++) yield new Uint8Array([index & 0x7f]);
    }
    const { wire } = setUp(() => answering(drip));
    const exchange = await wire.exchange(get, { ...sending, limits: { maxBytes: 1_000_000 } });
    expect(exchange.response?.body).toHaveLength(30_000);
    expect(exchange.response?.chunks.length).toBeLessThanOrEqual(10_000);
    expect(Buffer.concat(exchange.response?.chunks.map(({ bytes }) => bytes) ?? [])).toEqual(
      Buffer.from(exchange.response?.body ?? []),
    );
  });

  test('ids follow the order of sending, the tape the order of ending', async () => {
    const { wire, tape } = setUp(
      (clock) => (request) =>
        answering(() => pieces(clock, Number(new URL(request.url).pathname.slice(1))))(
          request,
          new AbortController().signal,
        ),
    );
    const both = await Promise.all([
      wire.exchange({ ...get, url: 'http://agent.test/90' }, sending),
      wire.exchange({ ...get, url: 'http://agent.test/10' }, sending),
    ]);
    expect(both.map(({ id }) => id)).toEqual(['x1', 'x2']);
    expect(tape.exchanges.map(({ id }) => id)).toEqual(['x2', 'x1']);
  });
});

test.each([0, 10])('what is begun together goes out in that order, streams and others, %i ms apart', async (pace) => {
  const sent: string[] = [];
  const carrier: Carrier = ({ url }) => {
    sent.push(url);
    return Promise.reject(new CarrierFailure('refused', 'nobody there'));
  };
  const { wire } = setUp(() => carrier, { pace });
  const item = (url: string) => ({ ...get, url });
  await Promise.all([
    wire.open(item('first'), sending),
    wire.exchange(item('second'), sending),
    wire.open(item('third'), sending),
    wire.exchange(item('fourth'), sending),
  ]);
  expect(sent).toEqual(['first', 'second', 'third', 'fourth']);
});

describe('run', () => {
  test('past the budget nothing is sent or recorded', async () => {
    let sent = 0;
    const { wire, tape } = setUp(
      (clock) => (request, signal) => {
        sent++;
        return answering(() => pieces(clock, 'ok'))(request, signal);
      },
      { requestBudget: 2 },
    );
    const all = await Promise.all([1, 2, 3].map(() => wire.exchange(get, sending)));
    const opened = await wire.open(get, sending);
    expect(all.map(({ failure }) => failure?.kind)).toEqual([undefined, undefined, 'budget']);
    expect(opened.head).toBeUndefined();
    expect((await opened.ended).failure?.kind).toBe('budget');
    expect(sent).toBe(2);
    expect(tape.exchanges).toHaveLength(2);
  });

  test('its end aborts what is under way and what comes later', async () => {
    const run = new AbortController();
    const { wire, tape, clock } = setUp(() => silent, { signal: run.signal });
    clock.after(30, () => run.abort());
    const exchange = await wire.exchange(get, sending);
    expect(exchange).toMatchObject({ durationMs: 30, failure: { kind: 'aborted' } });
    expect((await wire.exchange(get, sending)).failure?.kind).toBe('aborted');
    expect(tape.exchanges).toHaveLength(1);
  });

  test('a pace spreads the sendings', async () => {
    const { wire } = setUp((clock) => answering(() => pieces(clock, 'ok')), { pace: 100 });
    const all = await Promise.all([1, 2, 3].map(() => wire.exchange(get, sending)));
    const [first] = all;
    expect(all.map(({ startedAt }) => startedAt - (first?.startedAt ?? 0))).toEqual([0, 100, 200]);
    expect(all.map(({ durationMs }) => durationMs)).toEqual([0, 0, 0]);
  });
});

describe('open', () => {
  test('gives chunks as they come and records them at the end', async () => {
    const { wire, tape } = setUp((clock) => answering(() => pieces(clock, 'a', 50, 'b')));
    const stream = await wire.open(get, sending);
    expect(stream.head?.status).toBe(200);
    expect(tape.exchanges).toHaveLength(0);
    const seen: (string | number)[] = [];
    for await (const { atMs, bytes } of stream.chunks) seen.push(atMs, bodyText(bytes));
    expect(seen).toEqual([0, 'a', 50, 'b']);
    expect(bodyText((await stream.ended).response?.body)).toBe('ab');
    expect(tape.exchanges).toHaveLength(1);
  });

  test('without a head the exchange has no chunks', async () => {
    const { wire } = setUp(() => () => Promise.reject(new CarrierFailure('dns', 'no such host')));
    const stream = await wire.open(get, sending);
    expect(stream.head).toBeUndefined();
    for await (const _ of stream.chunks) expect.unreachable();
    expect((await stream.ended).failure?.kind).toBe('dns');
  });

  test('the time limit bounds the whole stream', async () => {
    async function* endless(clock: Clock): AsyncGenerator<Uint8Array> {
      for (;;) {
        yield text(':\n');
        await sleep(clock, 400);
      }
    }
    const { wire } = setUp((clock) => answering(() => endless(clock)));
    const stream = await wire.open(get, { ...sending, limits: { timeoutMs: 1000 } });
    let count = 0;
    for await (const _ of stream.chunks) count++;
    expect(count).toBe(3);
    expect(await stream.ended).toMatchObject({ durationMs: 1000, failure: { kind: 'timeout' } });
  });

  test('reads no further than a bound ahead of its consumer', async () => {
    let produced = 0;
    async function* flood(): AsyncGenerator<Uint8Array> {
      for (;;) {
        produced++;
        yield new Uint8Array(64 * 1024);
      }
    }
    const { wire } = setUp(() => answering(flood));
    const stream = await wire.open(get, { ...sending, limits: { maxBytes: 2 ** 30 } });
    const ended = await stream.ended;
    expect(ended.failure).toMatchObject({ kind: 'aborted', detail: expect.stringContaining('did not read') });
    expect(produced).toBeLessThanOrEqual(17);
  });

  test('a consumer that reads on gets all of it, whatever waits in between', async () => {
    async function* blocks(): AsyncGenerator<Uint8Array> {
      for (let index = 0; index < 100; index++) yield new Uint8Array(64 * 1024);
    }
    const { wire } = setUp(() => answering(blocks));
    const stream = await wire.open(get, { ...sending, limits: { maxBytes: 2 ** 30 } });
    let length = 0;
    for await (const { bytes } of stream.chunks) length += bytes.length;
    expect(length).toBe(6_553_600);
    expect((await stream.ended).failure).toBeUndefined();
  });

  test.each(['close', 'leaving the loop'])('%s drops the connection', async (way) => {
    let signal: StopSignal | undefined;
    const { wire } = setUp((clock) => (request, given) => {
      signal = given;
      return answering(() => pieces(clock, 'a', 1_000_000))(request, given);
    });
    const stream = await wire.open(get, sending);
    for await (const _ of stream.chunks) {
      if (way === 'close') stream.close();
      else break;
    }
    expect(await stream.ended).toMatchObject({
      durationMs: 0,
      failure: { kind: 'aborted' },
      response: { status: 200 },
    });
    expect(signal?.aborted).toBe(true);
  });
});

describe('content-encoding', () => {
  const plain = text('{"hello":"world"}');
  const encoded = (coding: string, body: Uint8Array, maxBytes = 1000) =>
    setUp(
      (clock) => answering(() => pieces(clock, body.subarray(0, 5), body.subarray(5)), [['Content-Encoding', coding]]),
      {
        limits: { timeoutMs: 100, maxBytes },
      },
    ).wire.exchange(get, sending);

  test.each([
    ['gzip', gzipSync(plain)],
    ['X-GZIP', gzipSync(plain)],
    ['deflate', deflateSync(plain)],
    ['deflate', deflateRawSync(plain)],
    ['br', brotliCompressSync(plain)],
    ['identity', plain],
    ['gzip, br', brotliCompressSync(gzipSync(plain))],
    ['gzip', Buffer.concat([gzipSync(plain), Buffer.alloc(9)])],
  ])('undoes %s, with virtual time standing still meanwhile', async (coding, body) => {
    const exchange = await encoded(coding, body);
    expect(exchange.failure).toBeUndefined();
    expect(bodyText(exchange.response?.body)).toBe('{"hello":"world"}');
    expect(exchange.durationMs).toBe(0);
  });

  test('keeps the bytes of an unknown coding', async () => {
    const body = gzipSync(plain);
    for (const coding of ['zstd', 'gzip, zstd', 'constructor', 'gzip, gzip, gzip, gzip'])
      expect(Buffer.from((await encoded(coding, body)).response?.body ?? [])).toEqual(body);
  });

  test('corrupt or cut data is malformed', async () => {
    expect((await encoded('gzip', text('this is no gzip at all'))).failure?.kind).toBe('malformed');
    expect((await encoded('gzip', gzipSync(plain).subarray(0, 20))).failure?.kind).toBe('malformed');
    expect((await encoded('br', text('\u0000this is no brotli'))).failure?.kind).toBe('malformed');
  });

  test('compressed bytes that yield nothing are counted too', async () => {
    const empty = gzipSync('');
    const exchange = await encoded('gzip', Buffer.concat(Array.from({ length: 200 }, () => empty)));
    expect(exchange.failure?.kind).toBe('too-large');
  });

  test('an empty body is not a corrupt one', async () => {
    expect((await encoded('gzip', new Uint8Array(0))).failure).toBeUndefined();
  });

  test.each([
    ['gzip', gzipSync(new Uint8Array(200_000_000))],
    ['br', brotliCompressSync(new Uint8Array(50_000_000))],
    ['gzip, gzip', gzipSync(gzipSync(new Uint8Array(200_000_000)))],
  ])('a bomb in %s ends at the limit', async (coding, bomb) => {
    const before = process.memoryUsage().rss;
    const exchange = await encoded(coding, bomb, 1_000_000);
    expect(exchange.failure?.kind).toBe('too-large');
    expect(exchange.response?.body).toHaveLength(16 * 1024);
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024);
  });
});
