import { isObject, member } from '../../model/index.js';
import type { Incoming, Reply } from '../calls.js';
import { onError } from '../edits.js';
import { fault } from '../fault.js';
import { countMembers, depthOf, partsIn, textOf } from '../fuzz-faults/looking.js';
import { bodyLimit, peek } from '../http.js';
import type { Patch } from '../seams.js';
import { allBut } from '../variant.js';
import { hung, page, replying, reset } from './rpc-replies.js';

const params = (sent: unknown): unknown => member(sent, 'params');
const idIn = (sent: unknown): unknown => member(params(sent), 'id') ?? member(params(sent), 'taskId');
/** Depth of nesting of a body, without the envelope, its params and their metadata. */
const depth = (request: Incoming): number => depthOf(textOf(request)) - 3;
const isDeep = (request: Incoming): boolean => depth(request) > 200;
const hasMessage = (sent: unknown): boolean => isObject(member(params(sent), 'message'));
const isLarge = ({ body }: Incoming): boolean => (body?.byteLength ?? 0) > bodyLimit;
const isText = (_: Incoming, sent: unknown): boolean => typeof member(params(sent), 'message') === 'string';

/** Answers as usual up to and including the first request for which `when` holds; later ones all get `after`. */
const ending =
  (when: (request: Incoming, sent: unknown) => boolean, after: Reply): Patch =>
  (inner) => {
    let ended = false;
    return {
      async serveRpc(request) {
        if (ended) return after;
        ended = when(request, peek(request));
        return inner.serveRpc(request);
      },
    };
  };

export const robustnessFaults = [
  fault('sec-deep-nesting-crashes', {
    about: 'Deep nesting is answered with HTTP 500 and a page.',
    breaks: ['sec.bad-input'],
    patch: replying(isDeep, page(500)),
  }),
  fault('sec-deep-nesting-resets', {
    about: 'Deep nesting ends the connection.',
    breaks: ['sec.bad-input'],
    patch: replying(isDeep, reset),
  }),
  fault('sec-some-nesting-hangs', {
    about: 'Bodies nested 50 to 90 deep are never answered; deeper ones are refused.',
    breaks: ['sec.bad-input'],
    patch: replying((request) => depth(request) >= 50 && depth(request) <= 90, hung),
  }),
  fault('sec-deep-message-resets', {
    about: 'A message nested more than 40 deep ends the connection.',
    breaks: ['sec.bad-input'],
    patch: replying((request, sent) => hasMessage(sent) && depth(request) > 40, reset),
  }),
  fault('sec-wide-metadata-crashes', {
    about: 'More than 1000 members in one request are answered with HTTP 500 and a page.',
    breaks: ['sec.bad-input'],
    patch: replying((_, sent) => countMembers(sent) > 1000, page(500)),
  }),
  fault('sec-many-parts-reset', {
    about: 'A message of more than 100 parts ends the connection.',
    breaks: ['sec.bad-input'],
    patch: replying((_, sent) => partsIn(sent).length > 100, reset),
  }),
  fault('sec-long-text-crashes', {
    about: 'A text of more than 100 KiB, below the limit of bodies, is answered with HTTP 500 and a page.',
    breaks: ['sec.oversized'],
    patch: replying((request) => (request.body?.byteLength ?? 0) > 100 * 1024 && !isLarge(request), page(500)),
  }),
  fault('sec-long-ids-reset', {
    about: 'A very long task id ends the connection.',
    breaks: ['sec.bad-input'],
    patch: replying((_, sent) => String(idIn(sent)).length > 4096, reset),
  }),
  fault('sec-odd-letters-crash', {
    about: 'NUL in a task id is answered with HTTP 500 and a page.',
    breaks: ['sec.bad-input'],
    patch: replying((_, sent) => String(idIn(sent)).includes('\0'), page(500)),
  }),
  fault('sec-object-for-id-crashes', {
    about: 'An object in the place of a task id is answered with HTTP 500 and a page.',
    breaks: ['sec.bad-input'],
    binding: 'jsonrpc',
    patch: replying((_, sent) => isObject(idIn(sent)), page(500)),
  }),
  fault('sec-text-for-message-crashes', {
    about: 'A text in the place of a message is answered with HTTP 500 and a page.',
    breaks: ['sec.bad-input'],
    notOver: ['grpc'],
    patch: replying(isText, page(500)),
  }),
  fault('sec-odd-request-ids-crash', {
    about: 'A request whose id is true or a list is answered with HTTP 500 and a page.',
    breaks: ['sec.bad-input'],
    binding: 'jsonrpc',
    patch: replying((_, sent) => {
      const id = member(sent, 'id');
      return id === true || Array.isArray(id);
    }, page(500)),
  }),
  fault('sec-dies-of-bad-input', {
    about: 'A text in the place of a message is refused, and then every connection is dropped.',
    breaks: ['sec.bad-input'],
    notOver: ['grpc'],
    patch: ending(isText, reset),
  }),
  fault('sec-dies-of-odd-letters', {
    about: 'NUL in a task id is refused, and then every connection is dropped.',
    breaks: ['sec.bad-input'],
    patch: ending((_, sent) => String(idIn(sent)).includes('\0'), reset),
  }),
  fault('sec-hangs-after-bad-input', {
    about: 'A text in the place of a message is refused, and then nothing is answered any more.',
    breaks: ['sec.bad-input'],
    notOver: ['grpc'],
    patch: ending(isText, hung),
  }),
  fault('sec-tells-stack-traces', {
    about: 'Refusals of params have the stack trace of the validation.',
    breaks: ['sec.validated-first'],
    patch: onError((error, failure) =>
      failure === 'InvalidParams'
        ? { ...error, message: `${error['message']}\n    at validate (/srv/agent/params.js:12:7)` }
        : error,
    ),
  }),
  fault('sec-large-body-crashes', {
    about: 'A large body is answered with HTTP 500 and a page.',
    breaks: ['sec.oversized'],
    patch: replying(isLarge, page(500)),
  }),
  fault('sec-large-body-ends-agent', {
    about: 'A large body is refused, and then every connection is dropped.',
    breaks: ['sec.oversized'],
    // In the XPR profiles, where callers sign, another check sends the first large body.
    profiles: allBut('xpr', 'xpr-v2'),
    patch: ending(isLarge, reset),
  }),
];
