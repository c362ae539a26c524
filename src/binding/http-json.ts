import { type ErrorName, isObject, type JsonObject, member, stringMember } from '../model/index.js';
import {
  type Binding,
  type ErrorTable,
  errorOfReason,
  type Inexpressible,
  isErrorText,
  type NativeError,
  type ReplyPlace,
  streamingOperations,
} from './binding.js';

const encoder = new TextEncoder();

/** A surrogate without its other half has no UTF-8, so no percent-encoding either. */
const isHalf = (text: string): boolean => /\p{Surrogate}/u.test(text);

/** Path segments that lead elsewhere: URL parsers resolve them, also when their dots are encoded (WHATWG URL §4.4). */
const isDotSegment = (text: string): boolean => text === '.' || text === '..';

/** The path of a route with the params that it names, and the params that are left. */
function filled(
  path: string,
  params: JsonObject,
): { readonly path: string; readonly rest: Record<string, unknown> } | Inexpressible {
  const rest: Record<string, unknown> = { ...params };
  let why: string | undefined;
  const full = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name];
    delete rest[name];
    if (typeof value !== 'string' || value === '') why ??= `the path needs a text as ${name}`;
    else if (isHalf(value)) why ??= `${name} has half a character, which has no form in a URL`;
    else if (isDotSegment(value)) why ??= `a path cannot hold ${JSON.stringify(value)} as ${name}`;
    return why === undefined ? encodeURIComponent(String(value)) : '';
  });
  return why === undefined ? { path: full, rest } : { inexpressible: why };
}

/** A2A 1.0 §11.5: literal names and values, percent-encoded. Objects, lists and null have no form in a query. */
function queryOf(params: Readonly<Record<string, unknown>>): string | Inexpressible {
  const pairs: string[] = [];
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined) continue;
    const isText = !isHalf(name) && (typeof value !== 'string' || !isHalf(value));
    if (value === null || typeof value === 'object' || !isText)
      return { inexpressible: `a query has no form for ${name}` };
    pairs.push(`${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`);
  }
  return pairs.join('&');
}

/**
 * The URL of a path below the base of an interface: one slash between them, the query of the base kept (1.0 §11.3). A
 * base that already ends in the `/v1` of 0.3 gets no second one (AMB03-40).
 */
export function urlBelow(base: string, path: string, query = ''): string {
  const { origin, pathname, search } = new URL(base);
  const whole = [search.slice(1), query].filter((text) => text !== '').join('&');
  const folder = pathname.replace(/\/+$/, '').replace(/\/v1$/, path.startsWith('/v1/') ? '' : '/v1');
  return `${origin}${folder}${path}${whole === '' ? '' : `?${whole}`}`;
}

/** The first of the details that is of a type of google.rpc (1.0 §11.6); undefined: there is none. */
function detailIn(error: JsonObject, type: 'ErrorInfo' | 'BadRequest'): unknown {
  const details = member(error, 'details');
  if (!Array.isArray(details)) return undefined;
  return details.find((detail) => stringMember(detail, '@type') === `type.googleapis.com/google.rpc.${type}`);
}

/** The error of a google.rpc.ErrorInfo; else a google.rpc.BadRequest means invalid params. */
function withDetails(error: JsonObject, errors: ErrorTable): ErrorName | undefined {
  const reason = stringMember(detailIn(error, 'ErrorInfo'), 'reason');
  const named = errorOfReason(reason, errors);
  return named ?? (detailIn(error, 'BadRequest') === undefined ? undefined : 'InvalidParams');
}

/** Agents of 0.3, which leaves the form of errors open, give the code of JSON-RPC. */
const withCode = (code: unknown, errors: ErrorTable): ErrorName | undefined =>
  (Object.keys(errors) as ErrorName[]).find((name) => errors[name]?.rpc === code);

/** The errors that a status may stand for. A 404 that speaks of no task, or of a path only, may be that of a router. */
function withStatus(status: number, message: unknown, errors: ErrorTable): readonly ErrorName[] {
  // An error of the server that gives no reason is not an error of A2A.
  if (status >= 500 && errors.MethodNotFound?.http?.statuses.includes(status) !== true) return ['InternalError'];
  const fits = (Object.keys(errors) as ErrorName[]).filter((name) => errors[name]?.http?.statuses.includes(status));
  return status === 404 && !/(?<!\/)task/i.test(String(message)) ? [...fits, 'MethodNotFound'] : fits;
}

/** The object that describes the error: 1.0 §11.6 wraps it in `error`, 0.3 leaves its form open. */
const errorIn = (reply: JsonObject): JsonObject => {
  const { error } = reply;
  return isObject(error) ? error : reply;
};

function read(reply: JsonObject, errors: ErrorTable, { status, isEvent }: ReplyPlace): NativeError {
  const error = errorIn(reply);
  const stated = member(error, 'code');
  // An event comes under the status of its stream; what the error says of itself is all there is.
  const errorStatus = isEvent && typeof stated === 'number' ? stated : status;
  const short = isErrorText(reply['error']) ? reply['error'] : undefined;
  const message = member(error, 'message') ?? member(error, 'detail') ?? member(error, 'title') ?? short;
  const named = withDetails(error, errors) ?? withCode(stated, errors);
  // An event that only has words may mean any error.
  const isOpen = isEvent && short !== undefined && typeof stated !== 'number';
  const possible = isOpen ? (Object.keys(errors) as ErrorName[]) : withStatus(errorStatus, message, errors);
  const fits = named === undefined ? possible : [];
  const byStatus = (isOpen ? [] : fits).filter(
    (name) => errors[name]?.http !== undefined && errors[name]?.http?.reason === undefined,
  );
  const name = named ?? (fits.length === 1 ? fits[0] : undefined);
  const statuses = name === undefined ? undefined : errors[name]?.http?.statuses;
  return {
    code: undefined,
    inForm: status >= 400 || (isEvent && short === undefined),
    name,
    ...(statuses === undefined ? {} : { statuses }),
    ...(named === undefined && fits.length > 1 ? { fits, byStatus } : {}),
    message: message ?? '',
    data: member(error, 'details') ?? member(error, 'data'),
    id: undefined,
    wire: error,
  };
}

/** Names of members in errors, as frameworks write them. In an update of A2A no member of these names holds a text or a number. */
const wordsOfErrors: ReadonlySet<string> = new Set(
  'error code status message detail details title type data reason path timestamp'.split(' '),
);

/** An update may carry an error in its data; here nothing is said but an error, though perhaps in an odd shape. */
const isErrorEvent = (reply: JsonObject): boolean =>
  (isObject(reply['error']) && Object.keys(reply).length === 1) ||
  (typeof reply['code'] === 'number' && typeof reply['message'] === 'string') ||
  (isErrorText(reply['error']) && Object.keys(reply).every((name) => wordsOfErrors.has(name)));

/** Media types of answers, those of 1.0.1 and of the texts before (AMB10-07). */
const types = 'application/a2a+json, application/json';

/** HTTP+JSON (A2A 1.0 §11, 0.3 §3.2.3): a verb and a path for each operation, and statuses for errors. */
export const httpJson: Binding = {
  id: 'http+json',
  title: 'HTTP+JSON',
  transport: 'HTTP+JSON',
  letters: /^(httpjson|rest$)/,
  nameOf: ({ http }) => http,
  typed: (name, { http }) => http?.verb === 'POST' && !http.path.includes(`{${name}}`),
  emptyIsResult: true,
  verbs: new Set(['GET', 'POST', 'DELETE']),
  hasErrorSchema: false,
  hasEnvelope: false,
  requests: 'paths',
  missing: new Set([404, 405]),
  request({ operation, endpoint, names, params, edit }) {
    const route = names?.http;
    if (route === undefined) return { inexpressible: `the version has no ${operation} over HTTP+JSON` };
    const given = params === undefined ? {} : params;
    if (!isObject(given)) return { inexpressible: 'the params have no names, which a path, a query and a body need' };
    const at = filled(route.path, given);
    if ('inexpressible' in at) return at;
    const accept = streamingOperations.has(operation) ? `text/event-stream, ${types}` : types;
    if (route.verb !== 'POST') {
      const query = queryOf(at.rest);
      if (typeof query !== 'string') return query;
      return { method: route.verb, url: urlBelow(endpoint, at.path, query), accept };
    }
    const body = edit === undefined ? at.rest : edit(at.rest);
    return {
      method: 'POST',
      url: urlBelow(endpoint, at.path),
      contentType: 'application/json',
      accept,
      body: encoder.encode(JSON.stringify(body) ?? ''),
    };
  },
  said(reply, errors, place) {
    if (!isObject(reply)) return place.status < 300 && !place.isEvent ? { type: 'result', wire: reply } : undefined;
    if (place.status >= 400 || isErrorEvent(reply)) return { type: 'error', error: read(reply, errors, place) };
    return place.status < 300 ? { type: 'result', wire: reply } : undefined;
  },
};
