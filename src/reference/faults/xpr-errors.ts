import { mediaType } from '../../wire/index.js';
import type { Incoming, Reply } from '../calls.js';
import { onError } from '../edits.js';
import { type Fault, fault } from '../fault.js';
import { bodyLimit, jsonHeaders } from '../http.js';
import type { Patch } from '../seams.js';
import { page, replying } from './rpc-replies.js';

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

const isTruncated = ({ body }: Incoming, sent: unknown): boolean => sent === undefined && (body?.byteLength ?? 0) > 0;
const isLarge = ({ body }: Incoming): boolean => (body?.byteLength ?? 0) > bodyLimit;
const isText = ({ headers }: Incoming): boolean => mediaType(headers) === 'text/plain';
const isBatch = (_: Incoming, sent: unknown): boolean => Array.isArray(sent);

const rpcError = (code: number, message: string): Reply => ({
  status: 200,
  headers: jsonHeaders,
  body: JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } }),
});

/** Errors for unauthenticated callers, and for requests that the agent cannot read. */
export const xprErrorsFaults: readonly Fault[] = [
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
];
