import { describe, expect, test } from 'vitest';
import { a2a03 } from '../dialect/a2a-0.3.js';
import { a2a10 } from '../dialect/a2a-1.0.js';
import { header } from '../wire/index.js';
import { createTestClient, message03, message10 } from './test-client.js';
import type { Variant } from './variant.js';
import { variants } from './variants/index.js';

const named = (id: string): Variant => variants.find((variant) => variant.id === id) ?? expect.fail(id);
const queryOf = (parameters: Variant['query'] = []): string =>
  parameters.length === 0
    ? ''
    : `?${new URLSearchParams(parameters.map(([name, value]): [string, string] => [name, value]))}`;

describe.each(['bearer-required', 'api-key-header', 'api-key-query', 'api-key-cookie', 'basic-auth'])('%s', (id) => {
  const { patch, headers = [], secondHeaders = [], query, secondQuery } = named(id);

  test('knows its callers, and asks others who they are', async () => {
    const { http } = createTestClient({ patches: [patch] });
    const json = [['content-type', 'application/json']] as const;
    const ask = (given: typeof headers, parameters = '') =>
      http(
        'POST',
        `/${parameters}`,
        [...json, ...given],
        '{"jsonrpc":"2.0","id":1,"method":"tasks/get","params":{"id":"x"}}',
      );
    expect((await ask(headers, queryOf(query))).json.error.code).toBe(-32001);
    expect((await ask(secondHeaders, queryOf(secondQuery))).json.error.code).toBe(-32001);
    const wrong = headers.map(([name, value]) => [name, `${value}x`] as const);
    for (const refused of [await ask([]), await ask(wrong, queryOf(query?.map(([name]) => [name, 'wrong'])))]) {
      expect(refused.status).toBe(401);
      expect(header(refused.headers, 'www-authenticate')).toMatch(/^(Bearer|Basic|ApiKey) realm="agent"/);
    }
    expect((await http('GET', '/.well-known/agent-card.json')).status).toBe(200);
    expect((await http('POST', '/', json, '{')).status).toBe(401);
  });
});

describe.each([
  ['0.3', a2a03],
  ['1.0', a2a10],
] as const)('tasks belong to their callers in %s', (_, dialect) => {
  const { operations } = dialect;
  const message = dialect === a2a03 ? message03 : message10;
  const { patch, headers: mine = [], secondHeaders: others = [] } = named('bearer-required-everywhere');

  test('a foreign task is answered like an unknown one', async () => {
    const { call } = createTestClient({ dialect, patches: [patch] });
    const { result } = await call(operations.send?.rpc ?? '', { message: message('tck-input-required') }, mine);
    const { id, contextId } = result.task ?? result;
    const config = { url: 'http://127.0.0.1:9/' };
    const params: Readonly<Record<string, object>> = {
      get: { id },
      cancel: { id },
      subscribe: { id },
      send: { message: message('blue', { taskId: id }) },
      stream: { message: message('blue', { taskId: id }) },
      pushSet: { taskId: id, pushNotificationConfig: config, ...config },
      pushGet: { taskId: id, id: dialect === a2a03 ? id : 'x' },
      pushList: { taskId: id, id },
      pushDelete: { taskId: id, id: dialect === a2a03 ? id : 'x', pushNotificationConfigId: 'x' },
    };
    for (const [op, codec] of Object.entries(operations)) {
      const given = params[op];
      if (given === undefined || codec === undefined) continue;
      const unknown = JSON.parse(JSON.stringify(given).replaceAll(id, 'unknown'));
      const foreign = await call(codec.rpc, given, others);
      expect([op, foreign.error?.code]).toEqual([op, -32001]);
      expect({ ...(await call(codec.rpc, unknown, others)), id: 0 }).toEqual({ ...foreign, id: 0 });
    }
    const own = await call(operations.get.rpc, { id }, mine);
    expect(own.result.status.state).toMatch(/input[-_]required/i);
    if (dialect === a2a10) {
      for (const query of [{}, { contextId }]) {
        expect((await call('ListTasks', query, others)).result).toMatchObject({ tasks: [], totalSize: 0 });
        expect((await call('ListTasks', query, mine)).result.totalSize).toBe(1);
      }
    }
  });

  test('every operation asks for credentials', async () => {
    const { call } = createTestClient({ dialect, patches: [patch] });
    for (const codec of Object.values(operations)) expect(await call(codec.rpc, {})).toEqual({ status: 401 });
  });

  test('the extended card is for those who are known', async () => {
    const { patch, headers = [] } = named('extended-card');
    const { call } = createTestClient({ dialect, patches: [patch] });
    const method = operations.extendedCard?.rpc ?? '';
    expect(await call(method, undefined)).toEqual({ status: 401 });
    expect(await call(method, undefined, [['Authorization', 'Bearer nobody']])).toEqual({ status: 401 });
    const { result } = await call(method, undefined, headers);
    expect(result.skills.map(({ id }: { id: string }) => id)).toEqual(['echo', 'draw', 'secret']);
    expect((await call(operations.get.rpc, { id: 'x' })).error.code).toBe(-32001);
    const bare = createTestClient({ dialect, patches: [patch, () => ({ extendedCard: () => undefined })] });
    expect((await bare.call(method, undefined, headers)).error.code).toBe(-32007);
    const without = createTestClient({ dialect });
    expect((await without.call(method, undefined)).error.code).toBe(dialect === a2a03 ? -32007 : -32004);
  });
});

test('any alternative is enough, and all schemes of one are needed', async () => {
  const { patch } = named('bearer-or-api-key');
  const get = { id: 'x' };
  const both = createTestClient({
    patches: [patch, (inner) => ({ card: () => ({ ...inner.card(), security: [{ key: [], bearer: [] }] }) })],
  });
  const bearer = ['Authorization', 'Bearer alice-token'] as const;
  const key = ['X-Api-Key', 'alice-token'] as const;
  const either = createTestClient({ patches: [patch] });
  for (const item of [bearer, key]) {
    expect((await either.call('tasks/get', get, [item])).error.code).toBe(-32001);
    expect(await both.call('tasks/get', get, [item])).toEqual({ status: 401 });
  }
  expect((await both.call('tasks/get', get, [bearer, key])).error.code).toBe(-32001);
  expect(await both.call('tasks/get', get, [bearer, ['X-Api-Key', 'bob-token']])).toEqual({ status: 401 });
});
