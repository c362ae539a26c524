import { bindings, type Inexpressible, type NativeRequest, urlBelow } from '../binding/index.js';
import { type Dialect, dialectOfVersion, dialectOver, type Spelled, withoutVersionInPaths } from '../dialect/index.js';
import {
  type Draft,
  isObject,
  type JsonObject,
  type Message,
  member,
  type Operation,
  type Operations,
  type SendReply,
  type StreamEvent,
  stringMember,
  type TaskState,
  type Transport,
  writingOperations,
} from '../model/index.js';
import {
  type Call,
  type Clock,
  type Exchange,
  type Header,
  header,
  plural,
  type Sending,
  shortExchange,
  sleep,
  type Wire,
  type WireRequest,
} from '../wire/index.js';
import {
  type Caller,
  type CallerCredentials,
  type Credentials,
  calling,
  isSomebody,
  type Signer,
  type Tamper,
  withQuery,
} from './credentials.js';
import {
  type InvalidResponse,
  isStream,
  type NotSent,
  type Outcome,
  type Refusal,
  readFetched,
  readOutcome,
  retryAfterMs,
} from './outcome.js';
import { createOwnTasks, type OwnTasks } from './own-tasks.js';
import { isErrorItem, type LiveStream, liveStream, type Opened, stateIn } from './stream.js';
import { type ReadingLimits, readStreamFully } from './stream-reader.js';

export interface CallOptions {
  /** JSON-RPC id; left out: a fresh string. */
  readonly id?: unknown;
  /** Last change to the whole request object before it is sent. */
  readonly envelope?: (request: Record<string, unknown>) => unknown;
  /** Last change to the request in the form of its binding: verb, URL, media types, body. */
  readonly native?: (request: NativeRequest) => NativeRequest;
  /** Headers that are added to the usual ones, or replace them. */
  readonly headers?: readonly Header[];
  /** The request breaks a rule on purpose: laws do not expect it to succeed. */
  readonly invalid?: boolean;
  /** The caller. Default: the configured credentials. A call without them, or with made-up ones, counts as invalid. */
  readonly credentials?: Caller;
  /** Names of usual headers that are left out. */
  readonly without?: readonly string[];
  readonly timeoutMs?: number;
  /** Another endpoint than the agent's. */
  readonly url?: string;
  /** For a stream: nothing is read before it is asked for. */
  readonly slowly?: boolean;
  /** The answer of the agent's rate limit is returned: no waiting, and no second attempt. */
  readonly impatient?: boolean;
}

export interface PostOptions extends CallOptions {
  /** Default `application/json`; null sends none. */
  readonly contentType?: string | null;
  /** The request changes nothing, so it is sent even where nothing may be changed. */
  readonly harmless?: boolean;
}

/** Options for sending a ready body. */
export interface SubmitOptions extends PostOptions {
  /** The operation that the body asks for, if known: laws judge the answer by it. */
  readonly operation?: Operation;
  /** Default POST. */
  readonly method?: string;
  /** For a stream: when it is dropped. Default: it is read to its end. */
  readonly readingLimits?: ReadingLimits;
  /** For callers who sign: a last change to the signed request. */
  readonly tamper?: Tamper;
  /** The agent may read another operation than this one in it: its answer is judged by no operation. */
  readonly astray?: boolean;
}

export interface ClientOptions extends CallerCredentials {
  /** Its exchanges are not noted as calls, so that no law judges them. */
  readonly isElsewhere?: true;
  readonly wire: Wire;
  readonly clock: Clock;
  readonly dialect: Dialect;
  /** The endpoint of JSON-RPC, or the base of the paths of HTTP+JSON. */
  readonly endpoint: string;
  /** Signs the requests of the first caller; `secondSigner` those of the second. */
  readonly signer?: Signer;
  readonly secondSigner?: Signer;
  /** Messages are paid for. */
  readonly isPaid?: true;
  /** Messages are not sent, for this reason. */
  readonly sendsOff?: string;
  /** Nothing is sent to an endpoint, for this reason: the agent is not known to have one. */
  readonly unspoken?: string;
  /** Named in the params of every call, where the interface has one (1.0 §8.3.2). */
  readonly tenant?: string | undefined;
  /** Extensions that the card requires: a call that does not ask for them may be refused for that (1.0 §3.3.4). */
  readonly requiredExtensions?: readonly string[];
  readonly readOnly: boolean;
  /** Most sends that may create a task; undefined: no cap. */
  readonly taskBudget?: number;
  /** Longest total wait for one call under the agent's rate limit, ms. */
  readonly limitPatienceMs: number;
  /** Called before each such wait. */
  readonly onWait?: (ms: number) => void;
  /** Ends waits early. */
  readonly signal?: AbortSignal;
  /**
   * Limit of an exchange that has none of its own, ms: that of the wire. Left out: the request does not announce it.
   */
  readonly timeoutMs?: number;
  /** Fresh UUIDs, from the seed of the run. */
  readonly uuid: () => string;
}

/** Canonical operations on one endpoint. Every call is an exchange on the tape; none throws because of the target. */
export interface Client {
  readonly dialect: Dialect;
  readonly endpoint: string;
  call<Op extends Operation>(
    operation: Op,
    params: Draft<Operations[Op]['params']>,
    options?: CallOptions,
  ): Promise<Outcome<Operations[Op]['result']>>;
  /** Opens a stream of updates, and waits for its first event. A refusal inside the stream is returned as a refusal. */
  open<Op extends 'stream' | 'subscribe'>(
    operation: Op,
    params: Draft<Operations[Op]['params']>,
    options?: CallOptions,
  ): Promise<Opened>;
  /** Sends any JSON value in the place of a request object. */
  rpc(request: unknown, options?: PostOptions): Promise<Outcome<unknown>>;
  /** Sends any bytes in the place of a request body. */
  post(body: string | Uint8Array, options?: PostOptions): Promise<Outcome<unknown>>;
  /**
   * The request of an operation whose params are spelled already, in the form of the binding, and in the one of several
   * ways that the agent is known to have. `id` and `timeoutMs` as in `CallOptions`.
   */
  form(operation: Operation, params: unknown, id: unknown, timeoutMs?: number): NativeRequest | Inexpressible;
  /** Sends a ready body in the place of a call, and returns the exchange unread; also for streams. */
  submit(body: Uint8Array, options: SubmitOptions): Promise<Exchange | NotSent>;
  get(url: string, headers?: readonly Header[], credentials?: Caller): Promise<Exchange>;
  /**
   * Sends exact bytes on a new socket, and waits `timeoutMs` for an answer, or as long as for any; undefined if the wire
   * has no sockets (in memory).
   */
  raw(bytes: Uint8Array, call?: Call, timeoutMs?: number): Promise<Exchange | undefined>;
  /**
   * A client of another interface of the agent, with the same callers and budgets. Laws judge none of its exchanges: they
   * are those of the interface that is judged. `transport` and `version`: as the card names them; for no version, or
   * one that the kit does not know, the one that is judged. Undefined: the kit does not speak the transport.
   */
  at(url: string, transport: Transport, version?: string): Client | undefined;
  /** The same interface as some agents have it where the text is unclear; undefined: it has no other form. */
  readonly otherwise: Client | undefined;
  /** The same client, its exchanges marked with another purpose and shown to `seen`. */
  for(purpose: string, seen?: (exchange: Exchange) => void): Client;
  /**
   * Cancels the tasks that this client began some time ago, or all that any client of the run began, and that were last
   * seen at work: they may keep workers of the agent from other tasks. Where calls are signed or paid for, they are left.
   * Resolves to whether none is at work now.
   */
  endWork(of?: 'all'): Promise<boolean>;
  /** The check no longer needs this task; without an id: nor any task that it began for this purpose. */
  offer(id?: string): void;
  /** No check needs any longer a task that the run has begun so far. */
  offerAll(): void;
  /** The id of a task that no check needs and that the kit last saw in this state; the client returns it once. */
  takeOffered(state: TaskState): string | undefined;
  /** The same for all checks that only read it; then no check takes it. */
  lookAtOffered(state: TaskState): string | undefined;
  /** Whether there is such a task, or an answer that shows the state; `message`: an answer without a task. */
  hasOffered(state: TaskState | 'message'): boolean;
  /** The first answer of the run to the first caller that was a message and no task. */
  heardMessage(): Message | undefined;
  /** The first stream of the run to the first caller that the agent ended, and whose last state is this one. */
  heardStream(state: TaskState): HeardStream | undefined;
  /** Exchanges that show a task that waits while the agent works on others of the kit: how many, by id. */
  readonly waiting: ReadonlyMap<string, number>;
  /** The kit was given credentials. */
  readonly isSomebody: boolean;
  /** The configured credentials. */
  readonly own: Credentials;
  /** The kit was given credentials of a second caller. */
  readonly hasSecond: boolean;
  /** Tasks that sends of this run may have created so far. */
  readonly tasksSent: number;
  /** The outcome of the valid messages of this run, sent or streamed. */
  readonly messages: MessagesSeen;
}

/** Whether an agent takes messages at all. */
export interface MessagesSeen {
  /** At least one was answered with a task, a message or an update. */
  readonly accepted: boolean;
  /** Whether a send was answered with a task; undefined: not yet, and not many were answered with a message. */
  readonly makesTasks: boolean | undefined;
  /** The outcome of the first message that was not accepted. */
  readonly refused: Outcome<unknown> | undefined;
  /** Whether a stream of updates brought one that could be read; undefined: none was opened. */
  readonly streams: StreamsSeen | undefined;
  /**
   * The refusal of a message that names no task, by an agent that takes it with an id that the kit made up: all such
   * messages of the run have one.
   */
  readonly unnamed?: Outcome<unknown>;
  /** The refusal of a message that asked for no extension, by an agent that takes it with those that its card requires. */
  readonly unextended?: Outcome<unknown>;
  /** The timeout of the second message in a row without an answer. After it the kit sent no more messages, except as streams. */
  readonly silent?: InvalidResponse;
}

/** A stream that has ended. */
export interface HeardStream {
  readonly seen: LiveStream['seen'];
  readonly exchange: Exchange;
}

export interface StreamsSeen {
  readonly read: boolean;
  /** How the first stream ended that brought none. */
  readonly why?: string;
}

const encoder = new TextEncoder();
const bytesOf = (body: string | Uint8Array): Uint8Array => (typeof body === 'string' ? encoder.encode(body) : body);

/** Longest wait for the end of a stream whose first event is an error, ms. */
const refusalGraceMs = 1000;

/** So many messages in answer, and no task, show that the agent makes none. */
const enoughMessages = 8;

/** A task that began so lately may be done soon: its cancel would cost a request in vain, ms. */
const youngMs = 1000;

/** How long a task may wait to be worked on, where nothing is set, ms. */
const defaultPatienceMs = 10_000;

/** A longer stream is not kept for checks that look for its last state. */
const mostHeard = 200;

/** Retries after 503 without Retry-After. */
const triesWhileUnavailable = 4;

/**
 * RFC 9110 §15.6.4: 503 is a temporary overload, also without Retry-After. If it does not end it is not a rate limit: a
 * proxy answers so for an agent that is gone.
 */
const isUnavailable = (
  outcome: LiveStream | Outcome<unknown>,
): outcome is Extract<Outcome<unknown>, { kind: 'invalid-response' }> =>
  outcome.kind === 'invalid-response' && outcome.fault === 'http' && outcome.exchange.response?.status === 503;

/** Messages without an answer after which no more are sent, if none ever got one. */
const mostSilent = 2;
/** Why then none is sent. */
export const sendsSilent = 'no message before it got an answer';

/** Accepts any result, also a missing one. */
const anything = (wire: unknown): unknown => wire ?? null;

/** Time ran out waiting for the agent's rate limit; the request is not sent. */
const late: NotSent = { kind: 'not-sent', reason: 'time ran out before another signed request could be sent' };

const spelledIn = (operation: Operation): Spelled => (operation === 'pushSet' ? 'config' : 'message');
/** Operations with one of them in their params: the answers show whether the agent reads its spelling. */
const tellsSpelling: ReadonlySet<Operation> = new Set(['send', 'stream', 'pushSet']);

/** The agent says that it has no such path or verb. */
const isMissing = (seen: LiveStream | Outcome<unknown>): boolean =>
  seen.kind === 'refusal' && (seen.error === 'MethodNotFound' || seen.fits?.includes('MethodNotFound') === true);

/** Errors of a request that the agent could not read. */
const shapeErrors: ReadonlySet<unknown> = new Set(['InvalidParams', 'InvalidRequest', 'ParseError', 'InternalError']);

/** The agent did not read the message: it blames the request, or shows the message without its parts. */
function isUnread(seen: LiveStream | Outcome<unknown>, params: unknown): boolean {
  if (seen.kind === 'refusal') {
    const isBlamed = shapeErrors.has(seen.error) || seen.byStatus?.includes('InvalidParams') === true;
    return isBlamed || (!seen.inForm && seen.fits === undefined);
  }
  if (seen.kind === 'invalid-response') return seen.fault === 'http';
  if (seen.kind !== 'result') return false;
  const id = stringMember(member(params, 'message'), 'messageId');
  const history = member(member(seen.value, 'task'), 'history');
  const shown = Array.isArray(history) ? history.find((item) => stringMember(item, 'messageId') === id) : undefined;
  const parts = member(shown, 'parts');
  return id !== undefined && Array.isArray(parts) && parts.length === 0;
}

const isUnnamed = (params: unknown): params is { readonly message: JsonObject } =>
  isObject(member(params, 'message')) && member(member(params, 'message'), 'taskId') === undefined;

/** Reads the rest of a body: without a reader, no more of it is sent. */
async function drain(chunks: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of chunks);
}

/** A request that waits for its turn, and its note for laws. */
interface Ready {
  readonly request: NativeRequest;
  readonly note: Call;
}

/** One of the ways to make a call, where the text leaves several. */
interface Way {
  /** 0: that of the dialect; the others count from 1. */
  readonly spelling: number;
  readonly isOtherVerb: boolean;
}

interface Shared {
  tasks: number;
  /** No call before this time: the agent asked to wait. */
  quietUntil: number;
  /** A call waited its whole patience in vain: until one is answered again, no call waits. */
  hopeless: boolean;
  /**
   * Which of the spellings of the dialect messages and configs have, 0 for its own; absent: it is not known yet which one
   * the agent reads.
   */
  readonly spelling: Map<Spelled, number>;
  /** Whether the paths begin with the tenant, in bindings that have paths; undefined: it is not known yet. */
  tenantInPath: boolean | undefined;
  /** Operations that the agent has under the other verb of their path. */
  readonly otherVerb: Set<Operation>;
  /**
   * The agent refused a message that names no task, and took the next one with an id that the kit made up; false: not
   * that one either; undefined: it is not known yet.
   */
  unnamed: Outcome<unknown> | false | undefined;
  /**
   * The agent refused a message, and took the next one, which asked for the extensions that the card requires: all calls do
   * so. `false` and undefined as above.
   */
  unextended: Outcome<unknown> | false | undefined;
  /** Messages without an answer, as long as none that was not streamed got one; undefined: one did. */
  silent: readonly InvalidResponse[] | undefined;
  /** Requests so far, by purpose. */
  readonly orders: Map<string, number>;
  accepted: boolean;
  /** How many sends were answered with either. */
  readonly replies: { task: number; message: number };
  readonly heard: {
    message?: { readonly message: Message; readonly exchange: Exchange };
    readonly streams: Map<TaskState, HeardStream>;
  };
  refused: Outcome<unknown> | undefined;
  streams: StreamsSeen | undefined;
  readonly tasksBegun: OwnTasks;
  /** The agent answered no cancel of such a task, or has none; or each call costs time or money. */
  endsNoWork: boolean;
  readonly waiting: Map<string, { readonly others: number; readonly since: number }>;
}

/** Whether the user pays for calls, with money or with the time that a signed call takes: none is sent to tidy up. */
const isCostly = ({ signer, isPaid }: ClientOptions): boolean => signer !== undefined || isPaid === true;

export function createClient(options: ClientOptions): Client {
  const shared: Shared = {
    tasks: 0,
    quietUntil: 0,
    hopeless: false,
    tenantInPath: undefined,
    spelling: new Map(),
    otherVerb: new Set(),
    unnamed: undefined,
    unextended: undefined,
    silent: [],
    orders: new Map(),
    accepted: false,
    replies: { task: 0, message: 0 },
    heard: { streams: new Map() },
    refused: undefined,
    streams: undefined,
    tasksBegun: createOwnTasks(),
    endsNoWork: isCostly(options),
    waiting: new Map(),
  };
  return clientOn(options, shared, 'run', undefined);
}

function clientOn(
  options: ClientOptions,
  shared: Shared,
  purpose: string,
  seen: ((exchange: Exchange) => void) | undefined,
): Client {
  const { wire, clock, dialect, endpoint, requiredExtensions = [] } = options;
  const { signer, secondSigner } = options;
  const own: Credentials = {
    headers: options.credentials,
    query: options.query ?? [],
    ...(signer === undefined ? {} : { signer }),
  };
  const second: Credentials = {
    headers: options.secondCredentials ?? [],
    query: options.secondQuery ?? [],
    ...(secondSigner === undefined ? {} : { signer: secondSigner }),
  };
  const isValid = (call: CallOptions): boolean =>
    call.invalid !== true && (call.credentials === undefined || call.credentials === 'second');

  /** Waits for the turn of the request, and then builds it. */
  async function spell(native: NativeRequest, post: SubmitOptions): Promise<WireRequest | NotSent> {
    const type = post.contentType === undefined ? native.contentType : post.contentType;
    const caller = calling(post.credentials, own, second);
    if (caller.signer !== undefined && !(await caller.signer.turn(options.signal))) return late;
    const usual: readonly Header[] = [
      ...(type === undefined || type === null ? [] : [['content-type', type] as const]),
      ...(native.accept === undefined ? [] : [['accept', native.accept] as const]),
      ...(native.headers ?? []),
      ...dialect.headers,
      ...(shared.unextended ? [[dialect.extensionHeader, requiredExtensions.join(', ')] as const] : []),
      ...caller.headers,
    ];
    const bare = {
      method: native.method,
      url: withQuery(native.url, caller.query),
      headers: usual,
      ...(native.body === undefined ? {} : { body: native.body }),
      ...(native.asIs === undefined ? {} : { asIs: native.asIs }),
      ...(native.http2 === undefined ? {} : { http2: native.http2 }),
      ...(native.manner === undefined ? {} : { manner: native.manner }),
    };
    const { signer } = caller;
    const signed = signer === undefined ? usual : merge(usual, signer.headers(bare));
    const whole = { ...bare, headers: merge(signed, post.headers ?? [], post.without) };
    if (signer === undefined || post.tamper === undefined) return whole;
    return post.tamper(whole, (as) => signer.headers(bare, as));
  }

  function fetching(url: string, call: CallOptions): WireRequest {
    const caller = calling(call.credentials, own, second);
    const usual: readonly Header[] = [['accept', 'application/json'], ...dialect.headers, ...caller.headers];
    const headers = merge(usual, call.headers ?? [], call.without);
    return { method: 'GET', url: withQuery(url, caller.query), headers };
  }

  /** The request of a ready body; only bindings that post JSON have one. */
  const posted = (body: Uint8Array, post: SubmitOptions, streams: boolean): NativeRequest => ({
    method: post.method ?? 'POST',
    url: post.url ?? endpoint,
    contentType: 'application/json',
    accept: streams ? 'text/event-stream, application/json' : 'application/json',
    // RFC 9110 §9.3.1: a body has no meaning there, and clients refuse to send one.
    ...(post.method === 'GET' || post.method === 'HEAD' ? {} : { body }),
  });

  const sending = (post: PostOptions, call: Sending['call']): Sending => ({
    purpose,
    ...(call === undefined || options.isElsewhere ? {} : { call }),
    ...(post.timeoutMs === undefined ? {} : { limits: { timeoutMs: post.timeoutMs } }),
    ...(post.slowly === true ? { readAhead: 1 } : {}),
  });

  /**
   * Reads the outcome. A refusal because the call lacks an extension that the card requires gets `wants`: it says
   * nothing about the request. Not so if the call leaves out the header on purpose, or asks for all of them.
   */
  function read<T>(exchange: Exchange, call: CallOptions, decode: (wire: unknown) => T | undefined): Outcome<T> {
    const outcome = readOutcome(exchange, dialect, decode);
    const name = dialect.extensionHeader;
    if (outcome.kind !== 'refusal' || outcome.error !== 'ExtensionSupportRequired') return outcome;
    if (call.without?.includes(name) === true) return outcome;
    const asked = new Set((header(exchange.request.headers, name) ?? '').split(',').map((uri) => uri.trim()));
    const isLacking = requiredExtensions.some((uri) => !asked.has(uri));
    return isLacking ? { ...outcome, wants: [name, requiredExtensions.join(', ')] } : outcome;
  }

  async function transmit<T>(
    { request: native, note }: Ready,
    post: PostOptions,
    decode: (wire: unknown) => T | undefined,
  ): Promise<Outcome<T>> {
    const request = await spell(native, post);
    if ('kind' in request) return request;
    const exchange = await wire.exchange(request, sending(post, note));
    seen?.(exchange);
    return read(exchange, post, decode);
  }

  /** An id that names the purpose, so that the request can be found in a log. */
  function nextId(): string {
    const order = (shared.orders.get(purpose) ?? 0) + 1;
    shared.orders.set(purpose, order);
    return `tck ${purpose} ${order}`.replaceAll(/[^\w/]+/g, '-');
  }

  /** The base of the paths. The proto has each path below the tenant too, and so do the official libraries (AMB10-29). */
  const base = ({ hasEnvelope }: Dialect['binding']): string =>
    options.tenant === undefined || hasEnvelope || shared.tenantInPath === false
      ? endpoint
      : urlBelow(endpoint, `/${encodeURIComponent(options.tenant)}`);

  /** The way that the agent is known to take, or the usual one. */
  const wayOf = (operation: Operation): Way => ({
    spelling: shared.spelling.get(spelledIn(operation)) ?? 0,
    isOtherVerb: shared.otherVerb.has(operation),
  });

  const spelledBy = ({ spelling }: Way, operation: Operation): Dialect =>
    dialect.otherSpellings?.[spelledIn(operation)][spelling - 1] ?? dialect;

  /** The request of an operation in the form of the binding. */
  function formOf(operation: Operation, params: unknown, call: CallOptions, way: Way): NativeRequest | Inexpressible {
    const { operations, binding } = spelledBy(way, operation);
    const spelled = operations[operation];
    const http = spelled?.http;
    const verb = way.isOtherVerb ? http?.or : undefined;
    return binding.request({
      operation,
      endpoint: call.url ?? base(binding),
      names: spelled && http && verb ? { ...spelled, http: { ...http, verb } } : spelled,
      params,
      id: call.id,
      edit: call.envelope,
      timeoutMs: call.timeoutMs ?? options.timeoutMs,
    });
  }

  /** The params, with an id of a task where the agent wants one in each message. */
  const naming = (params: unknown, call: CallOptions): unknown =>
    shared.unnamed && isValid(call) && isUnnamed(params)
      ? { ...params, message: { ...params.message, taskId: options.uuid() } }
      : params;

  /** The request of a call, and its note for laws. */
  function native(operation: Operation, params: unknown, call: CallOptions, way: Way): Ready | Inexpressible {
    const id = Object.hasOwn(call, 'id') ? call.id : nextId();
    const bare = spelledBy(way, operation).operations[operation]?.params.encode(naming(params, call) as never);
    const { tenant } = options;
    const encoded =
      tenant !== undefined && isObject(bare) && !Object.hasOwn(bare, 'tenant') ? { tenant, ...bare } : bare;
    const request = formOf(operation, encoded, { ...call, id }, way);
    if ('inexpressible' in request) return request;
    return { request: call.native?.(request) ?? request, note: { operation, rpcId: id, valid: isValid(call) } };
  }

  /**
   * Makes a call, and again in another way where the text leaves several and the agent does not know the first: under the
   * other verb, or in another spelling. What the agent knows is kept for later calls; those that are under way beside this
   * one do not follow what it tries.
   */
  async function inAnyWay<Seen extends LiveStream | Outcome<unknown>>(
    operation: Operation,
    params: unknown,
    call: CallOptions,
    attemptBy: (way: Way) => Promise<Seen>,
  ): Promise<Seen> {
    const what = spelledIn(operation);
    const isSpellingKnown = shared.spelling.has(what);
    const way = wayOf(operation);
    const attempt = (other: Partial<Way> = {}): Promise<Seen> => attemptBy({ ...way, ...other });
    let first = await attempt();
    if (options.tenant !== undefined && shared.tenantInPath === undefined && !dialect.binding.hasEnvelope) {
      shared.tenantInPath = !isMissing(first);
      if (!shared.tenantInPath) first = await attempt();
    }
    const hasOtherVerb = dialect.operations[operation]?.http?.or !== undefined;
    if (hasOtherVerb && !way.isOtherVerb && dialect.binding.missing.size > 0 && isMissing(first)) {
      const second = await attempt({ isOtherVerb: true });
      if (isMissing(second)) return first;
      shared.otherVerb.add(operation);
      return second;
    }
    if (shared.unextended === undefined && (operation === 'send' || operation === 'stream') && asksForNone(call)) {
      shared.unextended = false;
      const refused: LiveStream | Outcome<unknown> = first;
      if (refused.kind === 'refusal' && !shared.accepted && withheld(operation) === undefined) {
        shared.unextended = refused;
        const second = await attempt();
        if (second.kind === 'result' || second.kind === 'stream') return second;
        shared.unextended = false;
      }
    }
    if (shared.unnamed === undefined && isUnnamed(params) && isValid(call)) {
      const refused: LiveStream | Outcome<unknown> = first;
      const isBlamed = ({ error, fits = [] }: Refusal): boolean =>
        [error, ...fits].some((text) => text === 'TaskNotFound' || shapeErrors.has(text));
      const isOpen = !shared.accepted && withheld(operation) === undefined;
      if (isOpen && refused.kind === 'refusal' && isBlamed(refused)) {
        shared.unnamed = refused;
        const second = await attempt();
        shared.unnamed = false;
        if (second.kind === 'result' || second.kind === 'stream') {
          // The agent may have failed for a moment only: without an id once more.
          const third = withheld(operation) === undefined ? await attempt() : undefined;
          if (third?.kind === 'stream') third.close();
          if (third?.kind === 'refusal' && isBlamed(third)) shared.unnamed = refused;
          return second;
        }
      }
      shared.unnamed = false;
    }
    const others = dialect.otherSpellings?.[what] ?? [];
    if (others.length === 0 || isSpellingKnown || !isValid(call) || !tellsSpelling.has(operation)) return first;
    if (!isUnread(first, params)) {
      if (first.kind === 'result' || first.kind === 'stream') shared.spelling.set(what, 0);
      return first;
    }
    for (let at = 1; at <= others.length; at++) {
      // Another message may become a task too: the cap holds for all.
      if (withheld(operation) !== undefined) break;
      const again = await attempt({ spelling: at });
      const isRead = again.kind === 'stream' || again.kind === 'result';
      if (!isRead || isUnread(again, params)) continue;
      shared.spelling.set(what, at);
      return again;
    }
    return first;
  }

  /** A valid call without a header of extensions, to an agent whose card requires some. */
  function asksForNone(call: CallOptions): boolean {
    const name = dialect.extensionHeader;
    const has = (headers: readonly Header[] = []) => header(headers, name) !== undefined;
    const isOpen = isValid(call) && call.without?.includes(name) !== true;
    return isOpen && requiredExtensions.length > 0 && !has(call.headers) && !has(own.headers);
  }

  const unsendable = ({ inexpressible }: Inexpressible): NotSent => ({
    kind: 'not-sent',
    isInexpressible: true,
    reason: `${dialect.binding.title} cannot carry it: ${inexpressible}`,
  });

  /** Sends; if the agent's rate limit answers, waits as long as it asks and sends again, within `limitPatienceMs`. */
  async function patient<Seen extends LiveStream | Outcome<unknown>>(
    call: CallOptions,
    attempt: () => Promise<Seen>,
  ): Promise<Seen> {
    if (call.impatient === true) return attempt();
    // A request that is signed again within the same second would be the same request.
    const least = calling(call.credentials, own, second).signer === undefined ? 100 : 1100;
    let waited = 0;
    for (let times = 0; ; times++) {
      const quiet = shared.quietUntil - clock.now();
      if (quiet > 0) await sleep(clock, quiet, options.signal);
      const outcome = await attempt();
      const isBare = isUnavailable(outcome);
      if (outcome.kind !== 'busy' && !isBare) {
        if (outcome.kind !== 'not-sent') shared.hopeless = false;
        return outcome;
      }
      const asked = Math.max(retryAfterMs(outcome.exchange, clock.now()) ?? 1000 * 2 ** times, least);
      if (shared.hopeless || options.signal?.aborted === true) return outcome;
      if (waited + asked > options.limitPatienceMs || (isBare && times >= triesWhileUnavailable)) {
        shared.hopeless = true;
        return outcome;
      }
      waited += asked;
      shared.quietUntil = Math.max(shared.quietUntil, clock.now() + asked);
      options.onWait?.(asked);
    }
  }

  function withheld(operation: Operation | undefined): string | undefined {
    if (options.unspoken !== undefined) return options.unspoken;
    if (options.readOnly && operation !== undefined && writingOperations.has(operation)) {
      return '--read-only: this request could create work or change a task';
    }
    if (operation === 'send' || operation === 'stream') {
      if (options.sendsOff !== undefined) return options.sendsOff;
      if (operation === 'send' && (shared.silent?.length ?? 0) >= mostSilent) return sendsSilent;
      if (options.taskBudget !== undefined && shared.tasks >= options.taskBudget) {
        return `the budget of ${plural(options.taskBudget, 'task')} is spent`;
      }
      shared.tasks++;
    }
    return undefined;
  }

  function noteStream(stream: LiveStream): void {
    if (stream.seen[0]?.event !== undefined) shared.streams = { read: true };
    if (shared.streams !== undefined) return;
    shared.streams = { read: false };
    void stream.ended.then(({ failure }) => {
      const why = failure?.detail;
      if (shared.streams?.read === false && why !== undefined) shared.streams = { read: false, why };
    });
  }

  /** Notes a message without an answer, and a task on which the agent does not work, while it works on others. */
  function noteWaiting(operation: Operation, seen: LiveStream | Outcome<unknown>): void {
    if (seen.kind === 'stream' || seen.kind === 'not-sent' || (operation !== 'send' && operation !== 'get')) return;
    const late = seen.kind === 'invalid-response' && seen.fault === 'timeout' && operation === 'send';
    const id = seen.kind === 'result' && operation === 'get' ? stringMember(seen.value, 'id') : undefined;
    if (!late && id === undefined) return;
    const { timeoutMs = defaultPatienceMs } = options;
    const all = shared.tasksBegun.atWork();
    const since = late
      ? seen.exchange.startedAt
      : all.find(
          (atWork) => atWork.id === id && atWork.state === 'submitted' && clock.now() - atWork.atMs > timeoutMs / 2,
        )?.atMs;
    const others = all.filter((atWork) => atWork.state === 'working').length;
    if (since !== undefined && others > 0) shared.waiting.set(seen.exchange.id, { others, since });
  }

  /** What other checks may look at: the first caller, at the interface that is judged. */
  const isHeard = (call: CallOptions): boolean => call.credentials === undefined && options.isElsewhere !== true;
  /** Keeps the first of its kind. */
  function hearStream({ seen: items }: LiveStream, exchange: Exchange): void {
    const state = items.flatMap(({ event }) => stateIn(event) ?? []).at(-1);
    if (state === undefined || exchange.failure !== undefined) return;
    if (!shared.heard.streams.has(state) && items.length <= mostHeard)
      shared.heard.streams.set(state, { seen: items, exchange: shortExchange(exchange) });
  }

  /** Notes whether the agent accepts messages, by the outcome of a valid one. */
  function note<Seen extends LiveStream | Outcome<unknown>>(operation: Operation, call: CallOptions, seen: Seen): Seen {
    const isMessage = (operation === 'send' || operation === 'stream') && isValid(call);
    // When it was sent: a message may wait for its answer while later ones are worked on.
    const atMs = 'exchange' in seen ? seen.exchange.startedAt : clock.now();
    const from = { purpose, credentials: call.credentials, atMs };
    shared.tasksBegun.see(operation, seen, isMessage ? from : undefined);
    noteWaiting(operation, seen);
    if (!isMessage) return seen;
    if (operation === 'send' && call.timeoutMs === undefined && seen.kind !== 'stream' && seen.kind !== 'not-sent') {
      const answer: Outcome<unknown> = seen;
      const isSilent = answer.kind === 'invalid-response' && answer.fault === 'timeout';
      shared.silent = isSilent ? shared.silent && [...shared.silent, answer] : undefined;
    }
    if (seen.kind === 'stream' && options.isElsewhere !== true) noteStream(seen);
    if (seen.kind === 'result' && operation === 'send') {
      const reply = seen.value as SendReply;
      shared.replies[reply.type]++;
      if (reply.type === 'message' && isHeard(call))
        shared.heard.message ??= { message: reply.message, exchange: shortExchange(seen.exchange) };
    }
    if (seen.kind === 'stream' && operation === 'stream' && isHeard(call))
      void seen.ended.then((exchange) => hearStream(seen, exchange));
    if (seen.kind === 'result' || (seen.kind === 'stream' && seen.seen[0]?.event !== undefined)) shared.accepted = true;
    else if (seen.kind !== 'stream') shared.refused ??= seen;
    return seen;
  }

  const self: Client = {
    dialect,
    endpoint,
    async call(operation, params, call = {}) {
      const spelled = dialect.operations[operation];
      if (spelled === undefined) return { kind: 'not-sent', reason: `${dialect.title} has no ${operation} operation` };
      // Where an interface beside the judged one has it, nothing has loaded it before.
      if (dialect.binding.load !== undefined) await dialect.binding.load();
      const reason = withheld(operation);
      if (reason !== undefined) return note(operation, call, { kind: 'not-sent', reason });
      const decode = (result: unknown) =>
        spelled.result.decode(result) as Operations[typeof operation]['result'] | undefined;
      if (spelled.url !== undefined) {
        const request = fetching(spelled.url(endpoint), call);
        const fetched = await wire.exchange(request, { ...sending(call, undefined), fetches: operation });
        seen?.(fetched);
        return readFetched(fetched, dialect, decode);
      }
      const attempt = async (way: Way): Promise<Outcome<Operations[typeof operation]['result']>> => {
        const ready = native(operation, params, call, way);
        return 'inexpressible' in ready ? unsendable(ready) : patient(call, () => transmit(ready, call, decode));
      };
      return note(operation, call, await inAnyWay(operation, params, call, attempt));
    },
    async open(operation, params, call = {}) {
      const spelled = dialect.operations[operation];
      if (spelled === undefined) return { kind: 'not-sent', reason: `${dialect.title} has no ${operation} operation` };
      // Where an interface beside the judged one has it, nothing has loaded it before.
      if (dialect.binding.load !== undefined) await dialect.binding.load();
      const reason = withheld(operation);
      if (reason !== undefined) return note(operation, call, { kind: 'not-sent', reason });
      const decode = (result: unknown) => spelled.result.decode(result) as StreamEvent | undefined;
      const attempt = async (way: Way): Promise<Opened> => {
        const ready = native(operation, params, call, way);
        return 'inexpressible' in ready ? unsendable(ready) : patient<Opened>(call, () => begin(ready));
      };
      const begin = async (ready: Ready): Promise<Opened> => {
        const request = await spell(ready.request, call);
        if ('kind' in request) return request;
        const open = await wire.open(request, sending(call, ready.note));
        if (seen !== undefined) open.ended.then(seen, () => undefined);
        if (open.head === undefined || !isStream(open.head.headers)) {
          await drain(open.chunks);
          return read(await open.ended, call, decode);
        }
        const stream = liveStream(open, dialect, operation);
        if (!isErrorItem(await stream.next())) return stream;
        // The refusal has come; an agent that still keeps the stream open is not waited for.
        const stop = clock.after(refusalGraceMs, stream.close);
        await stream.collect();
        stop();
        return read(await open.ended, call, decode);
      };
      return note(operation, call, await inAnyWay(operation, params, call, attempt));
    },
    rpc(request, post = {}) {
      return self.post(JSON.stringify(request) ?? '', post);
    },
    post(body, post = {}) {
      if (options.unspoken !== undefined) return Promise.resolve({ kind: 'not-sent', reason: options.unspoken });
      if (dialect.binding.requests === 'messages')
        return Promise.resolve(unsendable({ inexpressible: 'a body that is not a message' }));
      const off = options.readOnly ? '--read-only: this request could create work' : options.sendsOff;
      if (off !== undefined && post.invalid !== true && post.harmless !== true) {
        return Promise.resolve({ kind: 'not-sent', reason: off });
      }
      const note = { valid: isValid(post), ...(Object.hasOwn(post, 'id') ? { rpcId: post.id } : {}) };
      const ready: Ready = { request: posted(bytesOf(body), post, false), note };
      return patient(post, () => transmit(ready, post, anything));
    },
    form: (operation, params, id, timeoutMs) =>
      formOf(operation, params, { id, ...(timeoutMs === undefined ? {} : { timeoutMs }) }, wayOf(operation)),
    async submit(body, post) {
      const { operation, readingLimits } = post;
      const reason = withheld(operation);
      if (reason !== undefined) return { kind: 'not-sent', reason };
      const note: Call = {
        valid: isValid(post),
        ...(operation === undefined || post.astray === true ? {} : { operation }),
        ...(Object.hasOwn(post, 'id') ? { rpcId: post.id } : {}),
      };
      const streams = operation === 'stream' || operation === 'subscribe';
      /** A subscription that opened and had no event until the kit closed it: it counts as sent. */
      let silent: Exchange | undefined;
      const outcome = await patient<Outcome<unknown>>(post, async () => {
        const usual = posted(body, post, streams);
        const request = await spell(post.native?.(usual) ?? usual, post);
        if ('kind' in request) return request;
        const how = sending(post, note);
        const exchange =
          streams && readingLimits !== undefined
            ? await readStreamFully(await wire.open(request, how), dialect, operation, readingLimits, clock)
            : await wire.exchange(request, how);
        seen?.(exchange);
        const { response, failure } = exchange;
        silent =
          operation === 'subscribe' && response !== undefined && failure?.kind === 'aborted' ? exchange : undefined;
        return readOutcome(exchange, dialect, anything);
      });
      return outcome.kind === 'not-sent' ? (silent ?? outcome) : outcome.exchange;
    },
    async get(url, headers = [], credentials) {
      const caller = calling(credentials, own, second);
      const exchange = await wire.exchange(
        {
          method: 'GET',
          url: withQuery(url, caller.query),
          headers: merge([['accept', 'application/json'], ...caller.headers], headers),
        },
        { purpose },
      );
      seen?.(exchange);
      return exchange;
    },
    async raw(bytes, call = { valid: false }, timeoutMs) {
      if (options.unspoken !== undefined) return undefined;
      const limits = timeoutMs === undefined ? {} : { limits: { timeoutMs } };
      const exchange = await wire.raw?.(endpoint, bytes, { purpose, call, ...limits });
      if (exchange !== undefined) seen?.(exchange);
      return exchange;
    },
    at(url, transport, version) {
      const binding = bindings.find((binding) => binding.transport === transport);
      const spoken = (version === undefined ? undefined : dialectOfVersion(version)) ?? dialect;
      const over = binding && dialectOver(spoken, binding);
      if (over === undefined) return undefined;
      if (over === dialect && url === endpoint) return self;
      // An agent may answer there with an error that only the version that is judged has.
      const understood = { ...over, errors: { ...dialect.errors, ...over.errors } };
      const { unspoken, ...others } = options;
      // What is not known to speak the judged binding may speak this one.
      const own = over.binding.id === dialect.binding.id ? options : others;
      return clientOn({ ...own, dialect: understood, endpoint: url, isElsewhere: true }, shared, purpose, seen);
    },
    get otherwise() {
      const other = withoutVersionInPaths(dialect);
      return other && clientOn({ ...options, dialect: other }, shared, purpose, seen);
    },
    for: (other, watcher) => clientOn(options, shared, other, watcher),
    offerAll: () => shared.tasksBegun.offerAll(),
    offer(id) {
      if (id === undefined) shared.tasksBegun.offerAll(purpose);
      else shared.tasksBegun.offer(id);
    },
    hasOffered: (state) =>
      state === 'message'
        ? shared.heard.message !== undefined
        : shared.tasksBegun.has(state) || shared.heard.streams.has(state),
    takeOffered: (state) => shared.tasksBegun.take(state),
    lookAtOffered: (state) => shared.tasksBegun.look(state),
    heardMessage() {
      if (shared.heard.message !== undefined) seen?.(shared.heard.message.exchange);
      return shared.heard.message?.message;
    },
    heardStream(state) {
      const found = shared.heard.streams.get(state);
      if (found !== undefined) seen?.(found.exchange);
      return found;
    },
    async endWork(of) {
      const left = () => shared.tasksBegun.atWork(of === 'all' ? undefined : purpose);
      // Who asks for all of it needs to know what is left, which is worth a reading of each.
      if (isCostly(options) && of !== 'all') return left().length === 0;
      for (const { id, credentials, asked, atMs } of left()) {
        if (of === undefined && clock.now() - atMs < youngMs) continue;
        const how = credentials === undefined ? {} : { credentials };
        if (!asked && !shared.endsNoWork && dialect.operations.cancel !== undefined) {
          shared.tasksBegun.ask(id);
          const ended = await self.call('cancel', { id }, how);
          if (ended.kind === 'result') continue;
          shared.endsNoWork = ended.kind !== 'refusal' || ended.error === undefined || ended.error === 'MethodNotFound';
        }
        // It may have ended by itself.
        if ((await self.call('get', { id }, how)).kind !== 'result') shared.tasksBegun.drop(id);
      }
      return left().length === 0;
    },
    get waiting() {
      const isOpen = ({ since }: { readonly since: number }): boolean => !shared.tasksBegun.isOvertaken(since);
      return new Map([...shared.waiting].flatMap(([id, item]) => (isOpen(item) ? [[id, item.others]] : [])));
    },
    isSomebody: isSomebody(own),
    own,
    hasSecond: isSomebody(second),
    get tasksSent() {
      return shared.tasks;
    },
    get messages() {
      const { accepted, replies, refused, streams, unnamed, unextended } = shared;
      const silent = shared.silent?.[mostSilent - 1];
      return {
        accepted,
        makesTasks: replies.task > 0 || (replies.message < enoughMessages ? undefined : false),
        refused,
        streams,
        ...(unnamed ? { unnamed } : {}),
        ...(unextended ? { unextended } : {}),
        ...(silent ? { silent } : {}),
      };
    },
  };
  return self;
}

/** Later headers replace earlier ones of the same name. */
function merge(base: readonly Header[], over: readonly Header[], without: readonly string[] = []): readonly Header[] {
  if (over.length === 0 && without.length === 0) return base;
  const names = new Set([...without, ...over.map(([name]) => name)].map((name) => name.toLowerCase()));
  return [...base.filter(([name]) => !names.has(name.toLowerCase())), ...over];
}
