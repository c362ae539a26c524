import { isObject, type JsonObject, member } from '../../model/index.js';
import type { Reply } from '../calls.js';
import { onEnvelope, onError, onReply, set, without } from '../edits.js';
import { fault } from '../fault.js';
import type { Patch } from '../seams.js';
import { hung, replying } from './rpc-replies.js';

const isResult = (response: JsonObject): boolean => Object.hasOwn(response, 'result');
const ofType = (type: string): Patch =>
  onReply('endpoint', (reply) => ({ ...reply, headers: [['content-type', type]] }));
const onText = (change: (text: string) => Reply['body']): Patch =>
  onReply('endpoint', (reply) => (typeof reply.body === 'string' ? { ...reply, body: change(reply.body) } : reply));

export const rpcFaults = [
  fault('rpc-no-version-member', {
    about: 'Responses lack the member jsonrpc.',
    breaks: ['rpc.version-member'],
    patch: onEnvelope((response) => without(response, 'jsonrpc')),
  }),
  fault('rpc-version-as-number', {
    about: 'The version in responses is a number.',
    breaks: ['rpc.version-member'],
    patch: onEnvelope((response) => set(response, 'jsonrpc', 2)),
  }),
  fault('rpc-old-version', {
    about: 'Responses are of JSON-RPC 1.0.',
    breaks: ['rpc.version-member'],
    patch: onEnvelope((response) => set(response, 'jsonrpc', '1.0')),
  }),
  fault('rpc-null-error-beside-result', {
    about: 'Results come with the error null.',
    breaks: ['rpc.result-xor-error'],
    patch: onEnvelope((response) => (isResult(response) ? { ...response, error: null } : response)),
  }),
  fault('rpc-null-result-beside-error', {
    about: 'Errors come with the result null.',
    breaks: ['rpc.result-xor-error'],
    patch: onEnvelope((response) => ({ result: null, ...response })),
  }),
  fault('rpc-neither-result-nor-error', {
    about: 'An unknown task is answered with neither result nor error.',
    breaks: ['rpc.result-xor-error'],
    patch: onEnvelope((response) => without(response, 'error')),
  }),
  fault('rpc-error-as-string', {
    about: 'Errors are texts.',
    breaks: ['rpc.error-object'],
    patch: onEnvelope((response) =>
      isResult(response) ? response : set(response, 'error', member(response['error'], 'message')),
    ),
  }),
  fault('rpc-error-code-as-string', {
    about: 'Error codes are strings of digits.',
    breaks: ['rpc.error-object'],
    patch: onError((error) => ({ ...error, code: String(error['code']) })),
  }),
  fault('rpc-error-without-message', {
    about: 'Errors have a code and no message.',
    breaks: ['rpc.error-object'],
    patch: onError(({ message: _, ...error }) => error),
  }),
  fault('rpc-text-plain', {
    about: 'Responses come as text/plain.',
    breaks: ['rpc.content-type'],
    patch: ofType('text/plain; charset=utf-8'),
  }),
  fault('rpc-no-content-type', {
    about: 'Responses have no content type.',
    breaks: ['rpc.content-type'],
    patch: onReply('endpoint', (reply) => ({ ...reply, headers: [] })),
  }),
  fault('rpc-streams-plain-calls', {
    about: 'Every call is answered with an event stream.',
    breaks: ['rpc.content-type'],
    patch: onReply('endpoint', (reply) => ({
      ...reply,
      headers: [['content-type', 'text/event-stream']],
      body: `data: ${String(reply.body)}\n\n`,
    })),
  }),
  fault('rpc-created-for-results', {
    about: 'Results come with HTTP 201.',
    breaks: ['rpc.http-status'],
    patch: (inner) => ({
      httpStatus: (response) => (isObject(response) && isResult(response) ? 201 : inner.httpStatus(response)),
    }),
  }),
  fault('rpc-latin-1', {
    about: 'Responses are written in ISO 8859-1.',
    breaks: ['rpc.utf8'],
    patch: onText((text) => new Uint8Array(Buffer.from(text, 'latin1'))),
  }),
  fault('rpc-ascii-only', {
    about: 'Letters that are not ASCII become question marks.',
    breaks: ['rpc.utf8'],
    patch: onText((text) => text.replaceAll(/[^\0-\x7f]/gu, '?')),
  }),
  fault('rpc-trailing-comma', {
    about: 'Responses end in a comma that JSON does not allow.',
    breaks: ['rpc.utf8'],
    patch: onText((text) => text.replace(/\}$/, ',}')),
  }),
  fault('rpc-byte-order-mark', {
    about: 'Bodies begin with a byte order mark.',
    breaks: ['rpc.utf8'],
    patch: onText((text) => `\ufeff${text}`),
  }),
  fault('rpc-bare-results', {
    about: 'Results come without the envelope around them.',
    breaks: ['rpc.response-object'],
    patch: onEnvelope((response) => (isResult(response) ? response['result'] : response)),
  }),
  fault('rpc-never-answers', {
    about: 'There is a card, but no call is ever answered.',
    breaks: ['rpc.response-object'],
    patch: replying(() => true, hung),
  }),
  fault('rpc-refusals-without-body', {
    about: 'Refusals are HTTP 400 and nothing else.',
    breaks: ['rpc.response-object'],
    patch: onReply('endpoint', (reply) =>
      String(reply.body).includes('"error"') ? { status: 400, headers: [], body: '' } : reply,
    ),
  }),
];
