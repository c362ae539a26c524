import { expect, test } from 'vitest';
import { type Carrier, CarrierFailure, virtualClock, type WireResponse } from '../wire/index.js';
import { untilReady } from './readiness.js';

const url = 'http://agent.test';
const card = JSON.stringify({ name: 'Late', skills: [], capabilities: {} });

async function* once(text: string) {
  yield new TextEncoder().encode(text);
}
const answer = (status: number, text: string): WireResponse => ({
  status,
  headers: [['content-type', 'application/json']],
  body: once(text),
});
const refusal = new CarrierFailure('refused', 'connect ECONNREFUSED');

/** Waits for an agent that answers as `reply` says at a time, ms; `tried`: when it was asked. */
async function waitFor(reply: (ms: number, path: string) => WireResponse, waitMs: number, at = url) {
  const clock = virtualClock();
  const begun = clock.now();
  const tried = new Set<number>();
  const carrier: Carrier = async (request) => {
    tried.add(clock.now() - begun);
    return reply(clock.now() - begun, new URL(request.url).pathname);
  };
  const end = await untilReady({ url: at, waitMs, carrier, clock }).then(
    () => 'ready',
    (error: Error & { readonly code?: string }) => `${error.code}: ${error.message}`,
  );
  return { end, tried: [...tried], took: clock.now() - begun };
}
const refused = (): never => {
  throw refusal;
};

test('an agent that is there is not waited for', async () => {
  expect(await waitFor(() => answer(200, card), 60_000)).toEqual({ end: 'ready', tried: [0], took: 0 });
});

test('an agent that starts is asked again, after pauses that double up to a second', async () => {
  const { end, tried } = await waitFor((ms) => (ms < 3000 ? refused() : answer(200, card)), 60_000);
  expect(end).toBe('ready');
  expect(tried).toEqual([0, 50, 150, 350, 750, 1550, 2550, 3550]);
});

test('a gateway that answers before its agent does is not an agent yet', async () => {
  const { end, took } = await waitFor(
    (ms) => (ms < 2000 ? answer(ms < 1000 ? 502 : 404, '') : answer(200, card)),
    60_000,
  );
  expect(end).toBe('ready');
  expect(took).toBe(2550);
});

test.for<[string, (ms: number) => WireResponse, string]>([
  [
    'refuses',
    refused,
    'unreachable: no card within 5 s (--wait): http://agent.test cannot be reached: refused (connect ECONNREFUSED)',
  ],
  [
    'has no card',
    () => answer(404, ''),
    'unreachable: no card within 5 s (--wait): http://agent.test serves no card: GET http://agent.test/: HTTP 404, no card',
  ],
])('when the time is over, the error says what stood in the way: the agent %s', async ([, reply, expected]) => {
  const { end, took } = await waitFor(reply, 5000);
  expect(end).toBe(expected);
  expect(took).toBeLessThanOrEqual(5000);
});

test('what waiting does not change is left to the run: credentials are missing', async () => {
  expect(await waitFor(() => answer(401, ''), 60_000)).toEqual({ end: 'ready', tried: [0], took: 0 });
});

test('an address of gRPC is ready when its port is open', async () => {
  const { end, took } = await waitFor(
    (ms) => (ms < 1000 ? refused() : answer(404, '')),
    60_000,
    'grpc://agent.test:50051',
  );
  expect([end, took]).toEqual(['ready', 1550]);
});
