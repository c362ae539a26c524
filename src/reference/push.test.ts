import { describe, expect, test } from 'vitest';
import { a2a03 } from '../dialect/a2a-0.3.js';
import { a2a10 } from '../dialect/a2a-1.0.js';
import { bodyText, type Carrier, header, type WireRequest } from '../wire/index.js';
import { onNotification } from './edits.js';
import type { Patch } from './seams.js';
import { createTestClient, message03, message10, type TestClientOptions } from './test-client.js';
import { variants } from './variants/index.js';

const push = variants.find(({ id }) => id === 'push')?.patch;
const hook = 'http://127.0.0.1:9/hook';

/** A webhook in memory. */
function receiver(answer: (request: WireRequest) => Promise<number> | number = () => 204) {
  const got: WireRequest[] = [];
  const outbound: Carrier = async (request) => {
    got.push(request);
    const status = await answer(request);
    return { status, headers: [], body: (async function* () {})() };
  };
  return { got, outbound, bodies: () => got.map(({ body }) => JSON.parse(bodyText(body))) };
}
const meet03 = (options: TestClientOptions = {}, ...patches: readonly Patch[]) => {
  const hooked = receiver();
  return { ...hooked, ...createTestClient({ patches: [push, ...patches], outbound: hooked.outbound, ...options }) };
};
const meet10 = (options: TestClientOptions = {}) => meet03({ dialect: a2a10, ...options });

describe('in 0.3', () => {
  const set = 'tasks/pushNotificationConfig/set';
  const get = 'tasks/pushNotificationConfig/get';
  const list = 'tasks/pushNotificationConfig/list';
  const remove = 'tasks/pushNotificationConfig/delete';

  test('configurations are kept, replaced and deleted', async () => {
    const { call } = meet03();
    const taskId = (await call('message/send', { message: message03('tck-input-required') })).result.id;
    expect((await call(list, { id: taskId })).result).toEqual([]);
    const first = (await call(set, { taskId, pushNotificationConfig: { url: hook } })).result;
    expect(first).toEqual({ taskId, pushNotificationConfig: { id: expect.any(String), url: hook } });
    const mine = {
      id: 'kit-1',
      url: `${hook}/1`,
      token: 't',
      authentication: { schemes: ['Bearer'], credentials: 'c' },
    };
    expect((await call(set, { taskId, pushNotificationConfig: mine })).result.pushNotificationConfig).toEqual(mine);
    await call(set, { taskId, pushNotificationConfig: { id: 'kit-1', url: `${hook}/2` } });
    expect((await call(get, { id: taskId, pushNotificationConfigId: 'kit-1' })).result.pushNotificationConfig.url).toBe(
      `${hook}/2`,
    );
    expect((await call(get, { id: taskId })).result).toEqual(first);
    expect((await call(list, { id: taskId })).result).toHaveLength(2);
    expect(await call(remove, { id: taskId, pushNotificationConfigId: 'kit-1' })).toMatchObject({ result: null });
    expect(await call(remove, { id: taskId, pushNotificationConfigId: 'kit-1' })).toMatchObject({ result: null });
    expect((await call(list, { id: taskId })).result).toEqual([first]);
    expect((await call(get, { id: taskId, pushNotificationConfigId: 'kit-1' })).error.code).toBe(-32001);
  });

  test('what is refused', async () => {
    const { call } = meet03();
    const taskId = (await call('message/send', { message: message03('tck-input-required') })).result.id;
    const code = async (method: string, params: unknown) => (await call(method, params)).error?.code;
    for (const params of [{ id: 'x' }, { id: 'x', pushNotificationConfigId: 'y' }]) {
      expect(await code(get, params)).toBe(-32001);
      expect(await code(list, params)).toBe(-32001);
    }
    expect(await code(remove, { id: 'x', pushNotificationConfigId: 'y' })).toBe(-32001);
    expect(await code(set, { taskId: 'x', pushNotificationConfig: { url: hook } })).toBe(-32001);
    expect(await code(remove, { id: taskId })).toBe(-32602);
    for (const config of [
      {},
      { token: 't' },
      { url: '' },
      { url: 'not a url' },
      { url: 'ftp://example.com/' },
      { url: 'https://user:pass@example.com/' },
      { url: hook, authentication: {} },
      { url: hook, token: 'a\r\nX-Injected: 1' },
    ]) {
      expect([config, await code(set, { taskId, pushNotificationConfig: config })]).toEqual([config, -32602]);
    }
  });

  test('the agent notifies of each change of state, in order, with token and credentials', async () => {
    const { call, got, bodies, wait } = meet03();
    const authentication = { schemes: ['Basic', 'bearer'], credentials: 'c-1' };
    const config = { url: hook, token: 't-1', authentication };
    const { result } = await call('message/send', {
      message: message03('hello'),
      configuration: { pushNotificationConfig: config },
    });
    await wait(10);
    expect(bodies().map(({ kind, id, status }) => [kind, id, status.state])).toEqual([
      ['task', result.id, 'working'],
      ['task', result.id, 'completed'],
    ]);
    for (const { method, url, headers } of got) {
      expect([method, url]).toEqual(['POST', hook]);
      expect(header(headers, 'content-type')).toBe('application/json');
      expect(header(headers, 'X-A2A-Notification-Token')).toBe('t-1');
      expect(header(headers, 'authorization')).toBe('bearer c-1');
    }
  });

  test('without the capability an inline configuration is ignored', async () => {
    const { outbound, got } = receiver();
    const { call } = createTestClient({ outbound });
    await call('message/send', {
      message: message03('hello'),
      configuration: { pushNotificationConfig: { url: hook } },
    });
    expect(got).toEqual([]);
  });

  test.each([
    ['hangs', () => new Promise<number>(() => {})],
    ['fails', () => 500],
    ['redirects', () => 302],
    ['cannot be reached', () => Promise.reject(new Error('refused'))],
  ])('a webhook that %s holds up nothing and is not tried again', async (_, answer) => {
    const { got, outbound } = receiver(answer);
    const { call, wait, agent } = createTestClient({ patches: [push], outbound });
    const { result } = await call('message/send', {
      message: message03('hello'),
      configuration: { pushNotificationConfig: { url: hook } },
    });
    expect(result.status.state).toBe('completed');
    await wait(60_000);
    expect(got).toHaveLength(2);
    expect(agent.crashes).toEqual([]);
  });

  test('a deleted configuration gets no more notifications, not even those that wait', async () => {
    const { got, outbound } = receiver(() => new Promise<number>(() => {}));
    const { call, wait } = createTestClient({ patches: [push], outbound });
    const config = { id: 'c', url: hook };
    const { result } = await call('message/send', {
      message: message03('hello'),
      configuration: { pushNotificationConfig: config },
    });
    await call(remove, { id: result.id, pushNotificationConfigId: 'c' });
    await wait(60_000);
    expect(got).toHaveLength(1);
  });

  test('seams: which webhook is notified, of what, and how often', async () => {
    const inline = { message: message03('hello'), configuration: { pushNotificationConfig: { url: hook } } };
    const silent = meet03({}, () => ({ recipients: () => [] }));
    await silent.call('message/send', inline);
    expect(silent.got).toEqual([]);
    const bare = meet03(
      {},
      onNotification((request) => ({ ...request, method: 'GET', headers: [] })),
    );
    await bare.call('message/send', inline);
    expect(bare.got[0]).toMatchObject({ method: 'GET', headers: [] });
    const twice = meet03({}, (inner) => ({
      async deliver(request, config) {
        await inner.deliver(request, config);
        await inner.deliver(request, config);
      },
    }));
    await twice.call('message/send', inline);
    await twice.wait(10);
    expect(twice.got).toHaveLength(4);
  });
});

describe('in 1.0', () => {
  test('configurations are flat, and the list has a form of its own', async () => {
    const { call } = meet10();
    const taskId = (await call('SendMessage', { message: message10('tck-input-required') })).result.task.id;
    const made = (
      await call('CreateTaskPushNotificationConfig', { taskId, url: hook, authentication: { scheme: 'Bearer' } })
    ).result;
    expect(made).toEqual({ taskId, id: expect.any(String), url: hook, authentication: { scheme: 'Bearer' } });
    expect((await call('GetTaskPushNotificationConfig', { taskId, id: made.id })).result).toEqual(made);
    expect((await call('ListTaskPushNotificationConfigs', { taskId })).result).toEqual({
      configs: [made],
      nextPageToken: '',
    });
    for (let times = 0; times < 2; times++) {
      expect(await call('DeleteTaskPushNotificationConfig', { taskId, id: made.id })).toHaveProperty('result');
    }
    expect((await call('GetTaskPushNotificationConfig', { taskId, id: made.id })).error.code).toBe(-32001);
    expect((await call('CreateTaskPushNotificationConfig', { taskId })).error).toMatchObject({
      code: -32602,
      data: [{ '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: [{ field: 'url' }] }],
    });
    expect((await call('CreateTaskPushNotificationConfig', { taskId: 'x', url: hook })).error.code).toBe(-32001);
  });

  test('notifications are what a stream would send', async () => {
    const { call, got, bodies, wait } = meet10();
    const config = { url: hook, authentication: { scheme: 'Bearer', credentials: 'c' } };
    const configuration = { taskPushNotificationConfig: config, returnImmediately: true };
    const { task } = (await call('SendMessage', { message: message10('hello'), configuration })).result;
    await wait(1000);
    expect(
      bodies().map((body) => [Object.keys(body), body.statusUpdate.taskId, body.statusUpdate.status.state]),
    ).toEqual([
      [['statusUpdate'], task.id, 'TASK_STATE_WORKING'],
      [['statusUpdate'], task.id, 'TASK_STATE_COMPLETED'],
    ]);
    expect(header(got[0]?.headers ?? [], 'content-type')).toBe('application/a2a+json');
    expect(header(got[0]?.headers ?? [], 'authorization')).toBe('Bearer c');
  });
});

describe('webhook hosts', () => {
  const permits = (url: string, options: TestClientOptions = {}) =>
    createTestClient({ dialect: a2a03, patches: [push], ...options }).agent.seams.permitsWebhook(new URL(url));

  test.each([
    'https://hooks.example.com/',
    'http://127.0.0.1:4711/',
    'http://localhost/',
    'http://8.8.8.8/',
    'http://[2606:4700::1]/',
    'http://webhook.test/',
  ])('%s may be called', (url) => expect(permits(url)).toBe(true));
  test.each([
    'http://169.254.169.254/latest/meta-data',
    'http://metadata.google.internal/',
    'http://127.0.0.2/',
    'http://0x7f000002/',
    'http://2852039166/',
    'http://0.0.0.0/',
    'http://10.1.2.3/',
    'http://172.20.0.1/',
    'http://192.168.1.1/',
    'http://[::ffff:169.254.169.254]/',
    'http://[::ffff:10.0.0.1]/',
    'http://[fe80::1]/',
    'http://[fd00:ec2::254]/',
    'http://[::]/',
    'http://app.localhost/',
    'http://METADATA.google.internal./',
  ])('%s may not', (url) => expect(permits(url)).toBe(false));

  test('the operator decides', async () => {
    expect(permits('http://127.0.0.1/', { webhookHosts: [] })).toBe(false);
    expect(permits('http://10.0.0.1/', { webhookHosts: ['10.0.0.1'] })).toBe(true);
    expect(permits('http://10.0.0.1/', { webhookHosts: (url) => url.port === '' })).toBe(true);
    const { call } = meet03();
    const inline = {
      message: message03('hi'),
      configuration: { pushNotificationConfig: { url: 'http://169.254.169.254/' } },
    };
    expect((await call('message/send', inline)).error.code).toBe(-32602);
  });
});

test('notifications that wait take 16 MiB at most, whatever hangs', async () => {
  let answered = 0;
  const sizes: number[] = [];
  const { call } = createTestClient({
    patches: [push],
    outbound: async (request) => {
      answered++;
      sizes.push(request.body?.length ?? 0);
      return new Promise(() => undefined);
    },
  });
  const configs = 60;
  const message = { ...message03('tck-input-required'), metadata: { words: 'x'.repeat(900_000) } };
  const taskId = (await call('message/send', { message })).result.id;
  for (let count = 0; count < configs; count++) {
    const pushNotificationConfig = { id: `kit-${count}`, url: `${hook}/${count}` };
    await call('tasks/pushNotificationConfig/set', { taskId, pushNotificationConfig });
  }
  await call('tasks/cancel', { id: taskId });
  expect(answered).toBeGreaterThan(5);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(16 << 20);
});
