import { describe, expect, test } from 'vitest';
import { a2a03 } from '../dialect/a2a-0.3.js';
import { a2a10 } from '../dialect/a2a-1.0.js';
import { onArtifact, onEvent, onResult, onStatus, onTask, set } from './edits.js';
import type { Patch } from './seams.js';
import { type Answer, createTestClient, message03, message10, type TestClientOptions } from './test-client.js';
import { variants } from './variants/index.js';

const patchOf = (id: string): Patch => variants.find((variant) => variant.id === id)?.patch ?? expect.fail(id);
const streaming = patchOf('streaming');

interface Words {
  readonly stream: string;
  readonly subscribe: string;
  readonly send: string;
  readonly get: string;
  readonly cancel: string;
  message(text: string, more?: object): object;
  /** The kinds of the events of a stream. */
  kinds(events: readonly Answer['json'][]): readonly string[];
  taskOf(event: Answer['json']): Answer['json'];
  at(configuration: { readonly blocking: boolean }): object;
}
const in03: Words = {
  stream: 'message/stream',
  subscribe: 'tasks/resubscribe',
  send: 'message/send',
  get: 'tasks/get',
  cancel: 'tasks/cancel',
  message: message03,
  kinds: (events) => events.map(({ result }) => (result.kind === 'status-update' ? result.status.state : result.kind)),
  taskOf: ({ result }) => result,
  at: ({ blocking }) => ({ blocking }),
};
const in10: Words = {
  stream: 'SendStreamingMessage',
  subscribe: 'SubscribeToTask',
  send: 'SendMessage',
  get: 'GetTask',
  cancel: 'CancelTask',
  message: message10,
  kinds: (events) =>
    events.map(({ result }) => {
      const [name = ''] = Object.keys(result);
      const state: string = result.statusUpdate?.status.state ?? '';
      const kind = name === 'artifactUpdate' ? 'artifact-update' : name;
      return state === '' ? kind : state.replace('TASK_STATE_', '').toLowerCase().replace('_', '-');
    }),
  taskOf: ({ result }) => result.task ?? result,
  at: ({ blocking }) => ({ returnImmediately: !blocking }),
};

describe.each([
  ['0.3', a2a03, in03],
  ['1.0', a2a10, in10],
] as const)('in %s', (_, dialect, words) => {
  const meet = (patches: readonly Patch[] = [], options: TestClientOptions = {}) =>
    createTestClient({ dialect, patches: [streaming, ...patches], ...options });
  const say = (text: string, more: object = {}) => ({ message: words.message(text, more) });

  test('a stream starts with the task and ends with its end', async () => {
    const { listen, call, agent } = meet();
    const stream = await listen(words.stream, say('hello'));
    expect([stream.status, stream.headers[0]]).toEqual([200, ['content-type', 'text/event-stream']]);
    const events = await stream.rest();
    expect(words.kinds(events)).toEqual(['task', 'working', 'artifact-update', 'completed']);
    expect(events.map(({ jsonrpc, id }) => [jsonrpc, id])).toEqual(events.map(() => ['2.0', 'r1']));
    const { id, contextId } = words.taskOf(events[0]);
    for (const { result } of events.slice(1)) {
      expect(result.statusUpdate ?? result.artifactUpdate ?? result).toMatchObject({ taskId: id, contextId });
    }
    const finals = events.map(({ result }) => result.final);
    expect(finals).toEqual(dialect === a2a03 ? [undefined, false, undefined, true] : finals.map(() => undefined));
    expect((await call(words.get, { id })).result.status.state.toLowerCase()).toMatch(/completed$/);
    expect(agent.crashes).toEqual([]);
  });

  test('chunks make up the artifact that is kept', async () => {
    const { listen, call } = meet();
    const events = await (await listen(words.stream, say('tck-stream-chunked'))).rest();
    const updates = events.map(({ result }) => result.artifactUpdate ?? result).filter(({ artifact }) => artifact);
    expect(updates.map(({ append, lastChunk }) => [append, lastChunk])).toEqual([
      [false, false],
      [true, true],
    ]);
    const { artifacts } = (await call(words.get, { id: words.taskOf(events[0]).id })).result;
    expect(artifacts[0].parts).toEqual(updates.flatMap(({ artifact }) => artifact.parts));
    expect(new Set(updates.map(({ artifact }) => artifact.artifactId)).size).toBe(1);
  });

  test.each(['tck-input-required', 'tck-auth-required'])(
    '%s ends a stream, and the answer has one again',
    async (text) => {
      const { listen } = meet();
      const first = await (await listen(words.stream, say(text))).rest();
      expect(words.kinds(first)).toEqual(['task', 'working', text.replace('tck-', '')]);
      const { id } = words.taskOf(first[0]);
      const second = await (await listen(words.stream, say('blue', { taskId: id }))).rest();
      expect(words.kinds(second)).toEqual(['task', 'working', 'artifact-update', 'completed']);
      expect(words.taskOf(second[0]).id).toBe(id);
    },
  );

  test('a message is a stream of one event', async () => {
    const { listen } = meet();
    expect(words.kinds(await (await listen(words.stream, say('tck-message-response'))).rest())).toEqual(['message']);
  });

  test('all streams of a task see the same, however slow they read', async () => {
    const { listen, clock, wait } = meet();
    const first = await listen(words.stream, say('tck-long-running'));
    const start = await first.next();
    const { id } = words.taskOf(start);
    const slow = await listen(words.subscribe, { id });
    await wait(50_000);
    const late = clock.now();
    const [a, b] = [await first.rest(), await slow.rest()];
    expect(clock.now()).toBe(late);
    expect(words.kinds(b)).toEqual(['task', ...words.kinds(a)]);
    expect(b.slice(1).map(({ result }) => result)).toEqual(a.map(({ result }) => result));
    expect(b.map(({ id }) => id)).toEqual(b.map(() => 'r2'));
  });

  test('a client that goes takes no other client with it', async () => {
    const left: string[] = [];
    const { listen, call, wait } = meet([() => ({ abandoned: (taskId) => void left.push(taskId) })]);
    const first = await listen(words.stream, say('tck-long-running'));
    const { id } = words.taskOf(await first.next());
    const second = await listen(words.subscribe, { id });
    first.leave();
    expect(words.kinds(await second.rest()).at(-1)).toBe('completed');
    await wait(10);
    expect(left).toEqual([id]);
    expect((await call(words.get, { id })).result.status.state.toLowerCase()).toMatch(/completed$/);
  });

  test('a cancel ends the stream', async () => {
    const { listen, call } = meet();
    const stream = await listen(words.stream, say('work for a long time'));
    const { id } = words.taskOf(await stream.next());
    await stream.next();
    await call(words.cancel, { id });
    expect(words.kinds(await stream.rest())).toEqual(['canceled']);
  });

  test('a subscription to a waiting task goes on with it', async () => {
    const { listen, call } = meet();
    const { result } = await call(words.send, say('tck-input-required'));
    const { id } = result.task ?? result;
    const stream = await listen(words.subscribe, { id });
    await call(words.send, say('blue', { taskId: id }));
    expect(words.kinds(await stream.rest())).toEqual(['task', 'working', 'working', 'artifact-update', 'completed']);
  });

  test('refusals come before the stream, as JSON', async () => {
    const { call, listen } = meet();
    const unknown = '00000000-0000-4000-8000-000000000000';
    expect((await call(words.subscribe, { id: unknown })).error.code).toBe(-32001);
    expect((await call(words.subscribe, {})).error.code).toBe(-32602);
    expect((await call(words.stream, {})).error.code).toBe(-32602);
    expect((await call(words.stream, say('x', { taskId: unknown }))).error.code).toBe(-32001);
    const { result } = await call(words.send, say('hello'));
    const { id } = result.task ?? result;
    expect((await call(words.stream, say('x', { taskId: id }))).error.code).toBe(-32004);
    if (dialect === a2a10) expect((await call(words.subscribe, { id })).error.code).toBe(-32004);
    else expect(words.kinds(await (await listen(words.subscribe, { id })).rest())).toEqual(['task']);
  });

  test('an agent that stops ends its streams', async () => {
    const { listen, agent } = meet();
    const stream = await listen(words.stream, say('tck-cancel'));
    await stream.next();
    await stream.next();
    agent.stop();
    expect(await stream.rest()).toEqual([]);
  });

  test('seams: events, framing, audience, closing', async () => {
    const half = await meet([onEvent((event, _, index) => (index % 2 === 0 ? event : undefined))]).listen(
      words.stream,
      say('x'),
    );
    expect(words.kinds(await half.rest())).toEqual(['task', 'artifact-update']);
    const twice = await meet([onEvent((event) => [event, event])]).listen(words.stream, say('x'));
    expect(words.kinds(await twice.rest()).slice(0, 3)).toEqual(['task', 'task', 'working']);
    const broken = meet([() => ({ frame: (text) => `${String(text)}\n\n` })]);
    const { text } = await broken.http(
      'POST',
      '/',
      [['content-type', 'application/json'], ...dialect.headers],
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: words.stream, params: say('x') }),
    );
    expect(text).not.toContain('data:');
    const { listen, wait } = meet([() => ({ audience: (_, calls) => calls.slice(-1) })]);
    const first = await listen(words.stream, say('tck-long-running'));
    const second = await listen(words.subscribe, { id: words.taskOf(await first.next()).id });
    expect(words.kinds(await second.rest()).at(-1)).toBe('completed');
    let more = 0;
    void first.next().then(
      () => more++,
      () => undefined,
    );
    await wait(60_000);
    expect(more).toBe(0);
  });

  test('edits reach what is streamed', async () => {
    const noted = { note: 1 };
    const { listen } = meet([
      onTask((task) => ({ ...task, ...noted })),
      onStatus((status) => ({ ...status, ...noted })),
      onArtifact((artifact) => ({ ...artifact, ...noted })),
      onResult('stream', (wire) => set(wire, 'seen', true)),
    ]);
    for (const { result } of await (await listen(words.stream, say('x'))).rest()) {
      expect(result).toMatchObject({ seen: true });
      const inner = result.task ?? result.statusUpdate ?? result.artifactUpdate ?? result;
      if (inner.id !== undefined) expect(inner).toMatchObject(noted);
      if (inner.artifact !== undefined) expect(inner.artifact).toMatchObject(noted);
      if (inner.status !== undefined) expect(inner.status).toMatchObject(noted);
    }
  });

  test.each(['pretty-json', 'byte-by-byte', 'stream-with-comments', 'stream-of-messages', 'stream-refusals-as-events'])(
    'with %s',
    async (id) => {
      const { http, agent } = meet([patchOf(id)]);
      const body = JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: words.stream,
        params: id.includes('refusals') ? {} : say('x'),
      });
      const { text } = await http('POST', '/', [['content-type', 'application/json'], ...dialect.headers], body);
      expect(text).toMatch(/^data: /m);
      expect(agent.crashes).toEqual([]);
    },
  );
});
