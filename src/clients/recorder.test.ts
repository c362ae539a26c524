import { expect, test } from 'vitest';
import { type Carrier, exchangeIds, type WireRequest, type WireResponse } from '../wire/index.js';
import { createRecorder, roomFor } from './recorder.js';

const kib = 1024;
const signal = new AbortController().signal;
const post = (body: Uint8Array): WireRequest => ({ method: 'POST', url: 'http://127.0.0.1:1/', headers: [], body });
const carrierOf =
  (answer: number): Carrier =>
  async () => ({
    status: 200,
    headers: [],
    body: (async function* () {
      yield new Uint8Array(answer);
    })(),
  });

async function statusOf(answer: Promise<WireResponse>): Promise<number> {
  const { status, body } = await answer;
  for await (const _ of body);
  return status;
}
const recording = (room = roomFor(64 << 20), answer = 10) => {
  const recorder = createRecorder(exchangeIds(), () => 0, room);
  return { recorder, server: recorder.over('agent', carrierOf(answer)) };
};
const held = (recorder: ReturnType<typeof recording>['recorder']): number =>
  recorder
    .recorded()
    .reduce(
      (sum, { exchange: { request, response } }) => sum + (request.body?.length ?? 0) + (response?.body.length ?? 0),
      0,
    );

test('beyond 4 MiB of a scenario requests are refused and forgotten, and the run says so', async () => {
  const { recorder, server } = recording();
  const statuses: number[] = [];
  for (let count = 0; count < 400; count++)
    statuses.push(await statusOf(server(post(new Uint8Array(900_000)), signal)));
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
  expect(held(recorder)).toBeLessThan((4 << 20) + 900_000);
  const kept = statuses.filter((status) => status === 200).length;
  expect(recorder.leftOut()?.why).toContain(`${400 - kept} requests were refused with HTTP 429`);
  expect(recorder.leftOut()?.refused).toBe(true);
});

test('the scenarios of a run have a bound together', async () => {
  const room = roomFor(2 << 20);
  const scenarios = Array.from({ length: 40 }, () => recording(room));
  for (const { server } of scenarios) await statusOf(server(post(new Uint8Array(500_000)), signal));
  const all = scenarios.reduce((sum, { recorder }) => sum + held(recorder), 0);
  expect(all).toBeLessThan((2 << 20) + 500_000);
  expect(scenarios[0]?.recorder.leftOut()).toBeUndefined();
  expect(scenarios.at(-1)?.recorder.leftOut()?.refused).toBe(true);
});

test('what takes much more when it is parsed counts so', async () => {
  const { server } = recording();
  const list = new TextEncoder().encode(`[${'[],'.repeat(300_000)}[]]`);
  expect(await statusOf(server(post(list), signal))).toBe(200);
  expect(await statusOf(server(post(list), signal))).toBe(429);
});

test('requests beyond 400 are answered, and it is said that they are not kept', async () => {
  const { recorder, server } = recording();
  for (let count = 0; count < 450; count++) expect(await statusOf(server(post(new Uint8Array(10)), signal))).toBe(200);
  expect(recorder.recorded()).toHaveLength(400);
  expect(recorder.leftOut()).toMatchObject({ refused: false });
  expect(recorder.leftOut()?.why).toContain('50 requests are not kept');
});

test('a message of 1 MiB is kept whole, a longer one is cut, and it is said', async () => {
  const { recorder, server } = recording();
  await statusOf(server(post(new Uint8Array(1 << 20)), signal));
  expect(recorder.leftOut()).toBeUndefined();
  await statusOf(server(post(new Uint8Array((1 << 20) + 1)), signal));
  expect(recorder.recorded().map(({ exchange }) => exchange.request.cut === true)).toEqual([false, true]);
  expect(recorder.leftOut()?.why).toContain('1 requests or answers are cut');
});

test('of a long answer the beginning is kept, and its chunks are views of it', async () => {
  const { recorder, server } = recording(undefined, 700 * kib);
  await statusOf(server(post(new Uint8Array(10)), signal));
  const [{ exchange } = { exchange: undefined }] = recorder.recorded();
  expect(exchange?.response).toMatchObject({ cut: true });
  expect(exchange?.response?.body.length).toBe(128 * kib);
  expect(exchange?.response?.chunks[0]?.bytes.buffer).toBe(exchange?.response?.body.buffer);
  // The requests of the client are all there.
  expect(recorder.leftOut()).toBeUndefined();
});
