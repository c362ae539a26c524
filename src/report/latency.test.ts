import { expect, it } from 'vitest';
import type { Call, Exchange } from '../wire/index.js';
import { createStopwatch, type Latency, mergedLatency, slowerRows } from './latency.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

interface Made {
  readonly call?: Call;
  readonly ms?: number;
  readonly status?: number;
  readonly types?: readonly [sent: string, came: string];
  readonly trailers?: readonly (readonly [string, string])[];
  readonly chunks?: readonly (readonly [atMs: number, text: string])[];
  readonly more?: Partial<Exchange>;
}

const rpc: Call = { operation: 'send', rpcId: 1, valid: true };

function exchangeWith({ call = rpc, ms = 10, status = 200, types, trailers, chunks = [], more }: Made): Exchange {
  const [sent, came] = types ?? ['application/json', 'application/json'];
  return {
    id: 'x1',
    purpose: 'test',
    request: { method: 'POST', url: 'http://agent.example/', headers: [['Content-Type', sent]] },
    response: {
      status,
      headers: [['Content-Type', came]],
      body: bytes(''),
      chunks: chunks.map(([atMs, text]) => ({ atMs, bytes: bytes(text) })),
      ...(trailers === undefined ? {} : { trailers }),
    },
    startedAt: 0,
    durationMs: ms,
    call,
    ...more,
  };
}

function measured(...list: readonly Made[]): Latency {
  const stopwatch = createStopwatch();
  for (const item of list) stopwatch.add(exchangeWith(item));
  return stopwatch.read();
}

it('ranks the times of an operation', () => {
  const list = Array.from({ length: 20 }, (_, at) => ({ ms: 20 - at + 0.04 }));
  const [row] = measured(...list).rows;
  expect(row).toEqual({ operation: 'send', binding: 'jsonrpc', count: 20, p50: 10, p95: 19, max: 20 });
});

it('keeps bindings and operations apart', () => {
  const get: Call = { operation: 'get', valid: true };
  const { rows } = measured({}, { call: get }, { call: get, types: ['application/grpc', 'application/grpc'] });
  expect(rows.map(({ operation, binding }) => [operation, binding])).toEqual([
    ['get', 'grpc'],
    ['get', 'http+json'],
    ['send', 'jsonrpc'],
  ]);
});

it('leaves out what is broken on purpose, is not answered, or is refused for want of time', () => {
  const { response: _, ...unanswered } = exchangeWith({});
  const stopwatch = createStopwatch();
  stopwatch.add(unanswered);
  for (const item of [
    { call: { ...rpc, valid: false } },
    { status: 429 },
    { status: 503 },
    { trailers: [['grpc-status', '14']] as const },
    { more: { failure: { kind: 'timeout', detail: '' } } as const },
  ])
    stopwatch.add(exchangeWith(item));
  stopwatch.add(exchangeWith({ more: { toWebhook: true } }));
  expect(stopwatch.read()).toEqual({ rows: [], left: 6 });
});

it('times the first event of a stream, which no comment is, also of one that the kit leaves', () => {
  const call: Call = { operation: 'stream', rpcId: 1, valid: true };
  const types = ['application/json', 'text/event-stream; charset=utf-8'] as const;
  const left = { failure: { kind: 'aborted', detail: '' } } as const;
  const { rows } = measured(
    {
      call,
      types,
      ms: 90,
      chunks: [
        [1, ': ready\n\nda'],
        [7, 'ta: {}\n\n'],
        [80, 'data: {}\n\n'],
      ],
    },
    { call, types, ms: 50, chunks: [[3, 'data: {}\n\n']], more: left },
    { call, ms: 2, chunks: [[2, '{"error":{}}']] },
    {
      call,
      types,
      ms: 40,
      chunks: [
        [1, `:${'x'.repeat(20_000)}\n`],
        [2, 'data: {}\n\n'],
      ],
    },
  );
  expect(rows).toEqual([
    {
      operation: 'stream',
      binding: 'jsonrpc',
      count: 3,
      p50: 40,
      p95: 90,
      max: 90,
      first: { count: 2, p50: 3, p95: 7, max: 7 },
    },
  ]);
});

const of = (p50: number, p95: number, count = 9): Latency => ({
  rows: [{ operation: 'send', binding: 'jsonrpc', count, p50, p95, max: p95 }],
  left: 1,
});

it('gives the highest of the parts of a run', () => {
  expect(mergedLatency([])).toBeUndefined();
  expect(mergedLatency([of(10, 30), of(20, 25)])).toEqual({
    rows: [{ operation: 'send', binding: 'jsonrpc', count: 18, p50: 20, p95: 30, max: 30 }],
    left: 2,
  });
});

it('names what became slower, and not what took a little longer or was seldom seen', () => {
  expect(slowerRows(of(10, 30), of(100, 120))).toMatchObject([{ operation: 'send', of: 'answer' }]);
  expect(slowerRows(of(10, 100), of(10, 150))).toHaveLength(1);
  expect(slowerRows(of(1, 3), of(10, 20))).toEqual([]);
  expect(slowerRows(of(100, 100), of(130, 140))).toEqual([]);
  expect(slowerRows(of(10, 30, 4), of(100, 120))).toEqual([]);
  expect(slowerRows(undefined, of(100, 120))).toEqual([]);
});
