import { failureOf, framesIn, grpcAnswer, grpcCodec, isGrpc, methodAt } from '../binding/index.js';
import { type Dialect, paramsAsRead } from '../dialect/index.js';
import type { ClientCall, Inspector, RefusedCall, RequestProblem } from '../kit/index.js';
import { isObject, type Message, type Operation, operations, type SendParams } from '../model/index.js';
import { bodyText, type Exchange, excerpt, mediaType } from '../wire/index.js';
import type { Recorded } from './recorder.js';

/** The paths at which cards are asked for, by version. */
const cardPath = '/.well-known/agent-card.json';
const oldCardPath = '/.well-known/agent.json';

interface Found {
  readonly operation: Operation | undefined;
  readonly params: unknown;
  readonly body: unknown;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const bodyOf = ({ request }: Exchange): unknown =>
  request.body === undefined ? undefined : parsed(bodyText(request.body));

/** A request of JSON-RPC, by its method. */
function ofRpc(exchange: Exchange, dialect: Dialect): Found {
  const body = bodyOf(exchange);
  const method = isObject(body) ? body['method'] : undefined;
  const operation = operations.find((name) => dialect.operations[name]?.rpc === method);
  return { operation, params: isObject(body) ? body['params'] : undefined, body };
}

/** A path of the version, with what stands in the place of each name; a tenant may stand before it (AMB10-29). */
function matched(template: string, path: string): Readonly<Record<string, string>> | undefined {
  const names: string[] = [];
  const source = template
    .replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`)
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => `(?<${names.push(name) && name}>[^/]+)`);
  const found = new RegExp(`${source}$`, 'u').exec(path);
  if (found === null) return undefined;
  return Object.fromEntries(names.map((name) => [name, decoded(found.groups?.[name] ?? '')]));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A request of HTTP+JSON, by its verb and its path. */
function ofHttp(exchange: Exchange, dialect: Dialect): Found {
  const { method, url } = exchange.request;
  const { pathname, searchParams } = new URL(url);
  const body = bodyOf(exchange);
  for (const operation of operations) {
    const route = dialect.operations[operation]?.http;
    if (route === undefined || (route.verb !== method && route.or !== method)) continue;
    const named = matched(route.path, pathname);
    if (named === undefined) continue;
    const query = Object.fromEntries(searchParams);
    return { operation, params: { ...query, ...(isObject(body) ? body : {}), ...named }, body };
  }
  return { operation: undefined, params: undefined, body };
}

/** A request of gRPC, by the path of its method. */
function ofGrpc(exchange: Exchange, dialect: Dialect): Found {
  const path = new URL(exchange.request.url).pathname;
  const operation = operations.find((name) => dialect.operations[name]?.grpc === path);
  const at = methodAt(path);
  const [frame] = framesIn(exchange.request.body ?? new Uint8Array()).frames;
  const read =
    at === undefined || frame === undefined ? undefined : grpcCodec(at.table).decode(at.method[0], frame.data);
  return { operation, params: read !== undefined && 'json' in read ? read.json : undefined, body: undefined };
}

const readers = { jsonrpc: ofRpc, 'http+json': ofHttp, grpc: ofGrpc } as const;

/** The message in the params of a send, whatever binding they came over. */
function messageIn(dialect: Dialect, { operation, params }: Found): Message | undefined {
  if (operation !== 'send' && operation !== 'stream') return undefined;
  const read = dialect.operations[operation]?.params.decode(paramsAsRead(dialect, params, operation)) as
    | SendParams
    | undefined;
  return read?.message;
}

/** What breaks the schema of the params; over JSON-RPC of the whole request. */
function problemsOf(dialect: Dialect, inspector: Inspector, { operation, params, body }: Found) {
  if (operation === undefined) return [];
  // A query holds texts, whatever the type of the member.
  const isQuery = dialect.binding.requests === 'paths' && dialect.operations[operation]?.http?.verb !== 'POST';
  if (isQuery) return [];
  const isWhole = dialect.binding.requests === 'envelopes';
  const ref = `rpc.schema.json#/$defs/${operation}.${isWhole ? 'request' : 'params'}`;
  if (!inspector.has(ref)) return [];
  const document = isWhole ? body : params;
  return inspector
    .inspect(ref, document ?? {})
    .findings.map(({ path, message, rule }): RequestProblem => ({ path, message, rule }));
}

/** The answer, or its one event, as the value that the binding reads; undefined: there is none. */
function answerIn({ request, response }: Exchange): unknown {
  if (response === undefined) return undefined;
  if (isGrpc(response.headers)) {
    const answer = grpcAnswer(new URL(request.url).pathname, { ...response, trailers: response.trailers });
    return answer === undefined || !answer.end.code ? undefined : failureOf(answer.end);
  }
  const text = bodyText(response.body);
  return parsed(mediaType(response.headers) === 'text/event-stream' ? (/^data: ?(.*)$/m.exec(text)?.[1] ?? '') : text);
}

/** The error in an answer of the agent; undefined: it is none. */
function refusalIn(exchange: Exchange, { binding, errors }: Dialect): RefusedCall | undefined {
  const value = answerIn(exchange);
  const isEvent = mediaType(exchange.response?.headers ?? []) === 'text/event-stream';
  const said =
    value === undefined ? undefined : binding.said(value, errors, { status: exchange.response?.status ?? 0, isEvent });
  if (said?.type !== 'error') return undefined;
  const { name, fits = [], code, message } = said.error;
  return {
    names: name === undefined ? fits : [name],
    text: excerpt(`${String(code ?? exchange.response?.status)} ${String(message)}`, 300),
  };
}

/** What one request of a client says in this version and binding. Never throws, whatever came. */
export function readCall({ at, exchange }: Recorded, dialect: Dialect, inspector: Inspector): ClientCall {
  const { method, url } = exchange.request;
  const { pathname } = new URL(url);
  const plain = { exchange, at, operation: undefined, params: undefined, message: undefined, body: undefined };
  if (method === 'HEAD' || method === 'OPTIONS') return { ...plain, is: 'asking', problems: [] };
  const isReading = method === 'GET';
  if (isReading && pathname.endsWith(cardPath)) return { ...plain, is: 'card', problems: [] };
  if (isReading && pathname.endsWith(oldCardPath))
    return { ...plain, is: dialect.cardPaths[0] === oldCardPath ? 'card' : 'old-card', problems: [] };
  const found = readers[dialect.binding.id](exchange, dialect);
  const isCall = found.operation !== undefined || method !== 'GET';
  const refused = isCall ? refusalIn(exchange, dialect) : undefined;
  return {
    exchange,
    at,
    is: isCall ? 'call' : 'other',
    ...found,
    message: messageIn(dialect, found),
    problems: problemsOf(dialect, inspector, found),
    ...(refused === undefined ? {} : { refused }),
  };
}
