import { isObject } from '../../model/index.js';
import { header, mediaType } from '../../wire/index.js';
import type { Incoming, Reply, RpcCall } from '../calls.js';
import { onEnvelope } from '../edits.js';
import { RpcFailure } from '../failure.js';
import { fault } from '../fault.js';
import { plainReply } from '../http.js';
import type { Patch } from '../seams.js';
import { empty, hung, page, replying, reset } from './rpc-replies.js';

const isBatch = (_: Incoming, sent: unknown): boolean => Array.isArray(sent);
const isNotification = (_: Incoming, sent: unknown): boolean =>
  isObject(sent) && typeof sent['method'] === 'string' && sent['jsonrpc'] === '2.0' && !Object.hasOwn(sent, 'id');
const hasNullId = (_: Incoming, sent: unknown): boolean => isObject(sent) && sent['id'] === null;
const isPlainText = ({ headers }: Incoming): boolean => mediaType(headers) === 'text/plain';
const hasCharset = ({ headers }: Incoming): boolean => header(headers, 'content-type')?.includes('charset') === true;
const versionOf = ({ headers }: Incoming): string | undefined => header(headers, 'a2a-version');
const onGet =
  (reply: Reply): Patch =>
  (inner) => ({ serveRpc: async (request) => (request.method === 'GET' ? reply : inner.serveRpc(request)) });
const refusing =
  (when: (request: Incoming) => boolean, detail: string): Patch =>
  (inner) => ({
    admit(value, request): RpcCall {
      if (when(request)) throw new RpcFailure('InvalidRequest', detail);
      return inner.admit(value, request);
    },
  });

export const rpcHttpFaults = [
  fault('rpc-batch-crashes', {
    about: 'A batch is answered with HTTP 500 and a page.',
    breaks: ['rpc.batch', 'rpc.empty-batch'],
    patch: replying(isBatch, page(500)),
  }),
  fault('rpc-batch-hangs', {
    about: 'A batch is never answered.',
    breaks: ['rpc.batch', 'rpc.empty-batch'],
    patch: replying(isBatch, hung),
  }),
  fault('rpc-batch-dropped', {
    about: 'A batch is answered with an empty body.',
    breaks: ['rpc.batch', 'rpc.empty-batch'],
    patch: replying(isBatch, empty),
  }),
  fault('rpc-notification-crashes', {
    about: 'A call without id is answered with HTTP 500 and a page.',
    breaks: ['rpc.notification'],
    patch: replying(isNotification, page(500)),
  }),
  fault('rpc-notification-made-up-id', {
    about: 'A call without id is answered under an id of the agent.',
    breaks: ['rpc.notification'],
    patch: (inner) => ({
      admit(value, request) {
        const call = inner.admit(value, request);
        return call.id === undefined ? { ...call, id: 'notification-1' } : call;
      },
    }),
  }),
  fault('rpc-null-id-crashes', {
    about: 'A call with the id null is answered with HTTP 500 and a page.',
    breaks: ['rpc.null-id'],
    patch: replying(hasNullId, page(500)),
  }),
  fault('rpc-null-id-made-up', {
    about: 'A call with the id null is answered under the id "null".',
    breaks: ['rpc.null-id'],
    patch: onEnvelope((response, call) => (call?.id === null ? { ...response, id: 'null' } : response)),
  }),
  fault('rpc-charset-refused', {
    about: 'A content type with a parameter is refused with 415.',
    breaks: ['rpc.accepts-json-post'],
    patch: replying(hasCharset, plainReply(415, 'JSON only')),
  }),
  fault('rpc-charset-crashes', {
    about: 'A content type with a parameter is answered with HTTP 500 and a page.',
    breaks: ['rpc.accepts-json-post'],
    patch: replying(hasCharset, page(500)),
  }),
  fault('rpc-other-content-type-hangs', {
    about: 'A call as text/plain is never answered.',
    breaks: ['rpc.other-content-type'],
    patch: replying(isPlainText, hung),
  }),
  fault('rpc-other-content-type-resets', {
    about: 'A call as text/plain ends the connection.',
    breaks: ['rpc.other-content-type'],
    patch: replying(isPlainText, reset),
  }),
  fault('rpc-other-content-type-crashes', {
    about: 'A call as text/plain is answered with HTTP 500 and a page.',
    breaks: ['rpc.other-content-type'],
    patch: replying(isPlainText, page(500)),
  }),
  fault('rpc-get-crashes', {
    about: 'A GET of the endpoint is answered with HTTP 500 and a page.',
    breaks: ['rpc.get-endpoint'],
    patch: onGet(page(500)),
  }),
  fault('rpc-get-resets', {
    about: 'A GET of the endpoint ends the connection.',
    breaks: ['rpc.get-endpoint'],
    patch: onGet(reset),
  }),
  fault('ver-header-required', {
    about: 'Calls need the header A2A-Version.',
    breaks: ['ver.header-not-required'],
    patch: refusing((request) => versionOf(request) === undefined, 'the A2A-Version header is missing'),
  }),
  fault('ver-header-refused', {
    about: 'Calls with the header A2A-Version are refused.',
    breaks: ['ver.header-ignored'],
    patch: refusing((request) => versionOf(request) !== undefined, 'unknown header'),
  }),
  fault('ver-other-header-crashes', {
    about: 'A call with A2A-Version: 1.0 is answered with HTTP 500 and a page.',
    breaks: ['ver.other-header'],
    patch: replying((request) => versionOf(request) === '1.0', page(500)),
  }),
];
