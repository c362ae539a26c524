import type { Dialect, HttpRoute } from '../dialect/index.js';
import { type ErrorName, isObject, type JsonObject, member, type Operation } from '../model/index.js';
import { bodyText, type Header, mediaType } from '../wire/index.js';
import { bodyLimit } from './body-limit.js';
import type { HttpCall, HttpReply, Incoming, Reply } from './calls.js';
import { RpcFailure } from './failure.js';
import { dataIn, gathered, innerCalls, parsed, streamed } from './inner-calls.js';
import { isDeep } from './rpc.js';
import type { Seams, World } from './seams.js';

// HTTP+JSON (1.0 §11, 0.3 §3.2.3) in front of the same operations: a request becomes a call, and the response to the call
// becomes an answer of this binding.

export type HttpJsonSeams = Pick<
  Seams,
  'httpBases' | 'serveHttp' | 'httpCall' | 'httpResult' | 'httpRefusal' | 'httpType'
>;

const encoder = new TextEncoder();
const requestTypes: ReadonlySet<string> = new Set(['application/json', 'application/a2a+json']);

/** Names of google.rpc.Code for a status (googleapis, rpc/code.proto). */
const statusNames: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  409: 'FAILED_PRECONDITION',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  501: 'UNIMPLEMENTED',
  503: 'UNAVAILABLE',
};
/** 1.0.1 §5.4: errors of A2A whose name is not that of their status. */
const preconditions: ReadonlySet<ErrorName | undefined> = new Set<ErrorName>([
  'TaskNotCancelable',
  'PushNotificationNotSupported',
  'UnsupportedOperation',
  'ExtendedCardNotConfigured',
  'ExtensionSupportRequired',
  'VersionNotSupported',
]);

interface Path {
  readonly op: Operation;
  readonly verbs: readonly string[];
  readonly pattern: RegExp;
  readonly names: readonly string[];
}

/** §11.3.2 has POST for a subscription, the proto GET (AMB10-04): both work. */
const verbsOf = (op: Operation, { verb }: HttpRoute): readonly string[] =>
  op === 'subscribe' ? ['POST', 'GET'] : [verb];

function pathsOf({ operations }: Dialect): readonly Path[] {
  return Object.entries(operations).flatMap(([op, { http }]): readonly Path[] => {
    if (http === undefined) return [];
    const names = [...http.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    const pattern = new RegExp(`^${http.path.replaceAll(/\{\w+\}/g, '([^/]+?)')}$`);
    return [{ op: op as Operation, verbs: verbsOf(op as Operation, http), pattern, names }];
  });
}

const integers: ReadonlySet<string> = new Set(['historyLength', 'pageSize']);
const flags: ReadonlySet<string> = new Set(['includeArtifacts']);

/** §11.5: what a value of the query means; one that does not fit stays a text, which the params refuse. */
function valueIn(name: string, text: string): unknown {
  if (integers.has(name) && /^-?\d{1,15}$/.test(text)) return Number(text);
  if (flags.has(name) && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

/** Params that may stand in a query; all others are ignored. */
const queryNames: ReadonlySet<string> = new Set([
  'tenant',
  'contextId',
  'status',
  'pageToken',
  'statusTimestampAfter',
  ...integers,
  ...flags,
]);

function nameOf({ errors }: Dialect, code: unknown): ErrorName | undefined {
  for (const [name, known] of Object.entries(errors)) if (known.rpc === code) return name as ErrorName;
  return undefined;
}

const invalid: ReadonlySet<ErrorName | undefined> = new Set<ErrorName>([
  'InvalidParams',
  'InvalidRequest',
  'ParseError',
]);

/** The details with the reason that belongs to the error; a request that is invalid has a BadRequest (1.0 §11.6). */
function detailsOf(name: ErrorName | undefined, reason: string | undefined, { data }: JsonObject): unknown {
  if (data === undefined && invalid.has(name)) {
    return [{ '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: [] }];
  }
  if (!Array.isArray(data) || reason === undefined) return data;
  return data.map((item: unknown) => (isObject(item) && Object.hasOwn(item, 'reason') ? { ...item, reason } : item));
}

/** The same under another status, which the error of 1.0 names too (§11.6). */
function under(status: number, { value }: HttpReply): HttpReply {
  const error = member(value, 'error');
  return { status, value: isObject(error) ? { error: { ...error, code: status } } : value };
}

/** The body is nested too deeply to be printed again as a call of JSON-RPC. */
class TooDeep extends Error {}

/** Stands for a call whose body is not read. */
const nothingRead: HttpCall = { op: 'send', params: {} };

/** The verbs of a path that is not asked for in the right way. */
class WrongVerb extends Error {
  readonly verbs: readonly string[];
  constructor(verbs: readonly string[]) {
    super(`use ${verbs.join(' or ')}`);
    this.verbs = verbs;
  }
}

/** The path of a request below one of these; undefined: it is below none. */
export function pathBelowOne(bases: readonly string[], url: string): string | undefined {
  const { pathname } = new URL(url);
  const base = bases.find((base) => pathname.startsWith(`${base}/`));
  return base === undefined ? undefined : pathname.slice(base.length);
}

/** A stream of events with these values. */
export function streamReply(values: readonly unknown[]): Reply {
  async function* body(): AsyncGenerator<Uint8Array> {
    for (const value of values) yield encoder.encode(`data: ${JSON.stringify(value)}\n\n`);
  }
  return { status: 200, headers: [['content-type', 'text/event-stream']], body: body() };
}

export function httpJsonPort(world: World, whole: Seams): HttpJsonSeams {
  const { dialect, spelling, baseUrl } = world;
  const paths = pathsOf(dialect);
  const { inner, unread } = innerCalls(world, 'http+json');

  const headersOf = ({ headers }: { readonly headers: readonly Header[] }): readonly Header[] => [
    ...headers.filter(([name]) => name.toLowerCase() !== 'content-type'),
    ['content-type', whole.httpType()],
  ];

  const replying = ({ status, value }: HttpReply, headers: readonly Header[] = []): Reply => ({
    status,
    headers: headersOf({ headers }),
    body: value === undefined ? '' : whole.print(value),
  });

  const refusing = (failure: RpcFailure, status?: number, headers: readonly Header[] = []): Reply => {
    const refusal = whole.httpRefusal(whole.error(failure, undefined));
    return replying({ ...refusal, status: status ?? refusal.status }, headers);
  };

  /** A refusal of HTTP itself, which has no name in A2A. */
  const plain = (status: number, message: string, headers: readonly Header[] = []): Reply =>
    replying({ status, value: { error: { code: status, status: statusNames[status], message } } }, headers);

  /** What the response says in this binding; undefined: it is not a response. */
  function translated(response: unknown, call: HttpCall): HttpReply | undefined {
    if (!isObject(response)) return undefined;
    if (isObject(response['error'])) return whole.httpRefusal(response['error']);
    return Object.hasOwn(response, 'result') ? whole.httpResult(response['result'], call) : undefined;
  }

  /** One event: its data are those of the binding, everything around them stays unchanged. */
  function event(chunk: Uint8Array, call: HttpCall): Uint8Array {
    const event = dataIn(chunk);
    const said = event && translated(parsed(event.data), call);
    if (said === undefined) return chunk;
    const printed = whole.print(said.value);
    return encoder.encode(event?.withData(typeof printed === 'string' ? printed : bodyText(printed)));
  }

  async function* events(body: AsyncIterable<Uint8Array>, call: HttpCall): AsyncGenerator<Uint8Array> {
    for await (const chunk of body) yield event(chunk, call);
  }

  async function outer(reply: Reply, call: HttpCall): Promise<Reply> {
    let { body } = reply;
    if (typeof body !== 'string' && !(body instanceof Uint8Array)) {
      if (streamed.has(call.op)) return { ...reply, body: events(body, call) };
      body = await gathered(body);
    }
    if (mediaType(reply.headers) === 'text/event-stream') return { ...reply, body: event(Buffer.from(body), call) };
    const said = translated(parsed(typeof body === 'string' ? body : bodyText(body)), call);
    if (said === undefined) return reply;
    // A refusal under a status of its own, such as 413, keeps it.
    return { ...reply, ...replying(reply.status === 200 ? said : under(reply.status, said), reply.headers) };
  }

  async function answer(request: Incoming): Promise<Reply> {
    // Refused unread, by what also refuses it over JSON-RPC.
    if ((request.body?.byteLength ?? 0) > bodyLimit) return outer(await whole.serveRpc(unread(request)), nothingRead);
    let call: HttpCall | undefined;
    try {
      call = whole.httpCall(request);
    } catch (cause) {
      if (cause instanceof TooDeep) return outer(await whole.serveRpc(unread(request)), nothingRead);
      if (cause instanceof WrongVerb) return plain(405, cause.message, [['allow', cause.verbs.join(', ')]]);
      if (!(cause instanceof RpcFailure)) throw cause;
      return refusing(cause, cause.failure === 'ContentTypeNotSupported' ? 415 : undefined);
    }
    if (call === undefined) return plain(404, 'No such resource');
    return await outer(await whole.serveRpc(inner(request, call)), call);
  }

  return {
    httpBases: () => (dialect.binding.id === 'http+json' ? [new URL(baseUrl).pathname.replace(/\/$/, '')] : []),
    async serveHttp(request) {
      const reply = await answer(request);
      return request.method === 'HEAD' ? { ...reply, body: '' } : reply;
    },
    httpCall(request) {
      const bases = whole.httpBases();
      const below = pathBelowOne(bases, request.url) ?? '';
      // A base with the /v1 of 0.3 gets no second one (AMB03-40).
      const isShort = bases.some((base) => base.endsWith('/v1')) && !below.startsWith('/v1/');
      const path = isShort && dialect.operations.get.http?.path.startsWith('/v1/') === true ? `/v1${below}` : below;
      const found = paths.flatMap((item) => {
        const values = item.pattern.exec(path)?.slice(1);
        return values === undefined ? [] : [{ ...item, values }];
      });
      if (found.length === 0) return undefined;
      // `:cancel` ends a path of its own before it is part of an id.
      found.sort((first, second) => second.pattern.source.length - first.pattern.source.length);
      const verb = request.method === 'HEAD' ? 'GET' : request.method;
      const at = found.find(({ verbs }) => verbs.includes(verb));
      if (at === undefined) throw new WrongVerb([...new Set(found.flatMap(({ verbs }) => verbs))]);
      const inPath = Object.fromEntries(at.names.map((name, index) => [name, decoded(at.values[index] ?? '')]));
      if (verb === 'POST') {
        return { op: at.op, params: { ...spelling.httpParams(bodyOf(request, whole), at.op), ...inPath } };
      }
      const query = [...new URL(request.url).searchParams].filter(([name]) => queryNames.has(name));
      const inQuery = Object.fromEntries(query.map(([name, text]) => [name, valueIn(name, text)]));
      return { op: at.op, params: { ...inQuery, ...inPath } };
    },
    httpResult: (result) => ({ status: 200, value: result ?? {} }),
    httpRefusal(error) {
      const name = nameOf(dialect, error['code']);
      const numbers = name === undefined ? undefined : dialect.errors[name]?.http;
      // An operation that the agent does not have is a path that it does not have.
      const status = name === 'MethodNotFound' ? 404 : (numbers?.statuses[0] ?? 500);
      if (spelling.httpErrors === 'code') return { status, value: error };
      const details = detailsOf(name, numbers?.reason, error);
      const known = preconditions.has(name) ? 'FAILED_PRECONDITION' : statusNames[status];
      return {
        status,
        value: {
          error: {
            code: status,
            status: known,
            message: member(error, 'message'),
            ...(details === undefined ? {} : { details }),
          },
        },
      };
    },
    httpType: () => spelling.noticeType,
  };
}

/** §11.1: the body of a POST; none is one without members. */
function bodyOf({ headers, body }: Incoming, whole: Seams): JsonObject {
  if (body === undefined || body.length === 0) return {};
  const type = mediaType(headers);
  if (type !== undefined && !requestTypes.has(type)) throw new RpcFailure('ContentTypeNotSupported', type);
  const value = whole.parse(body);
  if (!isObject(value)) throw new RpcFailure('InvalidRequest', 'the body must be one object');
  if (isDeep(value)) throw new TooDeep();
  return value;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new RpcFailure('InvalidParams', 'the path is not percent-encoded');
  }
}
