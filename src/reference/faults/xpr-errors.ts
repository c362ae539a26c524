import { type JsonObject, member } from '../../model/index.js';
import { header, mediaType } from '../../wire/index.js';
import { headerNames } from '../../xpr/index.js';
import type { Incoming, Reply } from '../calls.js';
import { onError, without } from '../edits.js';
import { RpcFailure } from '../failure.js';
import { type Fault, fault } from '../fault.js';
import { bodyLimit, jsonHeaders, peek } from '../http.js';
import type { Patch } from '../seams.js';
import { onXpr } from '../xpr/patches.js';
import { hung, onRefusal, page, replying, reset } from './rpc-replies.js';

const denial = -32000;

const stack = [
  'SyntaxError: Unexpected end of JSON input',
  '    at JSON.parse (<anonymous>)',
  '    at parse (/app/node_modules/body-parser/lib/types/json.js:92:19)',
].join('\n');
/** A stack trace in a page, as Express answers in development. */
const stackPage = (status: number): Reply => ({ ...page(status), body: `<!doctype html><pre>${stack}</pre>\n` });

/** Adds words to every authentication error. */
const saying = (words: string): Patch =>
  onError((error, failure) =>
    failure === 'AuthenticationError' ? { ...error, message: `${error['message']}: ${words}` } : error,
  );

/** Replaces the refusal of unauthenticated requests if `when` holds for the error message. */
const deniedBy =
  (when: (message: string) => boolean, reply: Reply): Patch =>
  (inner, _, whole) => {
    // The request object is copied on its way, but its body is not, so the body identifies it.
    const refused = new WeakSet<Uint8Array>();
    return {
      async authenticate(request) {
        try {
          return await inner.authenticate(request);
        } catch (cause) {
          if (cause instanceof RpcFailure && when(cause.message) && request.body) refused.add(request.body);
          throw cause;
        }
      },
      async serve(request) {
        const answer = await inner.serve(request);
        const isMeant = whole.route(request) === 'endpoint' && request.body !== undefined && refused.has(request.body);
        return isMeant ? reply : answer;
      },
    };
  };

const isSigned = ({ headers }: Incoming): boolean => header(headers, headerNames.signature) !== undefined;
/** For `deniedBy`: the signature is of another key. */
const otherKey = (message: string): boolean => message.includes('key of the account');

const isTruncated = ({ body }: Incoming, sent: unknown): boolean => sent === undefined && (body?.byteLength ?? 0) > 0;
const isLarge = ({ body }: Incoming): boolean => (body?.byteLength ?? 0) > bodyLimit;
const isText = ({ headers }: Incoming): boolean => mediaType(headers) === 'text/plain';
const isBatch = (_: Incoming, sent: unknown): boolean => Array.isArray(sent);

const rpcError = (code: number, message: string): Reply => ({
  status: 200,
  headers: jsonHeaders,
  body: JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } }),
});

const edited = (edit: (response: JsonObject) => unknown): Patch => onRefusal(denial, edit);
const withError = (response: JsonObject, edit: (error: JsonObject) => JsonObject): JsonObject => ({
  ...response,
  error: edit(response['error'] as JsonObject),
});

/** Errors for unauthenticated callers, and for requests that the agent cannot read. */
export const xprErrorsFaults: readonly Fault[] = [
  fault('xpr-denied-without-id', {
    about: 'Authentication errors have the id null.',
    breaks: ['xpr.error-envelope'],
    patch: edited((response) => ({ ...response, id: null })),
  }),
  fault('xpr-denied-with-other-id', {
    about: 'Authentication errors have an id of their own.',
    breaks: ['xpr.error-envelope'],
    patch: edited((response) => ({ ...response, id: 'denied' })),
  }),
  fault('xpr-denied-without-version', {
    about: 'Authentication errors do not say jsonrpc "2.0".',
    breaks: ['xpr.error-envelope'],
    patch: edited((response) => without(response, 'jsonrpc')),
  }),
  fault('xpr-denied-with-result', {
    about: 'Beside an authentication error there is the result null.',
    breaks: ['xpr.error-envelope'],
    patch: edited((response) => ({ ...response, result: null })),
  }),
  fault('xpr-denied-without-message', {
    about: 'Authentication errors have a code and no message.',
    breaks: ['xpr.error-envelope'],
    patch: edited((response) => withError(response, (error) => without(error, 'message') as JsonObject)),
  }),
  fault('xpr-denied-401-without-id', {
    about: 'Authentication errors under HTTP 401 have the id null.',
    breaks: ['xpr.error-envelope'],
    on: 'xpr-http-401',
    patch: edited((response) => ({ ...response, id: null })),
  }),
  fault('xpr-invalid-json-page', {
    about: 'Broken JSON is answered with a page of the framework, with HTTP 400 and a stack trace.',
    breaks: ['xpr.invalid-json', 'xpr.no-disclosure'],
    patch: replying(isTruncated, stackPage(400)),
  }),
  fault('xpr-invalid-json-is-invalid-request', {
    about: 'Broken JSON is answered with -32600.',
    breaks: ['xpr.invalid-json'],
    patch: replying(isTruncated, rpcError(-32600, 'Invalid request')),
  }),
  fault('xpr-invalid-json-is-internal-error', {
    about: 'Broken JSON is answered with -32603.',
    breaks: ['xpr.invalid-json'],
    patch: replying(isTruncated, rpcError(-32603, 'Internal error')),
  }),
  fault('xpr-large-body-page', {
    about: 'A body that is too large is answered with a page and HTTP 413.',
    breaks: ['xpr.error-forms'],
    patch: replying(isLarge, page(413)),
  }),
  fault('xpr-content-type-page', {
    about: 'Another content type is answered with a page and HTTP 415.',
    breaks: ['xpr.error-forms'],
    patch: replying(isText, page(415)),
  }),
  fault('xpr-batch-crashes', {
    about: 'A batch is answered with HTTP 500.',
    breaks: ['xpr.error-forms'],
    patch: replying(isBatch, { ...rpcError(-32603, 'Internal error'), status: 500 }),
  }),
  fault('xpr-batch-shows-stack', {
    about: 'A batch is refused with -32600 and the stack of the exception.',
    breaks: ['xpr.error-forms', 'xpr.no-disclosure'],
    patch: replying(isBatch, rpcError(-32600, stack)),
  }),
  fault('xpr-errors-with-path', {
    about: 'Authentication errors name a file of the agent.',
    breaks: ['xpr.no-disclosure'],
    patch: saying('thrown in /srv/agent/dist/auth.js'),
  }),
  fault('xpr-errors-with-stack', {
    about: 'Authentication errors have a stack trace as data.',
    breaks: ['xpr.no-disclosure'],
    patch: onError((error, failure) =>
      failure === 'AuthenticationError'
        ? { ...error, data: { stack: 'Error: denied\n    at verify (dist/auth.js:41:11)' } }
        : error,
    ),
  }),
  fault('xpr-errors-with-chain', {
    about: 'Authentication errors name the node of the chain.',
    breaks: ['xpr.no-disclosure'],
    patch: saying('request to http://10.0.0.7:8888/v1/chain/get_account failed'),
  }),
  fault('xpr-errors-with-package', {
    about: 'Unknown tasks are refused with the name of a package.',
    breaks: ['xpr.no-disclosure'],
    patch: onError((error, failure) =>
      failure === 'TaskNotFound' ? { ...error, message: `${error['message']} (@xpr-agents/sdk 0.2.6)` } : error,
    ),
  }),
  fault('xpr-wrong-key-crashes', {
    about: 'A signature of another key is answered with HTTP 500 and a page.',
    breaks: ['xpr.robust'],
    patch: deniedBy(otherKey, page(500)),
  }),
  fault('xpr-bad-signature-internal-error', {
    about: 'A signature of another key is answered with -32603.',
    breaks: ['xpr.robust'],
    patch: onXpr((inner) => ({
      authorises(key, permissions) {
        if (inner.authorises(key, permissions)) return true;
        throw new RpcFailure('InternalError', 'undefined is not a key');
      },
    })),
  }),
  fault('xpr-bad-signature-hangs', {
    about: 'A signature of another key is never answered.',
    breaks: ['xpr.robust'],
    patch: deniedBy(otherKey, hung),
  }),
  fault('xpr-bad-signature-resets', {
    about: 'A signature of another key ends the connection.',
    breaks: ['xpr.robust'],
    patch: deniedBy(otherKey, reset),
  }),
  fault('xpr-denied-page', {
    about: 'Unauthenticated callers get a sign-in page with HTTP 200.',
    breaks: ['xpr.robust'],
    patch: (inner, _, whole) => ({
      async serve(request) {
        const answer = await inner.serve(request);
        if (whole.route(request) !== 'endpoint' || !isSigned(request)) return answer;
        const sent = typeof answer.body === 'string' ? peekReply(answer.body) : undefined;
        return member(member(sent, 'error'), 'code') === denial ? page(200) : answer;
      },
    }),
  }),
];

function peekReply(body: string): unknown {
  return peek({ method: '', url: '', headers: [], body: new TextEncoder().encode(body) });
}
