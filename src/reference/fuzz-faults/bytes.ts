import { isObject, member } from '../../model/index.js';
import { exactText, header } from '../../wire/index.js';
import { costing, crashing, dying, empty, failing, hung, on, reset } from './breaking.js';
import { fuzzFault } from './fuzz-fault.js';
import { bytesOf, countMembers, depthOf, listOf, somewhere, textOf } from './looking.js';

const isInvalid = (bytes: Uint8Array): boolean => exactText(bytes) === undefined;
/** Number of members in the text: more than were parsed where a name came twice. */
const writtenMembers = (text: string): number => text.replace(/"(?:[^"\\]|\\.)*"/g, '"').match(/"\s*:/g)?.length ?? 0;

/** A whole object, and something after it. */
function hasMore(text: string): boolean {
  const end = text.lastIndexOf('}') + 1;
  return text.slice(end).trim() !== '' && isJson(text.slice(0, end));
}
const isCutOff = (text: string): boolean => /^\s*\{/.test(text) && !hasMore(text) && !text.trimEnd().endsWith('}');
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Faults about the raw form of a request rather than its content. */
export const byteFaults = [
  fuzzFault('fuzz-nesting-resets', {
    about: 'Brackets that are open 400 deep end the connection.',
    seenBy: ['alive', 'law'],
    patch: on((_, request) => depthOf(textOf(request)) > 400, reset),
  }),
  fuzzFault('fuzz-nesting-kills', {
    about: 'Brackets that are open 2000 deep end the agent: nothing is answered any more.',
    seenBy: ['alive', 'law'],
    patch: dying((_, request) => depthOf(textOf(request)) > 2000, reset),
  }),
  fuzzFault('fuzz-nul-crashes', {
    about: 'NUL in any text is answered with HTTP 500 and a page.',
    seenBy: ['alive', 'law'],
    patch: crashing((sent) => somewhere(sent, (one) => typeof one === 'string' && one.includes('\0'))),
  }),
  fuzzFault('fuzz-lone-surrogate-crashes', {
    about: 'Half of a surrogate pair in any text ends the connection.',
    seenBy: ['alive', 'law'],
    patch: on((sent) => somewhere(sent, (one) => typeof one === 'string' && /\p{Surrogate}/u.test(one)), reset),
  }),
  fuzzFault('fuzz-proto-member-crashes', {
    about: 'A member named __proto__ ends the connection.',
    seenBy: ['alive', 'law'],
    patch: on((sent) => somewhere(sent, (_, name) => name === '__proto__'), reset),
  }),
  fuzzFault('fuzz-constructor-member-leaks', {
    about: 'A member named constructor is answered with an internal error and a stack trace.',
    seenBy: ['leak', 'error-class'],
    patch: failing(
      (sent) => somewhere(sent, (_, name) => name === 'constructor'),
      'Internal server error',
      'TypeError: target.constructor is not a function\n    at merge (/srv/agent/node_modules/deep-mix/index.js:41:17)',
    ),
  }),
  fuzzFault('fuzz-bom-crashes', {
    about: 'A byte order mark before the JSON is answered with HTTP 500 and a page.',
    seenBy: ['alive', 'law', 'error-class'],
    patch: crashing((_, request) => Buffer.from(bytesOf(request).subarray(0, 3)).toString('hex') === 'efbbbf'),
  }),
  fuzzFault('fuzz-duplicate-members-crash', {
    about: 'A name that comes twice in an object ends the connection.',
    seenBy: ['alive', 'law'],
    patch: on((sent, request) => isObject(sent) && writtenMembers(textOf(request)) > countMembers(sent), reset),
  }),
  fuzzFault('fuzz-invalid-utf8-crashes', {
    about: 'Bytes that are no UTF-8 are answered with HTTP 500 and a page.',
    seenBy: ['alive', 'law', 'error-class'],
    patch: crashing((_, request) => isInvalid(bytesOf(request))),
  }),
  fuzzFault('fuzz-trailing-garbage-empties', {
    about: 'Anything after the end of the JSON gives an answer without a body.',
    seenBy: ['alive', 'law', 'error-class'],
    patch: on((sent, request) => sent === undefined && hasMore(textOf(request)), empty),
  }),
  fuzzFault('fuzz-truncated-json-hangs', {
    about: 'For the rest of a request that was cut off the agent waits for ever.',
    seenBy: ['alive', 'law'],
    patch: on((sent, request) => sent === undefined && isCutOff(textOf(request)), hung),
  }),
  fuzzFault('fuzz-huge-number-crashes', {
    about: 'A number that is larger than 1e300 is answered with HTTP 500 and a page.',
    seenBy: ['alive', 'law'],
    patch: crashing((sent) => somewhere(sent, (one) => typeof one === 'number' && Math.abs(one) > 1e300)),
  }),
  fuzzFault('fuzz-content-type-crashes', {
    about: 'A content type with an unknown charset ends the connection.',
    seenBy: ['alive', 'law'],
    patch: on((_, { headers }) => {
      const charset = /charset\s*=\s*"?([^";\s]*)/i.exec(header(headers, 'content-type') ?? '')?.[1];
      return charset !== undefined && !/^utf-?8$/i.test(charset);
    }, reset),
  }),
  fuzzFault('fuzz-foreign-content-type-crashes', {
    about: 'A content type that is not that of JSON is answered with an internal error and the path of a file.',
    seenBy: ['leak', 'error-class'],
    patch: failing(
      (_, { headers }) => !/json/i.test(header(headers, 'content-type') ?? ''),
      'no decoder, see /home/deploy/agent/src/decoders/registry.py, line 88',
    ),
  }),
  fuzzFault('fuzz-long-header-resets', {
    about: 'A header of more than 500 letters ends the connection.',
    seenBy: ['alive', 'law'],
    patch: on((_, { headers }) => headers.some(([, value]) => value.length > 500), reset),
  }),
  fuzzFault('fuzz-batch-crashes', {
    about: 'A batch of two or more is answered with HTTP 500 and a page.',
    seenBy: ['alive', 'law', 'error-class'],
    patch: crashing((sent) => listOf(sent).length > 1),
  }),
  fuzzFault('fuzz-empty-batch-hangs', {
    about: 'An empty batch is never answered.',
    seenBy: ['alive', 'law'],
    patch: on((sent) => Array.isArray(sent) && sent.length === 0, hung),
  }),
  fuzzFault('fuzz-notification-crashes', {
    about: 'A call without an id, or with null for one, ends the connection.',
    seenBy: ['alive', 'law'],
    patch: on((sent) => isObject(sent) && (member(sent, 'id') ?? null) === null && 'method' in sent, reset),
  }),
  fuzzFault('fuzz-cost-cubic-in-nesting', {
    about: 'What a call costs grows with the cube of its nesting.',
    seenBy: ['cost', 'alive', 'law'],
    patch: costing((_, request) => Math.max(0, depthOf(textOf(request)) - 8) ** 3 / 50),
  }),
  fuzzFault('fuzz-nesting-leaks', {
    about: 'Brackets that are open 1000 deep are answered with an internal error and a stack trace.',
    seenBy: ['leak', 'error-class'],
    patch: failing(
      (_, request) => depthOf(textOf(request)) > 1000,
      'Internal error',
      'RangeError: Maximum call stack size exceeded\n    at visit (/srv/agent/dist/walk.js:12:31)',
    ),
  }),
];
