import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadGrpc } from '../src/binding/index.js';
import { type Client, createClient } from '../src/client/index.js';
import { type Dialect, dialects } from '../src/dialect/index.js';
import { createHttpCarrier } from '../src/wire/http.js';
import { createTape, createWire, realClock, type Tape } from '../src/wire/index.js';
import type { Peer } from './peers/express-server.js';
import { startSdkGrpcAgent } from './peers/sdk-0.3-agent.js';
import { startSdk1GrpcAgent } from './peers/sdk-1-agent.js';

// The client of the kit over gRPC, against servers that are not ours: @a2a-js/sdk on @grpc/grpc-js.

const agents = [
  ['a2a-1.0-grpc', startSdk1GrpcAgent],
  ['a2a-0.3-grpc', startSdkGrpcAgent],
] as const;

describe.for(agents)('%s', ([id, start]) => {
  const dialect = dialects.find((dialect) => dialect.id === id) as Dialect;
  let peer: Peer;
  let client: Client;
  let tape: Tape;
  const carrier = createHttpCarrier();
  beforeAll(async () => {
    await loadGrpc();
    peer = await start();
    tape = createTape();
    let ids = 0;
    client = createClient({
      wire: createWire({ carrier, clock: realClock, tape, limits: { timeoutMs: 5000, maxBytes: 1_000_000 } }),
      clock: realClock,
      dialect,
      endpoint: peer.url.replace('grpc:', 'http:'),
      credentials: [],
      readOnly: false,
      limitPatienceMs: 0,
      uuid: () => `00000000-0000-4000-8000-${String(++ids).padStart(12, '0')}`,
    });
  });
  afterAll(async () => {
    await carrier.close();
    await peer?.close();
  });

  let messages = 0;
  const message = (text: string) => ({
    messageId: `m${++messages}`,
    role: 'user' as const,
    parts: [{ kind: 'text' as const, text }],
  });
  const sent = async (text: string, blocking = true) => {
    const outcome = await client.call('send', { message: message(text), configuration: { blocking } });
    if (outcome.kind !== 'result' || outcome.value.type !== 'task') throw new Error(JSON.stringify(outcome, null, 1));
    return outcome.value.task;
  };

  test('sends a message and reads its task', async () => {
    const task = await sent('héllo \u{1f600}');
    expect(task.status.state).toBe('completed');
    const read = await client.call('get', { id: task.id });
    if (read.kind !== 'result') throw new Error(JSON.stringify(read));
    expect(read.value).toMatchObject({ id: task.id, status: { state: 'completed' } });
    expect(JSON.stringify(read.value.artifacts)).toContain('héllo \u{1f600}');
    const none = await client.call('get', { id: task.id, historyLength: 1 });
    expect(none.kind === 'result' && (none.value.history ?? []).length).toBeLessThanOrEqual(1);
  });

  test('an unknown task is TaskNotFound, a finished one cannot be canceled', async () => {
    expect(await client.call('get', { id: 'nope' })).toMatchObject({ kind: 'refusal', error: 'TaskNotFound', code: 5 });
    const task = await sent('hello');
    const refused = await client.call('cancel', { id: task.id });
    expect(refused).toMatchObject({ kind: 'refusal', code: 9 });
    expect(refused.kind === 'refusal' && (refused.error ?? refused.fits?.[0])).toBe('TaskNotCancelable');
  });

  test('cancels a task at work', async () => {
    const task = await sent('work for a long time', false);
    expect(await client.call('cancel', { id: task.id })).toMatchObject({
      kind: 'result',
      value: { status: { state: 'canceled' } },
    });
  });

  test('hears a stream to its end', async () => {
    const opened = await client.open('stream', { message: message('hello') });
    if (opened.kind !== 'stream') throw new Error(JSON.stringify(opened));
    const items = await opened.collect();
    expect(items.length).toBeGreaterThan(2);
    expect(items.every(({ event, isError }) => event !== undefined && !isError)).toBe(true);
    const last = items.at(-1)?.event;
    expect(last).toMatchObject({ type: 'status', status: { state: 'completed' } });
    const { response, failure } = await opened.ended;
    expect(failure).toBeUndefined();
    expect(response?.trailers).toContainEqual(['grpc-status', '0']);
  });

  test('a refused stream is a refusal', async () => {
    const opened = await client.open('subscribe', { id: 'nope' });
    expect(opened).toMatchObject({ kind: 'refusal', error: 'TaskNotFound' });
  });

  test('drops a stream without ending the task', async () => {
    const task = await sent('work for a long time', false);
    const opened = await client.open('subscribe', { id: task.id });
    if (opened.kind !== 'stream') throw new Error(JSON.stringify(opened));
    expect(opened.seen).toHaveLength(1);
    opened.close();
    await opened.ended;
    const read = await client.call('get', { id: task.id });
    expect(read.kind === 'result' && read.value.status.state).not.toBe('canceled');
    await client.call('cancel', { id: task.id });
  });

  test('sets, reads, lists and deletes a config of push notifications', async () => {
    const { id } = await sent('hello');
    const config = { id: 'c1', url: 'http://127.0.0.1:9/hook', token: 'secret' };
    expect(await client.call('pushSet', { taskId: id, config })).toMatchObject({
      kind: 'result',
      value: { taskId: id, config: { id: 'c1', url: config.url } },
    });
    expect(await client.call('pushGet', { taskId: id, configId: 'c1' })).toMatchObject({
      kind: 'result',
      value: { taskId: id, config: { url: config.url } },
    });
    const listed = await client.call('pushList', { taskId: id });
    expect(listed.kind).toBe('result');
    expect(JSON.stringify(listed.kind === 'result' && listed.value)).toContain(config.url);
    expect(await client.call('pushDelete', { taskId: id, configId: 'c1' })).toMatchObject({ kind: 'result' });
  });

  test('params that no message can hold are not sent', async () => {
    const outcome = await client.call('get', { id: 7 as never });
    expect(outcome).toMatchObject({ kind: 'not-sent', reason: expect.stringContaining('gRPC cannot carry it') });
  });

  test('every exchange has its trailers on the tape', () => {
    const calls = tape.exchanges.filter(({ request }) => request.http2 === true);
    expect(calls.length).toBeGreaterThan(10);
    const ended = calls.filter(({ failure }) => failure === undefined);
    expect(
      ended.every(({ response }) =>
        [...(response?.trailers ?? []), ...(response?.headers ?? [])].some(([name]) => name === 'grpc-status'),
      ),
    ).toBe(true);
  });
});
