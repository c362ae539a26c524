import { type ErrorName, isObject, type JsonObject, member, stringMember } from '../model/index.js';
import {
  type Binding,
  type ErrorTable,
  type Inexpressible,
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

/** A2A 1.0 §11.5: names and values as they are, percent-encoded. Objects, lists and null have no form in a query. */
function queryOf(params: Readonly<Record<string, unknown>>): string | Inexpressible {
  const pairs: string[] = [];
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined) continue;
    const isText = typeof value !== 'string' || !isHalf(value);
    if (value === null || typeof value === 'object' || !isText)
      return { inexpressible: `a query has no form for ${name}` };
    pairs.push(`${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`);
  }
  return pairs.join('&');
}

/**
 * The URL of a path below the base of an interface: one slash between them, the query of the base kept (1.0 §11.3). A
 * base that already ends in the `/v1` of 0.3 gets no second one (AMB03-33).
 */
export function urlBelow(base: string, path: string, query = ''): string {
  const { origin, pathname, search } = new URL(base);
  const whole = [search.slice(1), query].filter((one) => one !== '').join('&');
  const folder = pathname.replace(/\/+$/, '').replace(/\/v1$/, path.startsWith('/v1/') ? '' : '/v1');
  return `${origin}${folder}${path}${whole === '' ? '' : `?${whole}`}`;
}

/** `reason` of the google.rpc.ErrorInfo among the details (1.0 §11.6); undefined: there is none. */
function reasonIn(error: JsonObject): string | undefined {
  const details = member(error, 'details');
  if (!Array.isArray(details)) return undefined;
  const info = details.find((one) => stringMember(one, '@type') === 'type.googleapis.com/google.rpc.ErrorInfo');
  return stringMember(info, 'reason');
}

const withReason = (reason: string, errors: ErrorTable): ErrorName | undefined =>
  (Object.keys(errors) as ErrorName[]).find((name) => errors[name]?.http?.reason === reason);

/** Agents of 0.3, which leaves the form of errors open, give the code of JSON-RPC. */
const withCode = (code: unknown, errors: ErrorTable): ErrorName | undefined =>
  (Object.keys(errors) as ErrorName[]).find((name) => errors[name]?.rpc === code);

/** The errors that a status may stand for. A 404 that does not speak of a task may be that of a router. */
function withStatus(status: number, message: unknown, errors: ErrorTable): readonly ErrorName[] {
  const fits = (Object.keys(errors) as ErrorName[]).filter((name) => errors[name]?.http?.statuses.includes(status));
  return status === 404 && !/task/i.test(String(message)) ? [...fits, 'MethodNotFound'] : fits;
}

/** The object that tells of the error: 1.0 §11.6 wraps it in `error`, 0.3 leaves its form open. */
const errorIn = (reply: JsonObject): JsonObject => {
  const { error } = reply;
  return isObject(error) ? error : reply;
};

function read(reply: JsonObject, errors: ErrorTable, { status, isEvent }: ReplyPlace): NativeError {
  const error = errorIn(reply);
  const reason = reasonIn(error);
  const stated = member(error, 'code');
  // An event comes under the status of its stream; what the error says of itself is all there is.
  const told = isEvent && typeof stated === 'number' ? stated : status;
  const message = member(error, 'message') ?? member(error, 'detail') ?? member(error, 'title');
  const named = (reason === undefined ? undefined : withReason(reason, errors)) ?? withCode(stated, errors);
  const fits = named === undefined ? withStatus(told, message, errors) : [];
  return {
    code: undefined,
    inForm: status >= 400 || isEvent,
    name: named ?? (fits.length === 1 ? fits[0] : undefined),
    ...(named === undefined && fits.length > 1 ? { fits } : {}),
    message: message ?? '',
    data: member(error, 'details') ?? member(error, 'data'),
    id: undefined,
    wire: error,
  };
}

/** The members by which an event of a stream is no error, though it may carry one of this name in its data. */
const isErrorEvent = (reply: JsonObject): boolean => isObject(reply['error']) && Object.keys(reply).length === 1;

/** HTTP+JSON (A2A 1.0 §11, 0.3 §3.2.3): a verb and a path for each operation, and statuses for errors. */
export const httpJson: Binding = {
  id: 'http+json',
  title: 'HTTP+JSON',
  transport: 'HTTP+JSON',
  has: ({ http }) => http !== undefined,
  emptyIsResult: true,
  request({ operation, endpoint, names, params, edit }) {
    const route = names?.http;
    if (route === undefined) return { inexpressible: `the version has no ${operation} over HTTP+JSON` };
    const given = params === undefined ? {} : params;
    if (!isObject(given)) return { inexpressible: 'the params have no names, which a path, a query and a body need' };
    const at = filled(route.path, given);
    if ('inexpressible' in at) return at;
    const accept = streamingOperations.has(operation) ? 'text/event-stream, application/json' : 'application/json';
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
