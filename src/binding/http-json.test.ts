import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { httpJson, urlBelow } from './http-json.js';
import type { ErrorTable, NativeCall } from './index.js';

const base = 'http://agent.test/rest';
const request = (more: Partial<NativeCall>) =>
  httpJson.request({ operation: 'get', endpoint: base, names: undefined, params: {}, id: 'x', ...more });
const get = { rpc: 'GetTask', http: { verb: 'GET', path: '/tasks/{id}' } } as const;
const cancel = { rpc: 'CancelTask', http: { verb: 'POST', path: '/tasks/{id}:cancel' } } as const;
const textOf = (body: Uint8Array | undefined) => new TextDecoder().decode(body);

describe('a request', () => {
  test('has the id in the path and the other params in the query', () => {
    expect(request({ names: get, params: { id: 'a b', historyLength: 0 } })).toMatchObject({
      method: 'GET',
      url: 'http://agent.test/rest/tasks/a%20b?historyLength=0',
    });
  });

  test('has what is not in the path in the body of a POST', () => {
    const sent = request({ operation: 'cancel', names: cancel, params: { id: '1', metadata: { why: 'x' } } });
    expect(sent).toMatchObject({ method: 'POST', url: 'http://agent.test/rest/tasks/1:cancel' });
    if ('inexpressible' in sent) throw new Error(sent.inexpressible);
    expect(JSON.parse(textOf(sent.body))).toEqual({ metadata: { why: 'x' } });
  });

  test.for([
    [{ id: '' }, 'the path needs a text as id'],
    [{ id: 7 }, 'the path needs a text as id'],
    [{}, 'the path needs a text as id'],
    [{ id: '\ud800' }, 'id has half a character, which has no form in a URL'],
    [{ id: '..' }, 'a path cannot hold ".." as id'],
    [{ id: '1', metadata: {} }, 'a query has no form for metadata'],
    [{ id: '1', historyLength: null }, 'a query has no form for historyLength'],
    [[], 'the params have no names, which a path, a query and a body need'],
  ] as const)('with %j is not expressible', ([params, inexpressible]) => {
    expect(request({ names: get, params })).toEqual({ inexpressible });
  });

  test('of an operation that the version does not have is not expressible', () => {
    expect(request({ names: { rpc: 'ListTasks' } })).toEqual({
      inexpressible: 'the version has no get over HTTP+JSON',
    });
  });

  test('leads to the task of any id and to no other path', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (id) => {
        const sent = request({ names: get, params: { id } });
        if ('inexpressible' in sent) return id === '.' || id === '..';
        const { pathname, search, hash } = new URL(sent.url);
        const segments = pathname.split('/');
        return (
          segments.length === 4 &&
          segments.slice(0, 3).join('/') === '/rest/tasks' &&
          decodeURIComponent(segments[3] ?? '') === id &&
          search === '' &&
          hash === ''
        );
      }),
    );
  });

  test.for([
    ['http://a.test', 'http://a.test/tasks?x=1'],
    ['http://a.test/', 'http://a.test/tasks?x=1'],
    ['http://a.test/v1/', 'http://a.test/v1/tasks?x=1'],
    ['http://a.test/p?key=k', 'http://a.test/p/tasks?key=k&x=1'],
  ] as const)('below %s goes to %s', ([from, to]) => {
    expect(urlBelow(from, '/tasks', 'x=1')).toBe(to);
  });
});

test('below a base with the /v1 of 0.3 has no second one', () => {
  expect(urlBelow('http://a.test/x/v1/', '/v1/card')).toBe('http://a.test/x/v1/card');
  expect(urlBelow('http://a.test/v1', '/tasks')).toBe('http://a.test/v1/tasks');
});

describe('a reply', () => {
  const errors: ErrorTable = {
    TaskNotFound: { rpc: -32001, http: { statuses: [404], reason: 'TASK_NOT_FOUND' } },
    TaskNotCancelable: { rpc: -32002, http: { statuses: [400, 409], reason: 'TASK_NOT_CANCELABLE' } },
    InvalidParams: { rpc: -32602, http: { statuses: [400] } },
  };
  const info = (reason: string) => [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason }];
  const said = (reply: unknown, status: number, isEvent = false) => httpJson.said(reply, errors, { status, isEvent });

  test('of 2xx is the result', () => {
    expect(said({ id: '1' }, 201)).toEqual({ type: 'result', wire: { id: '1' } });
    expect(said([], 200)).toEqual({ type: 'result', wire: [] });
  });

  test('has the name of its reason, whatever its status', () => {
    expect(said({ error: { code: 400, message: 'm', details: info('TASK_NOT_FOUND') } }, 400)).toMatchObject({
      type: 'error',
      error: { name: 'TaskNotFound', message: 'm', inForm: true },
    });
  });

  test('without a reason has the name of its status, where that is one', () => {
    expect(said({ message: 'no such task' }, 404)).toMatchObject({ error: { name: 'TaskNotFound' } });
    expect(said({ detail: 'Not Found' }, 404)).toMatchObject({ error: { fits: ['TaskNotFound', 'MethodNotFound'] } });
    expect(said({ code: -32002, message: 'no' }, 400)).toMatchObject({ error: { name: 'TaskNotCancelable' } });
    expect(said({ title: 'no', status: 409 }, 409)).toMatchObject({
      error: { name: 'TaskNotCancelable', message: 'no' },
    });
    const open = said({ error: { message: 'bad' } }, 400);
    expect(open).toMatchObject({ error: { fits: ['TaskNotCancelable', 'InvalidParams'] } });
    expect(open?.type === 'error' && open.error.name).toBeUndefined();
  });

  test('with an error under 200 is an error', () => {
    expect(said({ error: { message: 'no', details: info('TASK_NOT_FOUND') } }, 200)).toMatchObject({
      type: 'error',
      error: { name: 'TaskNotFound', inForm: false },
    });
  });

  test('in a stream is an update, or an error with the code that it states', () => {
    expect(said({ task: {} }, 200, true)).toEqual({ type: 'result', wire: { task: {} } });
    expect(said({ error: { code: 404, message: 'no such task' } }, 200, true)).toMatchObject({
      error: { name: 'TaskNotFound', inForm: true },
    });
    // It has no status of its own, so it may be any.
    expect(said({ error: 'TaskNotFoundError', message: 'no' }, 200, true)).toMatchObject({
      error: { message: 'no', inForm: false, fits: Object.keys(errors), byStatus: [] },
    });
    expect(said({ error: 'no' }, 200, true)).toMatchObject({ error: { message: 'no' } });
  });

  test('of 3xx, and a text in a stream, is neither', () => {
    expect(said({}, 302)).toBeUndefined();
    expect(said('x', 200, true)).toBeUndefined();
  });
});
