import type { ProfileId } from '../../dialect/index.js';
import { mediaType } from '../../wire/index.js';
import type { Incoming, Reply } from '../calls.js';
import { jsonReply, plainReply } from '../replies.js';
import type { Patch } from '../seams.js';
import { hung, page, reset } from './breaking.js';
import { type FuzzFault, fuzzFault } from './fuzz-fault.js';
import { bytesOf } from './looking.js';

const profiles: readonly [ProfileId, ...ProfileId[]] = ['a2a-1.0-rest', 'a2a-0.3-rest'];

type When = (request: Incoming) => boolean;

/** The path below the origin as it was sent, and the text behind its question mark. */
function targetOf({ url }: Incoming): { readonly path: string; readonly query: string } {
  const from = url.indexOf('/', url.indexOf('://') + 3);
  const target = from < 0 ? '/' : url.slice(from);
  const mark = target.indexOf('?');
  return mark < 0 ? { path: target, query: '' } : { path: target.slice(0, mark), query: target.slice(mark + 1) };
}
const pathOf = (request: Incoming): string => targetOf(request).path;
const queryOf = (request: Incoming): string => targetOf(request).query;
const lastOf = (request: Incoming): string => pathOf(request).split('/').at(-1) ?? '';
/** Names and values, neither decoded. */
const pairsIn = (request: Incoming): readonly (readonly [name: string, value: string])[] =>
  queryOf(request)
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair): readonly [string, string] => {
      const at = pair.indexOf('=');
      return at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)];
    });

const answering =
  (when: When, reply: Reply): Patch =>
  (inner) => ({ serveHttp: async (request) => (when(request) ? reply : inner.serveHttp(request)) });

const isMalformed = (text: string): boolean => {
  try {
    decodeURIComponent(text);
    return false;
  } catch {
    return true;
  }
};
/** Decoding it a second time fails. */
const failsTwice = (text: string): boolean => !isMalformed(text) && isMalformed(decodeURIComponent(text));

const internal = (message: string): Reply => jsonReply(500, { error: { code: 500, status: 'INTERNAL', message } });

/** The header by which some frameworks let a POST be another verb. */
const overrideIn = ({ headers }: Incoming): string | undefined =>
  headers.find(([name]) => /^x-(http-)?method(-override)?$/i.test(name))?.[1];

/** Ends the task in the path although the request is refused. */
const ending =
  (when: When, reply: Reply): Patch =>
  (inner, { store }) => ({
    async serveHttp(request) {
      if (!when(request)) return inner.serveHttp(request);
      const id = /\/tasks\/([^/:?]+)/.exec(pathOf(request))?.[1];
      const task = id === undefined ? undefined : store.get(id);
      if (task !== undefined) store.put({ ...task, status: { ...task.status, state: 'canceled' } });
      return reply;
    },
  });

const usualVerbs: ReadonlySet<string> = new Set(['GET', 'POST', 'DELETE', 'HEAD']);

const overRest = (id: `fuzz-rest-${string}`, definition: Omit<FuzzFault, 'id' | 'profiles'>): FuzzFault =>
  fuzzFault(id, { ...definition, profiles });

/** Faults of HTTP+JSON: what names an operation and its params is a path, a query and a verb. */
export const pathFaults = [
  overRest('fuzz-rest-nul-in-path-crashes', {
    about: 'An encoded NUL in the path is answered with HTTP 500 and a page.',
    seenBy: ['alive'],
    patch: answering((request) => /%00/.test(pathOf(request)), page(500)),
  }),
  overRest('fuzz-rest-bad-escape-leaks', {
    about: 'An escape in the path that is none is answered with HTTP 400 and a stack trace.',
    seenBy: ['leak'],
    patch: answering(
      (request) => isMalformed(pathOf(request)),
      plainReply(
        400,
        'URIError: Failed to decode param\n    at decode_param (/srv/agent/node_modules/router/layer.js:172:12)',
      ),
    ),
  }),
  overRest('fuzz-rest-decodes-twice-crashes', {
    about: 'The path is decoded twice, and the second time fails with HTTP 500 and a page.',
    seenBy: ['alive'],
    patch: answering((request) => failsTwice(pathOf(request)), page(500)),
  }),
  overRest('fuzz-rest-dot-segment-hangs', {
    about: 'A path that leads upwards, encoded or not, is never answered.',
    seenBy: ['alive'],
    patch: answering((request) => /(^|\/)(\.|%2e){2}(\/|$)/i.test(pathOf(request)), hung),
  }),
  overRest('fuzz-rest-encoded-slash-resets', {
    about: 'An encoded slash in the path ends the connection.',
    seenBy: ['alive'],
    patch: answering((request) => /%2f/i.test(pathOf(request)), reset),
  }),
  overRest('fuzz-rest-doubled-slash-crashes', {
    about: 'Two slashes in a row in the path are answered with HTTP 500 and a page.',
    seenBy: ['alive'],
    patch: answering((request) => pathOf(request).includes('//'), page(500)),
  }),
  overRest('fuzz-rest-colon-in-id-is-internal', {
    about: 'A second colon in the last segment is an internal error.',
    seenBy: ['error-class', 'alive'],
    patch: answering((request) => lastOf(request).split(':').length > 2, internal('no handler')),
  }),
  overRest('fuzz-rest-long-segment-hangs', {
    about: 'A segment of more than 300 letters is never answered.',
    seenBy: ['alive'],
    patch: answering(
      (request) =>
        pathOf(request)
          .split('/')
          .some((one) => one.length > 300),
      hung,
    ),
  }),
  overRest('fuzz-rest-bytes-in-path-are-internal', {
    about: 'Letters beyond ASCII in the path are an internal error with the words of an exception.',
    seenBy: ['error-class', 'alive', 'leak'],
    patch: answering(
      (request) => /%[89a-f][0-9a-f]/i.test(pathOf(request)) && !isMalformed(pathOf(request)),
      internal("UnicodeEncodeError: 'ascii' codec can't encode character"),
    ),
  }),
  overRest('fuzz-rest-trailing-slash-leaks', {
    about: 'A slash at the end of the path is answered with the path of a file.',
    seenBy: ['leak'],
    patch: answering(
      (request) => pathOf(request).endsWith('/'),
      plainReply(404, 'no such file: /home/deploy/agent/public/index.html'),
    ),
  }),
  overRest('fuzz-rest-parameter-twice-crashes', {
    about: 'A parameter that comes twice is answered with HTTP 500 and a page.',
    seenBy: ['alive'],
    patch: answering((request) => {
      const names = pairsIn(request).map(([name]) => name);
      return new Set(names).size < names.length;
    }, page(500)),
  }),
  overRest('fuzz-rest-parameter-as-list-leaks', {
    about: 'A parameter with brackets is an internal error with a stack trace.',
    seenBy: ['leak', 'error-class'],
    patch: answering(
      (request) => pairsIn(request).some(([name]) => /\[|%5b/i.test(name)),
      internal('TypeError: value.trim is not a function\n    at parse (/srv/agent/dist/query.js:20:31)'),
    ),
  }),
  overRest('fuzz-rest-huge-parameter-hangs', {
    about: 'A number of more than 15 digits in the query is never answered.',
    seenBy: ['alive'],
    patch: answering((request) => pairsIn(request).some(([, value]) => /^\d{16,}$/.test(value)), hung),
  }),
  overRest('fuzz-rest-bad-escape-in-query-crashes', {
    about: 'An escape in the query that is none is answered with HTTP 500 and a page.',
    seenBy: ['alive'],
    patch: answering((request) => isMalformed(queryOf(request)), page(500)),
  }),
  overRest('fuzz-rest-plus-in-query-resets', {
    about: 'A plus sign in the query ends the connection.',
    seenBy: ['alive'],
    patch: answering((request) => queryOf(request).includes('+'), reset),
  }),
  overRest('fuzz-rest-inherited-parameter-crashes', {
    about: 'A parameter with a name that all objects have is answered with HTTP 500 and a page.',
    seenBy: ['alive'],
    patch: answering(
      (request) => pairsIn(request).some(([name]) => /^(__proto__|constructor|toString)/.test(name)),
      page(500),
    ),
  }),
  overRest('fuzz-rest-override-ends-task', {
    about: 'A header that makes the request a DELETE is refused, and the task in the path has ended.',
    seenBy: ['unchanged', 'life-cycle', 'law'],
    patch: ending(
      (request) => /^delete$/i.test(overrideIn(request) ?? ''),
      jsonReply(400, { error: { code: 400, status: 'INVALID_ARGUMENT', message: 'not supported' } }),
    ),
  }),
  overRest('fuzz-rest-unknown-override-is-internal', {
    about: 'A header that asks for a verb that is none is an internal error.',
    seenBy: ['error-class', 'alive'],
    patch: answering((request) => {
      const verb = overrideIn(request);
      return verb !== undefined && !/^(get|post|put|patch|delete)$/i.test(verb);
    }, internal('no such verb')),
  }),
  overRest('fuzz-rest-foreign-verb-kills', {
    about: 'A verb that no operation has is refused, and then nothing is answered any more.',
    seenBy: ['alive'],
    patch: (inner) => {
      let dead = false;
      return {
        async serve(request) {
          if (dead) return hung;
          dead = !usualVerbs.has(request.method);
          return inner.serve(request);
        },
      };
    },
  }),
  overRest('fuzz-rest-form-hangs', {
    about: 'For the fields of a form, which the content type promises, the agent waits for ever.',
    seenBy: ['alive'],
    patch: answering(({ headers }) => /^(multipart|application\/x-www-form)/.test(mediaType(headers) ?? ''), hung),
  }),
  overRest('fuzz-rest-body-on-read-hangs', {
    about: 'A GET with a body is never answered.',
    seenBy: ['alive'],
    patch: answering((request) => request.method === 'GET' && bytesOf(request).length > 0, hung),
  }),
  overRest('fuzz-rest-type-with-parameter-crashes', {
    about: 'A content type with a parameter is answered with HTTP 500 and a page.',
    seenBy: ['alive'],
    patch: answering(
      ({ headers }) => headers.some(([name, value]) => name.toLowerCase() === 'content-type' && value.includes(';')),
      page(500),
    ),
  }),
];
