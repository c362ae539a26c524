import { afterEach, describe, expect, test } from 'vitest';
import { createHttpCarrier } from '../carriers/http-carrier.js';
import { type Clock, realClock, virtualClock } from '../clock.js';
import { bodyText, type Carrier } from '../exchange/exchange.js';
import { createTape } from '../exchange/tape.js';
import { createReceiver, memoryWebhooks, type OpenWebhooks, type Receiver, webhookBodyLimit } from './webhook.js';
import { webhookServer } from './webhook-server.js';

const open: Receiver[] = [];
const carrier = createHttpCarrier();
afterEach(async () => {
  for (const receiver of open.splice(0)) await receiver.close();
});

async function make(opens: OpenWebhooks, clock: Clock) {
  const tape = createTape();
  const receiver = await createReceiver({ open: opens, clock, tape, key: 'k3y' });
  open.push(receiver);
  return { receiver, tape };
}
const inMemory = async () => {
  const { open: opens, carrier: way } = memoryWebhooks('http://127.0.0.1:9999');
  return { ...(await make(opens, virtualClock())), way };
};
const onSocket = async (publicUrl?: string) => ({
  ...(await make(
    webhookServer({ host: '127.0.0.1', port: 0, ...(publicUrl === undefined ? {} : { publicUrl }) }),
    realClock,
  )),
  way: carrier as Carrier,
});

async function call(way: Carrier, url: string, body?: string | Uint8Array, method = 'POST') {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const answer = await way(
    { method, url, headers: [['content-type', 'application/json']], ...(bytes === undefined ? {} : { body: bytes }) },
    new AbortController().signal,
  );
  const chunks: Uint8Array[] = [];
  for await (const chunk of answer.body) chunks.push(chunk);
  return { status: answer.status, headers: answer.headers, text: Buffer.concat(chunks).toString() };
}

describe.each([
  ['in memory', inMemory],
  ['on a socket', onSocket],
])('%s', (_, begin) => {
  test('a call that is left hanging says when it was given up', async () => {
    const { receiver, way } = await begin();
    receiver.answer('h', 'hang');
    const patience = new AbortController();
    const request = { method: 'POST', url: receiver.url('h'), headers: [], body: new Uint8Array([123, 125]) };
    const gone = way(request, patience.signal).then(
      () => undefined,
      () => undefined,
    );
    const call = await receiver.next('h', 5000);
    expect(call?.givenUpAt).toBeUndefined();
    patience.abort();
    await gone;
    await expect.poll(() => call?.givenUpAt).toBeTypeOf('number');
  });

  test('a call that hangs is answered when another answer is set, and was not given up', async () => {
    const { receiver, way } = await begin();
    receiver.answer('h', 'hang');
    const hanging = call(way, receiver.url('h'), '{}');
    const seen = await receiver.next('h', 5000);
    receiver.answer('other', { status: 204 });
    receiver.answer('h', { status: 202 });
    await seen?.over;
    expect((await hanging).status).toBe(202);
    expect((await call(way, receiver.url('h'), '{}')).status).toBe(202);
    expect(seen?.givenUpAt).toBeUndefined();
  });

  test('a call is given out once, and is on the tape', async () => {
    const { receiver, tape, way } = await begin();
    const waiting = receiver.next('a', 5000);
    expect((await call(way, receiver.url('a'), '{"n":1}')).status).toBe(200);
    await call(way, receiver.url('a'), '{"n":2}');
    await call(way, receiver.url('b'), '{"n":3}');
    expect(bodyText((await waiting)?.request.body)).toBe('{"n":1}');
    expect(bodyText((await receiver.next('a', 5000))?.request.body)).toBe('{"n":2}');
    expect(await receiver.next('a', 10)).toBeUndefined();
    expect(receiver.received('a')).toHaveLength(2);
    expect(receiver.received()).toHaveLength(3);
    expect(tape.exchanges).toHaveLength(3);
    expect(tape.exchanges[0]).toMatchObject({ purpose: 'webhook', toWebhook: true, response: { status: 200 } });
  });

  test('what knows not the key is refused and forgotten', async () => {
    const { receiver, tape, way } = await begin();
    const elsewhere = receiver.url('a').replace('k3y', 'other');
    expect((await call(way, elsewhere, '{}')).status).toBe(404);
    expect([receiver.received(), tape.exchanges]).toEqual([[], []]);
  });

  test('answers are as they were set, but for who only asks', async () => {
    const { receiver, way } = await begin();
    receiver.answer('a', { status: 307, headers: [['location', 'http://localhost/']] });
    const moved = await call(way, receiver.url('a'), '{}');
    expect(moved.status).toBe(307);
    expect(moved.headers.find(([name]) => name.toLowerCase() === 'location')?.[1]).toBe('http://localhost/');
    const asked = await call(way, `${receiver.url('a')}?validationToken=t%201`, undefined, 'GET');
    expect(asked).toMatchObject({ status: 200, text: 't 1' });
  });

  test('a hanging webhook ends when the receiver does', async () => {
    const { receiver, way } = await begin();
    receiver.answer('a', 'hang');
    const hanging = call(way, receiver.url('a'), '{}').then(
      () => 'ended',
      () => 'ended',
    );
    expect((await receiver.next('a', 5000))?.exchange.failure?.kind).toBe('aborted');
    const idle = receiver.next('b', 60_000);
    await receiver.close();
    expect(await hanging).toBe('ended');
    expect(await idle).toBeUndefined();
  });

  test('a body that is too large is cut', async () => {
    const { receiver, way } = await begin();
    const answer = await call(way, receiver.url('a'), new Uint8Array(webhookBodyLimit + 10)).catch(() => undefined);
    const [notification] = receiver.received('a');
    expect(notification?.request.body).toHaveLength(webhookBodyLimit);
    expect(notification?.exchange.request.cut).toBe(true);
    if (answer !== undefined) expect(answer.status).toBe(413);
  });

  test('the memory of a run is bounded', async () => {
    const { receiver, way } = await begin();
    for (let times = 0; times < 20; times++) await call(way, receiver.url('a'), new Uint8Array(webhookBodyLimit));
    expect((await call(way, receiver.url('a'), '{}')).status).toBe(429);
    expect(receiver.received().length).toBeLessThan(20);
  });
});

test('the loopback name that was not given, and none for an agent elsewhere', async () => {
  const here = (await onSocket()).receiver;
  expect(here.assured).toBe(false);
  expect(here.aside('x')).toBe(here.url('x').replace('127.0.0.1', 'localhost'));
  const there = (await onSocket('https://hooks.example/base/')).receiver;
  expect(there.assured).toBe(true);
  expect(there.url('x')).toBe('https://hooks.example/base/k3y/x');
  expect(there.aside('x')).toBeUndefined();
  for (const name of ['agent.localhost', '127.9.9.9', '[::ffff:127.0.0.1]']) {
    const named = (await onSocket(`http://${name}:8080/base`)).receiver;
    expect(named.aside('x')).toBe('http://localhost:8080/base/k3y/x');
  }
});

test('a port that is taken rejects', async () => {
  const { receiver } = await onSocket();
  const port = Number(new URL(receiver.url('')).port);
  await expect(make(webhookServer({ host: '127.0.0.1', port }), realClock)).rejects.toThrow('EADDRINUSE');
});
