import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { a2a03 } from '../dialect/a2a-0.3.js';
import { terminalBench } from '../dialect/terminal-bench.js';
import { isTerminal, type JsonObject, mayFollow, type TaskState } from '../model/index.js';
import { bodyText, CarrierFailure, type Header, virtualClock } from '../wire/index.js';
import { type AgentOptions, createAgent } from './agent.js';

const json: readonly Header[] = [['Content-Type', 'application/json']];

/** What the tests read of an answer; nothing here is checked by types. */
interface Answer {
  readonly status: number;
  readonly error: { readonly code: number };
  readonly result: {
    readonly id: string;
    readonly kind: string;
    readonly contextId: string;
    readonly status: { readonly state: TaskState };
    readonly history: readonly { readonly taskId: string; readonly parts: readonly { readonly text: string }[] }[];
  };
}

/** A client as dumb as can be: what is tested here is the agent. */
function meet(options: Partial<AgentOptions> = {}) {
  const clock = virtualClock();
  const agent = createAgent({ dialect: a2a03, clock, baseUrl: 'http://agent.test', ...options });
  const log: string[] = [];
  async function http(method: string, path: string, headers: readonly Header[], body?: string | Uint8Array) {
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
    const response = await agent.handle(
      { method, url: `http://agent.test${path}`, headers, ...(bytes === undefined ? {} : { body: bytes }) },
      new AbortController().signal,
    );
    const chunks: Uint8Array[] = [];
    for await (const chunk of response.body) chunks.push(chunk);
    const text = bodyText(Buffer.concat(chunks));
    log.push(text);
    return { status: response.status, headers: response.headers, text };
  }
  const post = async (body: unknown) => {
    const { text, status } = await http('POST', '/', json, typeof body === 'string' ? body : JSON.stringify(body));
    return { ...(JSON.parse(text) as Answer), status };
  };
  const call = (method: string, params?: unknown, id: unknown = 'r1') => post({ jsonrpc: '2.0', id, method, params });
  let count = 0;
  const message = (text: string, more: object = {}) => ({
    kind: 'message',
    messageId: `m-${++count}`,
    role: 'user',
    parts: [{ kind: 'text', text }],
    ...more,
  });
  const send = (text: string, more: object = {}, configuration?: object) =>
    call('message/send', { message: message(text, more), configuration });
  const get = (id: string, more: object = {}) => call('tasks/get', { id, ...more });
  const cancel = (id: string) => call('tasks/cancel', { id });
  return { agent, clock, http, post, call, message, send, get, cancel, log };
}

describe('the card', () => {
  test('is served at the first path of the dialect and nowhere else', async () => {
    const { http } = meet();
    const { status, headers, text } = await http('GET', '/.well-known/agent-card.json', []);
    expect(status).toBe(200);
    expect(headers).toEqual([
      ['content-type', 'application/json'],
      ['date', expect.stringMatching(/ GMT$/)],
    ]);
    expect(JSON.parse(text)).toMatchObject({
      name: 'Reference Agent',
      protocolVersion: '0.3.0',
      url: 'http://agent.test/',
      preferredTransport: 'JSONRPC',
      capabilities: { streaming: false, pushNotifications: false },
    });
    expect((await http('GET', '/.well-known/agent.json', [])).status).toBe(404);
    expect((await http('GET', '/', [])).status).toBe(405);
    expect((await http('DELETE', '/.well-known/agent-card.json', [])).status).toBe(405);
  });

  test('of a Terminal Bench agent looks like the one of the seed', async () => {
    const { http, call, message } = meet({ dialect: terminalBench });
    const card = JSON.parse((await http('GET', '/agent-card', [])).text) as JsonObject;
    expect(Object.keys(card).sort()).toEqual(
      ['capabilities', 'description', 'metadata', 'name', 'provider', 'skills', 'url', 'version'].sort(),
    );
    const { result } = await call('message.send', { message: message('hello') });
    expect(result).toMatchObject({ kind: 'task', status: { state: 'completed' }, createdAt: expect.any(String) });
    expect((await call('task.get', { taskId: result.id })).result.id).toBe(result.id);
    expect((await call('task.get', { id: result.id })).error.code).toBe(-32602);
    expect((await call('message/send', { message: message('hello') })).error.code).toBe(-32601);
  });
});

describe('refusals', () => {
  const { post, call, message, http, send, get, cancel } = meet();
  const anId = '5b0b3a0e-0000-4000-8000-000000000000';
  const tell = (parts: unknown, more: object = {}) => ({ message: { ...message('x'), parts, ...more } });

  test.each<[string, unknown, number, unknown]>([
    ['no JSON', '{"jsonrpc":"2.0",', -32700, null],
    ['nothing', '', -32700, null],
    ['a scalar', 1, -32600, null],
    ['null', 'null', -32600, null],
    ['a batch', [{ jsonrpc: '2.0', id: 1, method: 'tasks/get' }], -32600, null],
    ['an empty batch', [], -32600, null],
    ['an empty object', {}, -32600, null],
    ['no method', { jsonrpc: '2.0', id: 1 }, -32600, 1],
    ['a number for a method', { jsonrpc: '2.0', id: 'a', method: 42 }, -32600, 'a'],
    ['another version', { jsonrpc: '1.0', id: 3, method: 'tasks/get' }, -32600, 3],
    ['no version', { id: 3, method: 'tasks/get' }, -32600, 3],
    ['an object for an id', { jsonrpc: '2.0', id: {}, method: 'tasks/get' }, -32600, null],
    ['an unknown method', { jsonrpc: '2.0', id: 0, method: 'Tasks/Get' }, -32601, 0],
    ['a listing', { jsonrpc: '2.0', id: 0, method: 'tasks/list', params: {} }, -32601, 0],
    ['null for an id', { jsonrpc: '2.0', id: null, method: 'nothing' }, -32601, null],
    [
      'deep nesting',
      `{"jsonrpc":"2.0","id":1,"method":"tasks/get","params":${'['.repeat(5000)}${']'.repeat(5000)}}`,
      -32600,
      1,
    ],
  ])('%s', async (_, body, code, id) => {
    expect(await post(body)).toMatchObject({
      status: 200,
      jsonrpc: '2.0',
      id,
      error: { code, message: expect.any(String) },
    });
  });

  test.each<[string, string, unknown, number]>([
    ['params that are a string', 'tasks/get', 'bar', -32602],
    ['params that are an array', 'tasks/get', [anId], -32602],
    ['no params', 'tasks/get', undefined, -32602],
    ['get without an id', 'tasks/get', {}, -32602],
    ['get with a number', 'tasks/get', { id: 7 }, -32602],
    ['a negative history', 'tasks/get', { id: anId, historyLength: -1 }, -32602],
    ['a history of text', 'tasks/get', { id: anId, historyLength: 'x' }, -32602],
    ['get of nothing', 'tasks/get', { id: anId }, -32001],
    ['cancel without an id', 'tasks/cancel', {}, -32602],
    ['cancel of nothing', 'tasks/cancel', { id: anId }, -32001],
    ['send of nothing', 'message/send', {}, -32602],
    ['no parts', 'message/send', tell(undefined), -32602],
    ['empty parts', 'message/send', tell([]), -32602],
    ['a part that is a string', 'message/send', tell(['x']), -32602],
    ['an unknown kind of part', 'message/send', tell([{ kind: 'hologram' }]), -32602],
    ['a text without text', 'message/send', tell([{ kind: 'text' }]), -32602],
    ['a file with both contents', 'message/send', tell([{ kind: 'file', file: { bytes: '', uri: 'x:y' } }]), -32602],
    ['data that is an array', 'message/send', tell([{ kind: 'data', data: [] }]), -32602],
    ['a robot', 'message/send', tell([{ kind: 'text', text: '' }], { role: 'robot' }), -32602],
    ['no messageId', 'message/send', tell([{ kind: 'text', text: '' }], { messageId: undefined }), -32602],
    ['null for a contextId', 'message/send', tell([{ kind: 'text', text: '' }], { contextId: null }), -32602],
    ['an unknown task', 'message/send', tell([{ kind: 'text', text: '' }], { taskId: anId }), -32001],
    [
      'an exotic file',
      'message/send',
      tell([{ kind: 'file', file: { bytes: '', mimeType: 'application/x-exotic' } }]),
      -32005,
    ],
    ['a stream', 'message/stream', {}, -32004],
    ['a subscription', 'tasks/resubscribe', { id: anId }, -32004],
    ['push set', 'tasks/pushNotificationConfig/set', {}, -32003],
    ['push get', 'tasks/pushNotificationConfig/get', {}, -32003],
    ['push list', 'tasks/pushNotificationConfig/list', {}, -32003],
    ['push delete', 'tasks/pushNotificationConfig/delete', {}, -32003],
    ['the extended card', 'agent/getAuthenticatedExtendedCard', undefined, -32007],
  ])('%s', async (_, method, params, code) => {
    expect((await call(method, params)).error?.code).toBe(code);
  });

  test('of HTTP', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { id: anId } });
    expect((await http('POST', '/', [['content-type', 'application/json; charset=utf-8']], body)).status).toBe(200);
    expect((await http('POST', '/', [['content-type', 'text/plain']], body)).status).toBe(415);
    expect((await http('POST', '/', json, ' '.repeat(1024 * 1024 + 1))).status).toBe(413);
    expect((await http('POST', '/elsewhere', json, body)).status).toBe(404);
    expect(await http('POST', '/', json, '{"jsonrpc":"2.0","method":"tasks/get"}')).toMatchObject({
      status: 204,
      text: '',
    });
    expect(JSON.parse((await http('POST', '/', json, new Uint8Array([0x22, 0xff, 0x22]))).text).error.code).toBe(
      -32700,
    );
  });

  test('of finished tasks', async () => {
    const { result } = await send('hello');
    expect((await send('again', { taskId: result.id })).error.code).toBe(-32004);
    expect((await cancel(result.id)).error.code).toBe(-32002);
    expect((await get(result.id)).result).toEqual(result);
  });

  test('of another context than the task has', async () => {
    const { result } = await send('ask me for input');
    expect((await send('blue', { taskId: result.id, contextId: 'other' })).error.code).toBe(-32602);
    expect((await send('blue', { taskId: result.id, contextId: result.contextId })).result.id).toBe(result.id);
  });
});

describe('behaviours', () => {
  test.each<[string, TaskState, object]>([
    [
      'Say hello to Zoë 🙂',
      'completed',
      { artifacts: [{ parts: [{ kind: 'text', text: 'You said: Say hello to Zoë 🙂' }] }] },
    ],
    ['tck-complete-task please', 'completed', {}],
    ['tck-task-failure', 'failed', {}],
    ['Please fail this', 'failed', {}],
    ['tck-reject-task', 'rejected', {}],
    ['refuse what I ask', 'rejected', {}],
    ['tck-input-required', 'input-required', { status: { message: { role: 'agent' } } }],
    ['Ask me for input before you go on', 'input-required', {}],
    ['tck-auth-required', 'auth-required', { status: { message: { role: 'agent' } } }],
    ['Ask me to sign in', 'auth-required', {}],
    ['tck-multi-turn', 'input-required', {}],
    ['tck-long-running', 'completed', {}],
    ['tck-artifact-text', 'completed', { artifacts: [{ parts: [{ kind: 'text' }] }] }],
    ['tck-artifact-file', 'completed', { artifacts: [{ parts: [{ file: { bytes: expect.any(String) } }] }] }],
    ['tck-artifact-file-url', 'completed', { artifacts: [{ parts: [{ file: { uri: expect.any(String) } }] }] }],
    ['tck-artifact-data', 'completed', { artifacts: [{ parts: [{ kind: 'data', data: {} }] }] }],
    ['send me a file', 'completed', { artifacts: [{ parts: [{ file: { bytes: expect.any(String) } }] }] }],
    ['send me a link', 'completed', { artifacts: [{ parts: [{ file: { uri: expect.any(String) } }] }] }],
    ['Give me a small file.', 'completed', { artifacts: [{ parts: [{ file: { bytes: expect.any(String) } }] }] }],
    ['Give me a link to a file.', 'completed', { artifacts: [{ parts: [{ file: { uri: expect.any(String) } }] }] }],
    ['Give me structured data.', 'completed', { artifacts: [{ parts: [{ kind: 'data' }] }] }],
    ['Ask me for one missing detail before you answer.', 'input-required', {}],
    ['Let this task fail.', 'failed', {}],
    ['send me data', 'completed', { artifacts: [{ parts: [{ kind: 'data' }] }] }],
    ['tck-stream-chunked', 'completed', { artifacts: [{ parts: [{ text: 'chunk 1 ' }, { text: 'chunk 2' }] }] }],
    ['work for a long time', 'working', {}],
    ['tck-cancel', 'working', {}],
  ])('%s', async (text, state, more) => {
    const { send, get } = meet();
    const { result } = await send(text);
    expect(result).toMatchObject({ kind: 'task', status: { state }, ...more });
    expect((await get(result.id)).result.status.state).toBe(state);
  });

  test('a message for an answer', async () => {
    const { send } = meet();
    const { result } = await send('tck-message-response', { contextId: 'c' });
    expect(result).toMatchObject({ kind: 'message', role: 'agent', contextId: 'c', messageId: expect.any(String) });
    expect((await send('hi', { messageId: 'tck-message-response-1' })).result.kind).toBe('message');
  });

  test('waiting tasks complete with the answer', async () => {
    const { send } = meet();
    for (const text of ['tck-input-required', 'tck-auth-required']) {
      const { result } = await send(text);
      const answered = (await send('blue', { taskId: result.id })).result;
      expect(answered).toMatchObject({
        id: result.id,
        contextId: result.contextId,
        status: { state: 'completed' },
        artifacts: [{ parts: [{ text: 'You said: blue' }] }],
      });
      const { history } = answered;
      expect(history.filter((item) => item.taskId !== result.id)).toEqual([]);
      expect(history.map((item) => item.parts[0]?.text)).toContain('blue');
    }
  });

  test('blocking waits, not blocking does not', async () => {
    const { send, get, cancel, clock } = meet();
    const started = clock.now();
    const { result } = await send('work for a long time', {}, { blocking: false });
    expect([result.status.state, clock.now() - started]).toEqual(['submitted', 0]);
    expect((await cancel(result.id)).result).toMatchObject({ id: result.id, status: { state: 'canceled' } });
    expect((await cancel(result.id)).error.code).toBe(-32002);
    await send('work for a long time', {}, { blocking: true });
    expect(clock.now() - started).toBeGreaterThan(30_000);
    expect((await get(result.id)).result.status.state).toBe('canceled');
  });

  test('the answer has as much of the history as the request asks for', async () => {
    const { send, get } = meet();
    const { result } = await send('hello', {}, { historyLength: 1 });
    expect(result.history).toHaveLength(1);
    const all = (await get(result.id)).result.history;
    expect(all).toHaveLength(2);
    expect((await get(result.id, { historyLength: 1 })).result.history).toEqual(all.slice(-1));
    expect((await get(result.id, { historyLength: 0 })).result.history).toBeUndefined();
  });

  test('every accepted spelling of a message', async () => {
    const { send, call, agent } = meet();
    const parts = [
      { kind: 'text', text: 'x', metadata: { a: [1] }, odd: 1 },
      { kind: 'data', data: {} },
      { kind: 'file', file: { uri: 'https://example.com/a' } },
      { kind: 'file', file: { bytes: 'AA==', mimeType: 'image/png', name: 'a' } },
    ];
    const more = {
      parts,
      kind: undefined,
      referenceTaskIds: ['x'],
      extensions: ['y'],
      metadata: {},
      contextId: 'mine',
      odd: {},
    };
    expect((await send('', more)).result).toMatchObject({ contextId: 'mine', status: { state: 'completed' } });
    expect((await call('tasks/get', { id: 'x', metadata: {} })).error.code).toBe(-32001);
    expect(agent.crashes).toEqual([]);
  });
});

describe('fates', () => {
  const meetFate = (fate: 'hang' | 'reset' | 'cut') =>
    meet({ patches: [(inner) => ({ serve: async (request) => ({ ...(await inner.serve(request)), fate }) })] });

  test('reset and cut', async () => {
    await expect(meetFate('reset').get('x')).rejects.toThrow(CarrierFailure);
    await expect(meetFate('cut').get('x')).rejects.toThrow(/middle of the body/);
  });

  test('hang ends with the patience of the client', async () => {
    const { agent } = meetFate('hang');
    const gone = new AbortController();
    const answer = agent.handle({ method: 'GET', url: 'http://agent.test/', headers: [] }, gone.signal);
    setImmediate(() => gone.abort());
    await expect(answer).rejects.toMatchObject({ kind: 'aborted' });
  });
});

describe('laws', () => {
  const texts = [
    'hello',
    'tck-task-failure',
    'tck-input-required',
    'tck-auth-required',
    'work for a long time',
    'tck-reject-task',
    'tck-cancel',
  ];
  const command = fc.oneof(
    fc.record({
      do: fc.constant('send' as const),
      text: fc.constantFrom(...texts),
      blocking: fc.constantFrom(true, false, undefined),
    }),
    fc.record({ do: fc.constantFrom('answer' as const, 'get' as const, 'cancel' as const), task: fc.nat(5) }),
    fc.record({ do: fc.constant('wait' as const), ms: fc.nat(60_000) }),
  );

  test('no task leaves a terminal state, and no observation goes back', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { maxLength: 15 }), async (commands) => {
        const { send, get, cancel, clock, agent } = meet();
        const seen = new Map<string, string>();
        const ids: string[] = [];
        for (const command of commands) {
          if (command.do === 'wait') await new Promise<void>((resolve) => void clock.after(command.ms, resolve));
          else if (command.do === 'send') {
            const endless = command.text === 'tck-cancel';
            const configuration = command.blocking === undefined || endless ? {} : { blocking: command.blocking };
            ids.push((await send(command.text, {}, configuration)).result.id);
          } else {
            const id = ids[command.task];
            if (id === undefined) continue;
            if (command.do === 'answer') await send('go on', { taskId: id });
            else await { get, cancel }[command.do](id);
          }
          for (const id of ids) {
            const { result } = await get(id);
            const before = JSON.parse(seen.get(id) ?? 'null');
            if (before !== null) {
              expect(mayFollow(before.status.state, result.status.state)).toBe(true);
              if (isTerminal(before.status.state)) expect(result).toEqual(before);
            }
            seen.set(id, JSON.stringify(result));
          }
        }
        expect(agent.crashes).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  test('the same seed gives the same bytes, another seed other ids', async () => {
    const run = async (seed: number) => {
      const { send, log } = meet({ seed });
      await send('hello');
      await send('tck-message-response');
      await send('work for a long time');
      return log;
    };
    expect(await run(7)).toEqual(await run(7));
    expect(await run(7)).not.toEqual(await run(8));
  });
});
