import { expect, test } from 'vitest';
import { bindings, httpJson, jsonrpc } from '../binding/index.js';
import { operations } from '../model/index.js';
import {
  type Dialect,
  dialectById,
  dialectOfVersion,
  dialectOver,
  dialects,
  isFor,
  lineage,
  withoutVersionInPaths,
} from './index.js';

const of = (id: string) => {
  const dialect = dialectById(id);
  if (dialect === undefined) throw new Error(`no dialect ${id}`);
  return dialect;
};
const pathsOf = (id: string) => {
  const over = dialectOver(of(id), httpJson);
  return operations.map((name) => over?.operations[name]?.http).map((route) => route && `${route.verb} ${route.path}`);
};

test('1.0 over HTTP+JSON has the paths of §5.3', () => {
  expect(pathsOf('a2a-1.0')).toEqual([
    'POST /message:send',
    'POST /message:stream',
    'GET /tasks/{id}',
    'GET /tasks',
    'POST /tasks/{id}:cancel',
    'POST /tasks/{id}:subscribe',
    'POST /tasks/{taskId}/pushNotificationConfigs',
    'GET /tasks/{taskId}/pushNotificationConfigs/{id}',
    'GET /tasks/{taskId}/pushNotificationConfigs',
    'DELETE /tasks/{taskId}/pushNotificationConfigs/{id}',
    'GET /extendedAgentCard',
  ]);
});

test('every path names members that the params have, in every version that has paths', () => {
  const params = {
    get: { id: 'a' },
    cancel: { id: 'a' },
    subscribe: { id: 'a' },
    pushSet: { taskId: 'a', config: { url: 'http://a.test' } },
    pushGet: { taskId: 'a', configId: 'b' },
    pushList: { taskId: 'a' },
    pushDelete: { taskId: 'a', configId: 'b' },
  } as const;
  const sent = dialects.flatMap((dialect) =>
    Object.entries(params).flatMap(([name, given]) => {
      const names = dialect.operations[name as keyof typeof params];
      if (names?.http === undefined) return [];
      const call = { operation: name as keyof typeof params, endpoint: 'http://a.test', names, id: 1 };
      return [[dialect.id, name, httpJson.request({ ...call, params: names.params.encode(given as never) })] as const];
    }),
  );
  expect(sent.length).toBeGreaterThan(10);
  expect(sent.filter(([, , request]) => 'inexpressible' in request)).toEqual([]);
});

test('agents of 0.3 may serve the paths without /v1; those of 1.0 have none', () => {
  const over = dialectOver(of('a2a-0.3'), httpJson);
  expect(over?.operations.get.http?.path).toBe('/v1/tasks/{id}');
  expect(over && withoutVersionInPaths(over)?.operations.get.http?.path).toBe('/tasks/{id}');
  expect(withoutVersionInPaths(of('a2a-0.3'))).toBeUndefined();
  const newer = dialectOver(of('a2a-1.0'), httpJson);
  expect(newer && withoutVersionInPaths(newer)).toBeUndefined();
});

test('a dialect over its own binding is itself, and over another says so', () => {
  expect(dialectOver(of('a2a-1.0'), jsonrpc)).toBe(of('a2a-1.0'));
  expect(dialectOver(of('a2a-1.0'), httpJson)?.title).toBe('A2A 1.0 over HTTP+JSON');
});

test.for([
  ['1.0', 'a2a-1.0'],
  ['v1.0.1', 'a2a-1.0'],
  ['0.3.0', 'a2a-0.3'],
  ['0.2.6', 'a2a-0.2'],
  ['2.0', undefined],
  ['', undefined],
] as const)('version "%s" is %s', ([version, id]) => {
  expect(dialectOfVersion(version)?.id).toBe(id);
});

test('bindings have names of their own', () => {
  expect(new Set(bindings.map(({ transport }) => transport)).size).toBe(bindings.length);
});

test('an empty list of schemes, which ProtoJSON leaves out, is read as one', () => {
  const config = (authentication: object | undefined) => ({
    name: 'tasks/t-1/pushNotificationConfigs/c-1',
    pushNotificationConfig: { url: 'https://example.com/', ...(authentication && { authentication }) },
  });
  const { binding, errors } = of('a2a-0.3-rest');
  const read = (reply: unknown) => binding.said(reply, errors, { status: 200, isEvent: false });
  const inner = { id: 'c-1', url: 'https://example.com/' };
  expect(read(config({ credentials: 'x' }))).toEqual({
    type: 'result',
    wire: {
      taskId: 't-1',
      pushNotificationConfig: { ...inner, authentication: { schemes: [], credentials: 'x' } },
    },
  });
  expect(read(config({ schemes: ['Bearer'] }))).toMatchObject({
    wire: { pushNotificationConfig: { authentication: { schemes: ['Bearer'] } } },
  });
  const unnamed = { ...config(undefined), name: 'tasks/t-1/pushNotificationConfigs/' };
  expect(read(unnamed)).toMatchObject({ wire: { taskId: 't-1' } });
  expect(read(config(undefined))).toEqual({ type: 'result', wire: { taskId: 't-1', pushNotificationConfig: inner } });
});

test('a version has one profile over each binding, and the first has its name', () => {
  const places = dialects.map(({ version, binding }) => `${version} ${binding.id}`);
  expect(new Set(places).size).toBe(places.length);
  for (const { version } of dialects) expect(dialects.find((dialect) => dialect.version === version)?.id).toBe(version);
});

test('what is kept for a dialect is kept for all that are derived from it', () => {
  const [plain, rest] = [of('a2a-1.0'), of('a2a-1.0-rest')];
  const later: Dialect = { ...plain, id: 'xpr', version: 'xpr', derivedFrom: [plain] };
  const laterRest: Dialect = { ...rest, id: 'openclaw', version: 'xpr', derivedFrom: [later, rest] };
  expect(lineage(laterRest)).toEqual(['openclaw', 'xpr', 'a2a-1.0-rest', 'a2a-1.0']);
  expect(isFor({ profiles: ['a2a-1.0-rest'] }, laterRest)).toBe(true);
  expect(isFor({ profiles: ['a2a-1.0'], binding: 'http+json' }, laterRest)).toBe(true);
  expect(isFor({ profiles: ['xpr'] }, rest)).toBe(false);
});
