import { describe, expect, test } from 'vitest';
import { a2a03 } from '../dialect/a2a-0.3.js';
import { a2a10 } from '../dialect/a2a-1.0.js';
import type { Dialect } from '../dialect/index.js';
import type { JsonObject } from '../model/index.js';
import { cardVerifier, protectedHeader } from '../signing/index.js';
import { type Header, header } from '../wire/index.js';
import { createTestClient, message03, message10, type TestClientOptions } from './test-client.js';
import { variants } from './variants/index.js';

const meet = (options: TestClientOptions = {}) => createTestClient({ dialect: a2a10, ...options });
const patchOf = (id: string) => variants.find((variant) => variant.id === id)?.patch;
const info = (reason: string) => ({
  '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
  reason,
  domain: 'a2a-protocol.org',
});

describe('the card', () => {
  test('names its interface and its version, and may be cached', async () => {
    const { http } = meet();
    const { status, headers, json } = await http('GET', '/.well-known/agent-card.json');
    expect(json).toMatchObject({
      supportedInterfaces: [{ url: 'http://agent.test/a/', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
      capabilities: { streaming: false, pushNotifications: false },
    });
    expect(json).not.toHaveProperty('url');
    const tag = header(headers, 'etag') ?? '';
    expect([status, header(headers, 'cache-control')]).toEqual([200, 'max-age=3600']);
    expect(header(headers, 'last-modified')).toBe('Thu, 01 Jan 2026 00:00:00 GMT');
    for (const known of [tag, `W/${tag}`, `"x", ${tag}`, '*']) {
      expect(await http('GET', '/.well-known/agent-card.json', [['If-None-Match', known]])).toMatchObject({
        status: 304,
        text: '',
      });
    }
    expect((await http('GET', '/.well-known/agent-card.json', [['If-None-Match', '"x"']])).status).toBe(200);
    expect((await http('GET', '/.well-known/jwks.json')).status).toBe(404);
  });

  test('signed, it verifies with the key that it names', async () => {
    const { http } = meet({ patches: [patchOf('signed-card')] });
    const card: JsonObject = (await http('GET', '/.well-known/agent-card.json')).json;
    const [signature] = card['signatures'] as readonly unknown[];
    const named = protectedHeader(signature);
    expect(named).toMatchObject({ alg: 'EdDSA', typ: 'JOSE', jku: 'http://agent.test/a/.well-known/jwks.json' });
    const { keys } = (await http('GET', '/.well-known/jwks.json')).json;
    expect(keys).toEqual([expect.objectContaining({ kid: named?.['kid'], kty: 'OKP' })]);
    expect(keys[0]).not.toHaveProperty('d');
    expect(cardVerifier(card)(signature, keys[0])).toEqual({ verified: true, reading: 'as-served' });
    expect(cardVerifier({ ...card, name: 'Mallory' })(signature, keys[0])).toMatchObject({ verified: false });
  });
});

describe('versions', () => {
  const ask = async (headers: readonly Header[], query = '') => {
    const { call } = meet({ headers, query });
    return (await call('GetTask', { id: 'x' })).error;
  };
  test.each<[string, readonly Header[], string]>([
    ['the header', [['A2A-Version', '1.0']], ''],
    ['the header in lower case', [['a2a-version', '1.0']], ''],
    ['a patch number', [['A2A-Version', '1.0.1']], ''],
    ['the query', [], '?A2A-Version=1.0'],
  ])('%s', async (_, headers, query) => expect((await ask(headers, query)).code).toBe(-32001));
  test.each<[string, readonly Header[]]>([
    ['nothing', []],
    ['an empty header', [['A2A-Version', '']]],
    ['0.3', [['A2A-Version', '0.3']]],
    ['99.0', [['A2A-Version', '99.0']]],
    ['1.1', [['A2A-Version', '1.1']]],
    ['abc', [['A2A-Version', 'abc']]],
  ])('%s is refused', async (_, headers) => {
    expect(await ask(headers)).toMatchObject({
      code: -32009,
      message: expect.stringContaining('1.0'),
      data: [{ ...info('VERSION_NOT_SUPPORTED'), metadata: { supportedVersions: '1.0' } }],
    });
  });
  test('nothing to 0.3', async () => {
    const { call } = createTestClient({ headers: [['A2A-Version', '1.0']] });
    expect((await call('tasks/get', { id: 'x' })).error.code).toBe(-32001);
  });
});

describe('refusals', () => {
  const { call } = meet();
  const tell = (more: object) => ({ message: message10('x', more) });
  test.each<[string, string, unknown, number]>([
    ['a method of 0.3', 'message/send', {}, -32601],
    ['no params', 'GetTask', undefined, -32602],
    ['no id', 'GetTask', {}, -32602],
    ['a number for an id', 'GetTask', { id: 7 }, -32602],
    ['a negative history', 'GetTask', { id: 'x', historyLength: -1 }, -32602],
    ['no message', 'SendMessage', {}, -32602],
    ['null for a message', 'SendMessage', { message: null }, -32602],
    ['no parts', 'SendMessage', tell({ parts: undefined }), -32602],
    ['empty parts', 'SendMessage', tell({ parts: [] }), -32602],
    ['a part of 0.3', 'SendMessage', tell({ parts: [{ kind: 'file', file: {} }] }), -32602],
    ['an empty part', 'SendMessage', tell({ parts: [{}] }), -32602],
    ['a part of two contents', 'SendMessage', tell({ parts: [{ text: 'a', url: 'https://example.com' }] }), -32602],
    ['a number for a text', 'SendMessage', tell({ parts: [{ text: 1 }] }), -32602],
    ['raw that is no base64', 'SendMessage', tell({ parts: [{ raw: '!' }] }), -32602],
    ['a role of 0.3', 'SendMessage', tell({ role: 'user' }), -32602],
    ['no role', 'SendMessage', tell({ role: undefined }), -32602],
    ['an unspecified role', 'SendMessage', tell({ role: 'ROLE_UNSPECIFIED' }), -32602],
    ['no messageId', 'SendMessage', tell({ messageId: undefined }), -32602],
    ['a foreign tenant type', 'GetTask', { id: 'x', tenant: 1 }, -32602],
    ['an exotic type', 'SendMessage', tell({ parts: [{ text: 'x', mediaType: 'application/x-exotic' }] }), -32005],
    ['an unknown task', 'SendMessage', tell({ taskId: 'x' }), -32001],
    ['cancel of nothing', 'CancelTask', { id: 'x' }, -32001],
    ['a stream', 'SendStreamingMessage', tell({}), -32004],
    ['a subscription', 'SubscribeToTask', { id: 'x' }, -32004],
    ['push', 'CreateTaskPushNotificationConfig', {}, -32003],
    ['the extended card', 'GetExtendedAgentCard', undefined, -32004],
    ['page size 0', 'ListTasks', { pageSize: 0 }, -32602],
    ['page size 101', 'ListTasks', { pageSize: 101 }, -32602],
    ['page size 1.5', 'ListTasks', { pageSize: 1.5 }, -32602],
    ['an unknown state', 'ListTasks', { status: 'TASK_STATE_RUNNING' }, -32602],
    ['an unknown token', 'ListTasks', { pageToken: 'kit-bogus' }, -32602],
    ['no time', 'ListTasks', { statusTimestampAfter: 'yesterday' }, -32602],
    ['a negative length', 'ListTasks', { historyLength: -5 }, -32602],
  ])('%s', async (_, method, params, code) => expect((await call(method, params)).error?.code).toBe(code));

  test('say why', async () => {
    expect((await call('GetTask', { id: 'x' })).error.data).toEqual([info('TASK_NOT_FOUND')]);
    expect((await call('SubscribeToTask', { id: 'x' })).error.data).toEqual([info('UNSUPPORTED_OPERATION')]);
    expect((await call('SendMessage', tell({ parts: [] }))).error.data).toEqual([
      {
        '@type': 'type.googleapis.com/google.rpc.BadRequest',
        fieldViolations: [{ field: 'message.parts', description: expect.stringContaining('empty') }],
      },
    ]);
    expect((await call('Nothing', {})).error).not.toHaveProperty('data');
    expect(
      (await call('SendMessage', tell({ parts: [{ text: 'x', url: 'y' }] }))).error.data[0].fieldViolations[0].field,
    ).toBe('message.parts.kind');
  });

  test('every accepted spelling', async () => {
    const parts = [
      { text: 'a', mediaType: 'text/plain' },
      { raw: 'AA==', filename: 'x' },
      { url: 'https://example.com' },
      ...[[1], 1, 'x', true, null, {}].map((data) => ({ data })),
    ];
    const more = {
      parts,
      contextId: null,
      metadata: { a: { b: [1] } },
      extensions: ['y'],
      referenceTaskIds: ['z'],
      odd: 1,
    };
    const { result } = await call('SendMessage', { ...tell(more), tenant: 'acme', odd: {} });
    expect(result.task.status.state).toBe('TASK_STATE_COMPLETED');
  });
});

describe('sending', () => {
  test('waits by default, for however long it takes', async () => {
    const { call, clock } = meet();
    const started = clock.now();
    const at = async (returnImmediately?: boolean) =>
      (await call('SendMessage', { message: message10('work for a long time'), configuration: { returnImmediately } }))
        .result.task;
    expect((await at(true)).status.state).toBe('TASK_STATE_SUBMITTED');
    expect(clock.now()).toBe(started);
    for (const blocking of [undefined, false]) {
      const task = await at(blocking);
      expect(task.status.state).toBe('TASK_STATE_COMPLETED');
      expect(task.artifacts).toHaveLength(1);
    }
  });
  test('a message for an answer, and waiting tasks', async () => {
    const { call } = meet();
    expect((await call('SendMessage', { message: message10('tck-message-response') })).result.message).toMatchObject({
      role: 'ROLE_AGENT',
      contextId: expect.any(String),
    });
    const { task } = (await call('SendMessage', { message: message10('tck-auth-required') })).result;
    expect(task.status).toMatchObject({ state: 'TASK_STATE_AUTH_REQUIRED', message: { role: 'ROLE_AGENT' } });
    const again = (await call('SendMessage', { message: message10('done', { taskId: task.id }) })).result.task;
    expect(again).toMatchObject({ id: task.id, contextId: task.contextId, status: { state: 'TASK_STATE_COMPLETED' } });
  });
});

describe('lists', () => {
  async function full() {
    const { call, wait, ...rest } = meet();
    const made: { readonly id: string; readonly contextId: string; readonly status: { readonly timestamp: string } }[] =
      [];
    for (const [text, contextId] of [
      ['hello', 'c1'],
      ['tck-input-required', 'c1'],
      ['one more', 'c2'],
      ['tck-task-failure', 'c1'],
      ['last', 'c1'],
    ]) {
      made.push((await call('SendMessage', { message: message10(text ?? '', { contextId }) })).result.task);
      await wait(1000);
    }
    const list = async (query: object) => (await call('ListTasks', query)).result;
    const ids = async (query: object) =>
      (await list(query)).tasks.map(({ id }: { id: string }) => made.findIndex((item) => item.id === id));
    return { call, wait, made, list, ids, ...rest };
  }

  test('are complete, newest first, without artifacts', async () => {
    const { list, ids, call, made } = await full();
    expect(await list({})).toMatchObject({ nextPageToken: '', pageSize: 50, totalSize: 5 });
    expect(await ids({})).toEqual([4, 3, 2, 1, 0]);
    for (const query of [{}, { includeArtifacts: false }]) {
      for (const task of (await list(query)).tasks) expect(task).not.toHaveProperty('artifacts');
    }
    expect(
      (await list({ includeArtifacts: true })).tasks.map(({ artifacts }: { artifacts: unknown[] }) => artifacts.length),
    ).toEqual([1, 0, 1, 0, 1]);
    await call('SendMessage', { message: message10('blue', { taskId: made[1]?.id }) });
    expect(await ids({})).toEqual([1, 4, 3, 2, 0]);
  });

  test('filter', async () => {
    const { ids, made, list } = await full();
    expect(await ids({ contextId: 'c1' })).toEqual([4, 3, 1, 0]);
    expect(await list({ contextId: 'nowhere' })).toMatchObject({ tasks: [], totalSize: 0, nextPageToken: '' });
    expect(await ids({ status: 'TASK_STATE_COMPLETED' })).toEqual([4, 2, 0]);
    expect(await ids({ status: 'TASK_STATE_COMPLETED', contextId: 'c1' })).toEqual([4, 0]);
    expect(await ids({ statusTimestampAfter: made[2]?.status.timestamp })).toEqual([4, 3, 2]);
    for (const { history = [] } of (await list({ historyLength: 1 })).tasks) expect(history.length).toBe(1);
    for (const task of (await list({ historyLength: 0 })).tasks) expect(task).not.toHaveProperty('history');
  });

  test('come in pages, also when tasks have the same time and new ones come in between', async () => {
    const { call, list, ids } = await full();
    for (let more = 0; more < 3; more++)
      await call('SendMessage', { message: message10('now'), configuration: { returnImmediately: true } });
    const all = await ids({});
    const seen: string[] = [];
    let pageToken: string | undefined;
    do {
      const page = await list({ pageSize: 3, ...(pageToken === undefined ? {} : { pageToken }) });
      expect(page).toMatchObject({ pageSize: 3 });
      seen.push(...page.tasks.map(({ id }: { id: string }) => id));
      pageToken = page.nextPageToken;
      await call('SendMessage', { message: message10('in between') });
    } while (pageToken !== '');
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toHaveLength(all.length);
  });
});

describe('extensions', () => {
  const trace = 'https://vendor.example/extensions/trace/v1';
  const notes = 'https://vendor.example/extensions/notes/v2';
  const audit = 'https://vendor.example/extensions/audit/v1';
  const post = async (dialect: Dialect, id: string, headers: readonly Header[]) => {
    const { http } = createTestClient({ dialect, patches: [patchOf(id)] });
    const message = dialect === a2a03 ? message03('hi') : message10('hi');
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: dialect.operations.send?.rpc,
      params: { message },
    });
    const answer = await http(
      'POST',
      '/',
      [['content-type', 'application/json'], ...dialect.headers, ...headers],
      body,
    );
    return [answer.json.error?.code, header(answer.headers, dialect.extensionHeader)];
  };
  test('that are declared are named when they are asked for', async () => {
    for (const dialect of [a2a03, a2a10]) {
      const name = dialect.extensionHeader;
      const ask = (...uris: readonly string[]) =>
        post(
          dialect,
          'extensions-declared',
          uris.map((uri) => [name, uri]),
        );
      expect(await ask()).toEqual([undefined, undefined]);
      expect(await ask('https://vendor.example/unknown')).toEqual([undefined, undefined]);
      expect(await ask(trace.replace('v1', 'v2'))).toEqual([undefined, undefined]);
      expect(await ask(`${notes}, ${trace}, x`)).toEqual([undefined, `${trace}, ${notes}`]);
      expect(await ask(notes, trace)).toEqual([undefined, `${trace}, ${notes}`]);
    }
    expect(await post(a2a10, 'extensions-declared', [['x-a2a-extensions', trace]])).toEqual([undefined, trace]);
    expect(await post(a2a03, 'extensions-declared', [['A2A-Extensions', trace]])).toEqual([undefined, undefined]);
  });
  test('that are required must be asked for', async () => {
    expect(await post(a2a03, 'extensions-required', [])).toEqual([-32600, undefined]);
    expect(await post(a2a10, 'extensions-required', [])).toEqual([-32008, undefined]);
    expect(await post(a2a10, 'extensions-required', [['A2A-Extensions', audit.replace('v1', 'v2')]])).toEqual([
      -32008,
      undefined,
    ]);
    expect(await post(a2a10, 'extensions-required', [['A2A-Extensions', audit]])).toEqual([undefined, audit]);
    expect(await post(a2a03, 'extensions-required', [['X-A2A-Extensions', audit]])).toEqual([undefined, audit]);
  });
});

const fitting = variants.filter(({ profiles }) => profiles === undefined || profiles.includes('a2a-1.0'));
test.each(fitting.map((variant) => [variant.id, variant] as const))(
  'the variant %s lives',
  async (_, { patch, headers = [], query = [] }) => {
    const { call, agent, http } = meet({
      patches: [patch],
      query: query.map(([name, value]) => `?${name}=${value}`).join(''),
    });
    await http('GET', '/.well-known/agent-card.json');
    for (const text of [
      'Zoë',
      'tck-input-required',
      'tck-artifact-file',
      'tck-artifact-data',
      'tck-message-response',
    ]) {
      const { result } = await call('SendMessage', { message: message10(text) }, headers);
      const id = result?.task?.id ?? 'x';
      await call('GetTask', { id, historyLength: 1 }, headers);
      await call('CancelTask', { id }, headers);
    }
    await call('ListTasks', { includeArtifacts: true }, headers);
    await call('SendStreamingMessage', { message: message10('hi') }, headers);
    expect(agent.crashes).toEqual([]);
  },
);
