import { dialectById, methodOf } from '../../dialect/index.js';
import { isObject, member, type Operation } from '../../model/index.js';
import { mistaking, onError, overlooking } from '../edits.js';
import { RpcFailure } from '../failure.js';
import { fault } from '../fault.js';
import { plainReply } from '../http.js';
import { type Patch, together } from '../seams.js';
import { onRefusal, page, replying } from './rpc-replies.js';

const isUndeclared = (sent: unknown, methodIs: (op: Operation) => unknown): boolean =>
  ['subscribe', 'extendedCard'].some((op) => member(sent, 'method') === methodIs(op as Operation));

const methodsOf03: Patch = (inner, { dialect }) => ({
  operation(method) {
    const older = dialectById('a2a-0.3') ?? dialect;
    const [op] = Object.entries(older.operations).find(([, { rpc }]) => rpc === method) ?? [];
    return inner.operation((op && methodOf(dialect, op as Operation)) ?? 'none');
  },
});

export const rpcMethodFaults = [
  fault('rpc-version-ignored', {
    about: 'Nobody looks at jsonrpc.',
    breaks: ['rpc.version-checked'],
    patch: (inner) => ({
      admit: (value, request) => inner.admit(isObject(value) ? { ...value, jsonrpc: '2.0' } : value, request),
    }),
  }),
  fault('rpc-version-ignored-without-tasks', {
    about: 'Nobody looks at jsonrpc, at an agent that answers with messages only.',
    breaks: ['rpc.version-checked'],
    on: 'message-only',
    patch: (inner) => ({
      admit: (value, request) => inner.admit(isObject(value) ? { ...value, jsonrpc: '2.0' } : value, request),
    }),
  }),
  fault('rpc-missing-version-ignored', {
    about: 'jsonrpc may be missing.',
    breaks: ['rpc.version-checked'],
    patch: (inner) => ({
      admit: (value, request) => inner.admit(isObject(value) ? { jsonrpc: '2.0', ...value } : value, request),
    }),
  }),
  fault('rpc-method-number-is-unknown', {
    about: 'A method that is a number is answered with -32601.',
    breaks: ['rpc.method-type'],
    patch: (inner) => ({
      admit(value, request) {
        const method = member(value, 'method');
        return inner.admit(typeof method === 'number' ? { ...Object(value), method: String(method) } : value, request);
      },
    }),
  }),
  fault('rpc-params-type-unchecked', {
    about: 'Params that are a text are looked up in, and no task is found.',
    breaks: ['rpc.params-type'],
    patch: (inner) => ({
      problems(op, wire) {
        if (typeof wire === 'string') throw new RpcFailure('TaskNotFound');
        return inner.problems(op, wire);
      },
    }),
  }),
  fault('rpc-params-read-twice', {
    about: 'Params that are a text are parsed once more.',
    breaks: ['rpc.params-type'],
    patch: (inner) => ({
      admit(value, request) {
        const call = inner.admit(value, request);
        const { params } = call;
        return typeof params === 'string' && params.startsWith('{') ? { ...call, params: JSON.parse(params) } : call;
      },
    }),
  }),
  fault('rpc-invalid-params-as-internal-error', {
    about: 'Invalid params are answered with -32603.',
    breaks: ['rpc.invalid-params', 'rpc.params-type'],
    patch: mistaking('InvalidParams', 'InternalError'),
  }),
  fault('rpc-invalid-params-as-unknown-task', {
    about: 'Invalid params are answered with -32001.',
    breaks: ['rpc.invalid-params', 'rpc.params-type'],
    patch: mistaking('InvalidParams', 'TaskNotFound'),
  }),
  fault('rpc-empty-params-accepted', {
    about: 'A send without a message starts a task.',
    breaks: ['rpc.invalid-params'],
    patch: overlooking('send', 'message'),
  }),
  fault('rpc-invalid-params-crash', {
    about: 'Empty params are answered with HTTP 500 and a page.',
    breaks: ['rpc.invalid-params', 'sec.bad-input'],
    patch: replying((_, sent) => JSON.stringify(member(sent, 'params')) === '{}', page(500)),
  }),
  fault('rpc-unknown-method-as-page', {
    about: 'An unknown method is answered with HTTP 404 and a page.',
    breaks: ['rpc.unknown-method', 'rpc.response-object'],
    patch: replying((_, sent) => member(sent, 'method') === 'kit/no-such-method', page(404)),
  }),
  fault('rpc-unknown-method-answered', {
    about: 'An unknown method has the result null.',
    breaks: ['rpc.unknown-method'],
    patch: onRefusal(-32601, ({ error: _, ...response }) => ({ ...response, result: null })),
  }),
  fault('rpc-unknown-method-crashes', {
    about: 'A method that is not there is answered with HTTP 500 and a page.',
    breaks: ['rpc.unknown-method', 'list.absent', 'sec.bad-input'],
    notOver: ['grpc', 'a2a-1.0-rest'],
    patch: (inner) => ({
      async serveRpc(request) {
        const reply = await inner.serveRpc(request);
        return String(reply.body).includes('-32601') ? page(500) : reply;
      },
    }),
  }),
  fault('rpc-methods-ignore-case', {
    about: 'Methods are known in any case.',
    breaks: ['rpc.method-case'],
    patch: (inner) => ({
      operation: (method) => inner.operation(/[a-z]/.test(method) ? method : method.toLowerCase()),
    }),
  }),
  fault('rpc-methods-of-0-3', {
    about: 'The card says 1.0, and so do all objects, but the methods have the names of 0.3.',
    breaks: ['rpc.method-names'],
    profiles: ['a2a-1.0'],
    patch: methodsOf03,
  }),
  fault('rpc-methods-of-0-3-vague', {
    about: 'The methods have the names of 0.3 over objects of 1.0, and every error is an internal one.',
    breaks: ['rpc.method-names'],
    profiles: ['a2a-1.0'],
    patch: together(
      methodsOf03,
      onError(({ data: _, ...error }) => ({ ...error, code: -32603 })),
    ),
  }),
  fault('err-undeclared-crashes', {
    about: 'Methods that the card does not promise are answered with HTTP 500 and a page.',
    breaks: ['err.unsupported-operation', 'sec.bad-input'],
    patch: (inner, world, whole) =>
      replying((_, sent) => isUndeclared(sent, (op) => methodOf(world.dialect, op)), page(500))(inner, world, whole),
  }),
  fault('err-undeclared-without-body', {
    about: 'Methods that the card does not promise are answered with HTTP 404 and a word.',
    breaks: ['err.unsupported-operation'],
    patch: (inner, world, whole) =>
      replying((_, sent) => isUndeclared(sent, (op) => methodOf(world.dialect, op)), plainReply(404, 'Not found'))(
        inner,
        world,
        whole,
      ),
  }),
  fault('rpc-unknown-method-is-internal-error', {
    about: 'An unknown method is answered with -32603.',
    breaks: ['rpc.unknown-method'],
    patch: mistaking('MethodNotFound', 'InternalError'),
  }),
];
