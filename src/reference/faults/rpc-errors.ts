import { methodOf } from '../../dialect/index.js';
import { isObject, member } from '../../model/index.js';
import type { Incoming } from '../calls.js';
import { mistaking, without } from '../edits.js';
import { RpcFailure } from '../failure.js';
import { fault } from '../fault.js';
import type { Patch } from '../seams.js';
import { empty, hung, onRefusal, page, replying, reset } from './rpc-replies.js';

/** A call with a message in its params is taken for a send if `isGuessed` holds for its method. */
const guessing =
  (isGuessed: (method: unknown) => boolean): Patch =>
  (inner, { dialect }) => ({
    admit(value, request) {
      const isMeant = isGuessed(member(value, 'method')) && isObject(member(member(value, 'params'), 'message'));
      return inner.admit(isMeant ? { ...Object(value), method: methodOf(dialect, 'send') } : value, request);
    },
  });

const unparsed = (_: Incoming, sent: unknown): boolean => sent === undefined;

export const rpcErrorFaults = [
  fault('rpc-parse-error-as-invalid-request', {
    about: 'Broken JSON is answered with -32600.',
    breaks: ['rpc.parse-error', 'rpc.resembling-json'],
    patch: mistaking('ParseError', 'InvalidRequest'),
  }),
  fault('rpc-parse-error-as-internal-error', {
    about: 'Broken JSON is answered with -32603.',
    breaks: ['rpc.parse-error', 'rpc.resembling-json'],
    patch: mistaking('ParseError', 'InternalError'),
  }),
  fault('rpc-parse-error-as-page', {
    about: 'Broken JSON is answered with HTTP 400 and a page of the framework.',
    breaks: ['rpc.parse-error', 'rpc.resembling-json'],
    patch: replying(unparsed, page(400)),
  }),
  fault('rpc-parse-error-crashes', {
    about: 'Broken JSON is answered with HTTP 500 and a page of the framework.',
    breaks: ['rpc.parse-error', 'rpc.resembling-json', 'sec.bad-input'],
    binding: 'jsonrpc',
    patch: replying(unparsed, page(500)),
  }),
  fault('rpc-parse-error-hangs', {
    about: 'Broken JSON is never answered.',
    breaks: ['rpc.parse-error', 'sec.bad-input'],
    binding: 'jsonrpc',
    patch: replying(unparsed, hung),
  }),
  fault('rpc-parse-error-resets', {
    about: 'Broken JSON ends the connection.',
    breaks: ['rpc.parse-error', 'sec.bad-input'],
    binding: 'jsonrpc',
    patch: replying(unparsed, reset),
  }),
  fault('rpc-parse-error-made-up-id', {
    about: 'Parse errors have the id 0.',
    breaks: ['rpc.parse-error-id-null'],
    patch: onRefusal(-32700, (response) => ({ ...response, id: 0 })),
  }),
  fault('rpc-parse-error-without-id', {
    about: 'Parse errors have no id.',
    breaks: ['rpc.parse-error-id-null'],
    patch: onRefusal(-32700, (response) => without(response, 'id')),
  }),
  fault('rpc-empty-body-is-nothing', {
    about: 'An empty body is answered with an empty body.',
    breaks: ['rpc.parse-error'],
    patch: replying(({ body }) => (body?.length ?? 0) === 0, empty),
  }),
  fault('rpc-empty-body-is-internal-error', {
    about: 'An empty body is answered with -32603.',
    breaks: ['rpc.parse-error'],
    patch: (inner) => ({
      parse(body) {
        if (body.length === 0) throw new RpcFailure('InternalError');
        return inner.parse(body);
      },
    }),
  }),
  fault('rpc-params-left-out-as-parse-error', {
    about: 'A call without params is answered with -32700.',
    breaks: ['rpc.parse-error-meaning', 'rpc.invalid-params'],
    patch: (inner) => ({
      problems(op, wire) {
        if (wire === undefined) throw new RpcFailure('ParseError');
        return inner.problems(op, wire);
      },
    }),
  }),
  fault('rpc-invalid-request-as-invalid-params', {
    about: 'What is no request is answered with -32602.',
    breaks: ['rpc.method-type', 'rpc.version-code'],
    patch: mistaking('InvalidRequest', 'InvalidParams'),
  }),
  fault('rpc-invalid-request-as-internal-error', {
    about: 'What is no request is answered with -32603.',
    breaks: ['rpc.not-a-request', 'rpc.method-type', 'rpc.version-code'],
    patch: mistaking('InvalidRequest', 'InternalError'),
  }),
  fault('rpc-invalid-request-as-parse-error', {
    about: 'What is no request is answered with -32700.',
    breaks: ['rpc.not-a-request', 'rpc.method-type', 'rpc.version-code', 'rpc.parse-error-meaning'],
    patch: mistaking('InvalidRequest', 'ParseError'),
  }),
  fault('rpc-scalar-crashes', {
    about: 'JSON that is no object is answered with HTTP 500 and a page.',
    breaks: ['rpc.not-a-request', 'rpc.not-a-request-refused', 'sec.bad-input'],
    binding: 'jsonrpc',
    patch: replying((_, sent) => typeof sent === 'number', page(500)),
  }),
  fault('rpc-answers-anything', {
    about: 'What is no request is answered with the result null.',
    breaks: ['rpc.not-a-request', 'rpc.method-type', 'rpc.not-a-request-refused'],
    patch: onRefusal(-32600, ({ error: _, ...response }) => ({ ...response, result: null })),
  }),
  fault('rpc-method-guessed', {
    about: 'A request without a method that has a message is taken for a send.',
    breaks: ['rpc.not-a-request-refused', 'rpc.not-a-request'],
    patch: guessing((method) => method === undefined),
  }),
  fault('rpc-odd-method-guessed', {
    about: 'A request with a message is taken for a send, whatever its method is.',
    breaks: ['rpc.method-type', 'rpc.unknown-method'],
    patch: guessing((method) => method === 42 || method === 'kit/no-such-method'),
  }),
  fault('rpc-unreadable-id-made-up', {
    about: 'An invalid request without an id is answered under the id "unknown".',
    breaks: ['rpc.unreadable-id-null'],
    patch: onRefusal(-32600, (response) => ({ ...response, id: response['id'] ?? 'unknown' })),
  }),
  fault('rpc-unreadable-id-left-out', {
    about: 'An invalid request without an id is answered without one.',
    breaks: ['rpc.unreadable-id-null'],
    patch: onRefusal(-32600, (response) => (response['id'] === null ? without(response, 'id') : response)),
  }),
];
