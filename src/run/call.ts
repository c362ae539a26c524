import { type BindingId, framesIn, grpc, grpcAnswer, grpcCodec, grpcUrl, isGrpc, methodAt } from '../binding/index.js';
import { createClient, type Outcome, type Parameter, readOutcome, repliesOf } from '../client/index.js';
import { type Dialect, dialects, profileOver } from '../dialect/index.js';
import { canParseUrl, type Operation, operations, TckError } from '../model/index.js';
import { bodyText, type Clock, type Exchange, type Header, isGrpcAddress, type Wire } from '../wire/index.js';
import { detect } from './detection/detect.js';

/** One call of one operation. */
export interface CallRequest {
  /** Base, card or endpoint URL of the agent, or an address of gRPC. */
  readonly url: string;
  /** A profile, or `auto`. */
  readonly profile: string;
  /** `auto`: the first interface of the card that the kit judges. */
  readonly binding: 'auto' | BindingId;
  /** A canonical operation, or its name in any binding: `send`, `message/send`, `SendMessage`. */
  readonly operation: string;
  /** As the version spells them in JSON; over gRPC as ProtoJSON. */
  readonly params?: unknown;
  /** In their place: the text of a message to send. */
  readonly text?: string;
  /** In their place: the task that is meant. */
  readonly id?: string;
}

/** How it is sent. */
export interface CallGround {
  readonly wire: Wire;
  readonly clock: Clock;
  readonly credentials: readonly Header[];
  readonly query: readonly Parameter[];
  readonly allowedOrigins: readonly string[];
  /** TLS shows a certificate of the kit. */
  readonly hasCertificate?: boolean;
  /** Limit of the exchange, ms: gRPC names it to the agent. */
  readonly timeoutMs: number;
  readonly uuid: () => string;
  readonly signal?: AbortSignal;
}

/** What was called and what came. */
export interface Called {
  readonly profile: string;
  /** For people: "A2A 1.0 over gRPC". */
  readonly title: string;
  readonly endpoint: string;
  readonly operation: Operation;
  /** How the agent was found, one line each. */
  readonly evidence: readonly string[];
  readonly exchange: Exchange;
  /** The body of the request as JSON, also over gRPC; undefined: it has none, or is not JSON. */
  readonly sent: unknown;
  /** The JSON values that came: one, or one for each event. */
  readonly came: readonly unknown[];
  /** How a call of gRPC ended; left out over other bindings. */
  readonly status?: { readonly code: number | undefined; readonly message: string };
  /** What is wrong with what came beside the results: one line each. A client would not take the answer. */
  readonly problems: readonly string[];
  /** The results in canonical JSON, the same for every binding. */
  readonly canonical: readonly unknown[];
  /** What the answer means, without the exchange. */
  readonly outcome: { readonly kind: Outcome<unknown>['kind'] } & Readonly<Record<string, unknown>>;
}

/** How long the kit reads a stream after its task has settled, ms. */
const graceMs = 1000;

interface Place {
  readonly dialect: Dialect;
  readonly endpoint: string;
  readonly evidence: readonly string[];
}

const letters = (name: string): string => name.toLowerCase().replaceAll(/[^a-z]/g, '');

/** The operation that a name means in a dialect. Throws `TckError('usage')` for a name of none. */
function operationNamed(name: string, { operations: own, title }: Dialect): Operation {
  const wanted = letters(name);
  const found = operations.find((operation) => {
    const { rpc, grpc, http } = own[operation] ?? {};
    const names = [operation, rpc, grpc?.split('/').at(-1), http?.path];
    return names.some((known) => known !== undefined && letters(known) === wanted);
  });
  if (found === undefined) throw new TckError('usage', `unknown operation ${name}`, `one of ${operations.join(', ')}`);
  if (own[found] === undefined) throw new TckError('usage', `${title} has no operation ${found}`);
  return found;
}

/** The params of a call as the dialect spells them. Throws `TckError('usage')` for options that do not fit. */
function paramsOf(
  { params, text, id }: CallRequest,
  operation: Operation,
  dialect: Dialect,
  uuid: () => string,
): unknown {
  if ([params, text, id].filter((item) => item !== undefined).length > 1)
    throw new TckError('usage', 'the params are given twice', 'give one of --params, --text and --id');
  const encode = dialect.operations[operation]?.params.encode;
  if (text !== undefined) {
    if (operation !== 'send' && operation !== 'stream')
      throw new TckError('usage', `${operation} takes no text`, 'send and stream do');
    const message = { messageId: uuid(), role: 'user', parts: [{ kind: 'text', text }] };
    return encode?.({ message } as never);
  }
  if (id === undefined) return params ?? {};
  const isOfPush = operation.startsWith('push');
  return encode?.((isOfPush ? { taskId: id } : { id }) as never);
}

/** A body of a request as JSON. */
function sentIn({ request }: Exchange): unknown {
  const { body, url, headers } = request;
  if (body === undefined || body.length === 0) return undefined;
  const at = isGrpc(headers) && canParseUrl(url) ? methodAt(new URL(url).pathname) : undefined;
  if (at !== undefined) {
    const [frame] = framesIn(body).frames;
    const read = frame && grpcCodec(at.table).decode(at.method[0], frame.data);
    return read !== undefined && 'json' in read ? read.json : undefined;
  }
  try {
    return JSON.parse(bodyText(body)) as unknown;
  } catch {
    return undefined;
  }
}

function statusOf({ request, response }: Exchange): Pick<Called, 'status'> {
  if (response === undefined || !isGrpc(response.headers) || !canParseUrl(request.url)) return {};
  const { status, headers, trailers, body } = response;
  const answer = grpcAnswer(new URL(request.url).pathname, { status, headers, trailers, body });
  return answer === undefined ? {} : { status: { code: answer.end.code, message: answer.end.message } };
}

/**
 * Calls one operation of an agent, over any binding, and returns the answer. Throws `TckError`: wrong options
 * (`usage`), no answer while the agent is looked for (`unreachable`), no agent (`not-an-agent`). What the agent answers
 * is never thrown.
 */
export async function call(wanted: CallRequest, callGround: CallGround): Promise<Called> {
  const { wire, clock, credentials, query, timeoutMs, uuid, signal } = callGround;
  const { dialect, endpoint, evidence } = await placeOf(wanted, callGround);
  const operation = operationNamed(wanted.operation, dialect);
  const client = createClient({
    wire,
    clock,
    dialect,
    endpoint,
    credentials,
    query,
    readOnly: false,
    limitPatienceMs: 0,
    timeoutMs,
    uuid,
    ...(signal === undefined ? {} : { signal }),
  });
  const form = client.form(operation, paramsOf(wanted, operation, dialect, uuid), uuid());
  if ('inexpressible' in form)
    throw new TckError('usage', `${dialect.binding.title} cannot carry this: ${form.inexpressible}`);
  const exchange = await client.submit(form.body ?? new Uint8Array(), {
    operation,
    native: () => form,
    readingLimits: { listenMs: timeoutMs, graceMs },
    impatient: true,
  });
  if ('kind' in exchange) throw new TckError('internal', exchange.reason);
  const decode = (value: unknown): unknown => dialect.operations[operation]?.result.decode(value);
  const { exchange: _, ...outcome } = readOutcome(exchange, dialect, decode) as Outcome<unknown> & {
    readonly exchange?: Exchange;
  };
  const { status } = statusOf(exchange);
  const replies = repliesOf(exchange);
  const isStream = operation === 'stream' || operation === 'subscribe';
  const isCrowd = status?.code === 0 && !isStream && replies.length > 1;
  const problems = [
    ...replies.flatMap((reply) => (reply.type === 'text' ? [reply.problem] : [])),
    ...(isCrowd ? [`${replies.length} messages came, and ${operation} has one`] : []),
  ];
  const values = replies.flatMap((reply) => (reply.type === 'json' ? [reply.value] : []));
  const place = { status: exchange.response?.status ?? 0, isEvent: values.length > 1 };
  const canonical = values.flatMap((value) => {
    const said = dialect.binding.said(value, dialect.errors, place);
    const read = said?.type === 'result' ? decode(said.wire) : undefined;
    return read === undefined ? [] : [read];
  });
  return {
    profile: dialect.id,
    title: dialect.title,
    endpoint,
    operation,
    evidence,
    exchange,
    sent: sentIn(exchange),
    came: values,
    ...(status === undefined ? {} : { status }),
    problems,
    canonical,
    outcome,
  };
}

/** Where an address of gRPC alone leads: it is called in the version that the user names, or in the newest. */
function addressed({ url, profile }: CallRequest): Place | undefined {
  const endpoint = grpcUrl(url);
  const plain = profile === 'auto' ? dialects[0] : dialects.find(({ id }) => id === profile);
  const dialect = plain && profileOver(plain, grpc);
  return dialect && endpoint ? { dialect, endpoint, evidence: [`${url}: an address of gRPC`] } : undefined;
}

async function placeOf(
  request: CallRequest,
  { wire, credentials, query, allowedOrigins, hasCertificate = false, uuid }: CallGround,
): Promise<Place> {
  const { url, profile, binding } = request;
  const isAddress = isGrpcAddress(url) || (binding === grpc.id && !/^https?:\/\//i.test(url));
  const direct = isAddress ? addressed(request) : undefined;
  if (direct !== undefined) {
    await direct.dialect.binding.load?.();
    return direct;
  }
  const found = await detect({ url, profile, binding, wire, credentials, query, allowedOrigins, hasCertificate, uuid });
  if (!found.isAgent) throw new TckError('not-an-agent', `${url} is not an A2A agent: ${found.evidence.join('; ')}`);
  if (found.unspoken !== undefined) throw new TckError('usage', found.unspoken.fact, found.unspoken.advice);
  const { title, binding: spoken } = found.dialect;
  const isNamed = found.interfaces.some(({ declared, judged }) => declared && judged !== 'not');
  if (spoken.hasOwnPort === true && found.probed?.response === undefined && !isNamed)
    throw new TckError('usage', `no ${title} was found at ${url}`, 'give its address as --url: grpc://host:port');
  return { dialect: found.dialect, endpoint: found.target.endpoint, evidence: found.evidence };
}
