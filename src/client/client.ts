import type { Dialect } from '../dialect/index.js';
import { type Draft, type Operation, type Operations, type StreamEvent, writingOperations } from '../model/index.js';
import {
  type Call,
  type Clock,
  type Exchange,
  type Header,
  mediaType,
  type Sending,
  sleep,
  type Wire,
  type WireRequest,
} from '../wire/index.js';
import { type Outcome, readOutcome, retryAfterMs } from './outcome.js';
import { isErrorItem, liveStream, type Opened } from './stream.js';

export interface CallOptions {
  /** JSON-RPC id; left out: a fresh string. */
  readonly id?: unknown;
  /** Last change to the whole request object before it is sent. */
  readonly envelope?: (request: Record<string, unknown>) => unknown;
  /** Added to, or in place of, the usual headers. */
  readonly headers?: readonly Header[];
  /** The request breaks a rule on purpose: laws expect no success of it. */
  readonly invalid?: boolean;
  /** Sends no credentials, or those of another caller. Default: the configured ones. */
  readonly credentials?: readonly Header[];
  readonly timeoutMs?: number;
}

export interface PostOptions extends CallOptions {
  /** Default `application/json`; null sends none. */
  readonly contentType?: string | null;
  /** Another endpoint than the agent's. */
  readonly url?: string;
}

export interface ClientOptions {
  readonly wire: Wire;
  readonly clock: Clock;
  readonly dialect: Dialect;
  /** The JSON-RPC endpoint. */
  readonly endpoint: string;
  readonly credentials: readonly Header[];
  readonly readOnly: boolean;
  /** Sends that may still create a task; undefined: no cap. */
  readonly taskBudget?: number;
  /** Longest total wait for one call under the agent's rate limit, ms. */
  readonly limitPatienceMs: number;
  /** Told before each such wait. */
  readonly onWait?: (ms: number) => void;
  /** Ends waits early. */
  readonly signal?: AbortSignal;
  /** Fresh UUIDs, from the seed of the run. */
  readonly uuid: () => string;
}

/** Canonical operations on one endpoint. Every call is an exchange on the tape; none throws for what the target does. */
export interface Client {
  readonly dialect: Dialect;
  readonly endpoint: string;
  call<Op extends Operation>(
    operation: Op,
    params: Draft<Operations[Op]['params']>,
    options?: CallOptions,
  ): Promise<Outcome<Operations[Op]['result']>>;
  /** A stream of updates. A refusal inside the stream comes as a refusal; the first event has been waited for. */
  open<Op extends 'stream' | 'subscribe'>(
    operation: Op,
    params: Draft<Operations[Op]['params']>,
    options?: CallOptions,
  ): Promise<Opened>;
  /** Any JSON value in the place of a request object. */
  rpc(request: unknown, options?: PostOptions): Promise<Outcome<unknown>>;
  /** Any bytes in the place of a request body. */
  post(body: string | Uint8Array, options?: PostOptions): Promise<Outcome<unknown>>;
  get(url: string, headers?: readonly Header[]): Promise<Exchange>;
  /** Bytes of our own on a socket of their own; undefined where the wire has none (in memory). */
  raw(bytes: Uint8Array): Promise<Exchange | undefined>;
  /** The same client, its exchanges marked with another purpose and shown to `seen`. */
  for(purpose: string, seen?: (exchange: Exchange) => void): Client;
  /** Tasks that sends of this run may have created so far. */
  readonly tasksSent: number;
}

const encoder = new TextEncoder();
const bytesOf = (body: string | Uint8Array): Uint8Array => (typeof body === 'string' ? encoder.encode(body) : body);

interface Shared {
  tasks: number;
  /** No call before this time: the agent asked to wait. */
  quietUntil: number;
  /** A whole patience was waited in vain: until something is answered again, nobody waits any more. */
  hopeless: boolean;
  order: number;
}

export function createClient(options: ClientOptions): Client {
  return clientOn(options, { tasks: 0, quietUntil: 0, hopeless: false, order: 0 }, 'run', undefined);
}

function clientOn(
  options: ClientOptions,
  shared: Shared,
  purpose: string,
  seen: ((exchange: Exchange) => void) | undefined,
): Client {
  const { wire, clock, dialect, endpoint } = options;

  function spell(body: Uint8Array, post: PostOptions, streams: boolean): WireRequest {
    const type = post.contentType === undefined ? 'application/json' : post.contentType;
    const headers = merge(
      [
        ...(type === null ? [] : [['content-type', type] as const]),
        ['accept', streams ? 'text/event-stream, application/json' : 'application/json'],
        ...dialect.headers,
        ...(post.credentials ?? options.credentials),
      ],
      post.headers ?? [],
    );
    return { method: 'POST', url: post.url ?? endpoint, headers, body };
  }

  const sending = (post: PostOptions, call: Sending['call']): Sending => ({
    purpose,
    ...(call === undefined ? {} : { call }),
    ...(post.timeoutMs === undefined ? {} : { limits: { timeoutMs: post.timeoutMs } }),
  });

  async function transmit(body: Uint8Array, post: PostOptions, call: Sending['call']): Promise<Exchange> {
    const streams = call?.operation === 'stream' || call?.operation === 'subscribe';
    const exchange = await wire.exchange(spell(body, post, streams), sending(post, call));
    seen?.(exchange);
    return exchange;
  }

  /** The request object of an operation, and what laws should know of it. */
  function envelop(operation: Operation, params: unknown, call: CallOptions): { body: Uint8Array; note: Call } {
    const spelled = dialect.operations[operation];
    const id = Object.hasOwn(call, 'id') ? call.id : `tck-${++shared.order}`;
    const encoded = spelled?.params.encode(params as never);
    const request: Record<string, unknown> = { jsonrpc: '2.0', id, method: spelled?.method };
    if (encoded !== undefined) request['params'] = encoded;
    const sent = call.envelope === undefined ? request : call.envelope(request);
    return { body: bytesOf(JSON.stringify(sent) ?? ''), note: { operation, rpcId: id, valid: call.invalid !== true } };
  }

  /** Sends; when the agent's limit answers, waits as it asks and sends again, within the patience of the run. */
  async function patient<T>(
    send: () => Promise<Exchange>,
    decode: (wire: unknown) => T | undefined,
  ): Promise<Outcome<T>> {
    let waited = 0;
    for (let attempt = 0; ; attempt++) {
      const quiet = shared.quietUntil - clock.now();
      if (quiet > 0) await sleep(clock, quiet, options.signal);
      const outcome = readOutcome(await send(), dialect, decode);
      if (outcome.kind !== 'busy') {
        if (outcome.kind !== 'withheld') shared.hopeless = false;
        return outcome;
      }
      const asked = Math.max(retryAfterMs(outcome.exchange, clock.now()) ?? 1000 * 2 ** attempt, 100);
      if (shared.hopeless || options.signal?.aborted === true) return outcome;
      if (waited + asked > options.limitPatienceMs) {
        shared.hopeless = true;
        return outcome;
      }
      waited += asked;
      shared.quietUntil = Math.max(shared.quietUntil, clock.now() + asked);
      options.onWait?.(asked);
    }
  }

  function withheld(operation: Operation | undefined): string | undefined {
    if (options.readOnly && operation !== undefined && writingOperations.has(operation)) {
      return '--read-only: this request could create work or change a task';
    }
    if (operation === 'send' || operation === 'stream') {
      if (options.taskBudget !== undefined && shared.tasks >= options.taskBudget) {
        return `the budget of ${options.taskBudget} tasks is spent`;
      }
      shared.tasks++;
    }
    return undefined;
  }

  const self: Client = {
    dialect,
    endpoint,
    async call(operation, params, call = {}) {
      const spelled = dialect.operations[operation];
      if (spelled === undefined) return { kind: 'withheld', reason: `${dialect.title} has no ${operation} operation` };
      const reason = withheld(operation);
      if (reason !== undefined) return { kind: 'withheld', reason };
      const { body, note } = envelop(operation, params, call);
      return patient(
        () => transmit(body, call, note),
        (result) => spelled.result.decode(result) as Operations[typeof operation]['result'] | undefined,
      );
    },
    async open(operation, params, call = {}) {
      const spelled = dialect.operations[operation];
      if (spelled === undefined) return { kind: 'withheld', reason: `${dialect.title} has no ${operation} operation` };
      const reason = withheld(operation);
      if (reason !== undefined) return { kind: 'withheld', reason };
      const { body, note } = envelop(operation, params, call);
      const open = await wire.open(spell(body, call, true), sending(call, note));
      if (seen !== undefined) open.ended.then(seen, () => undefined);
      const decode = (result: unknown) => spelled.result.decode(result) as StreamEvent | undefined;
      if (open.head === undefined || mediaType(open.head.headers) !== 'text/event-stream') {
        return readOutcome(await open.ended, dialect, decode);
      }
      const stream = liveStream(open, dialect, operation);
      if (!isErrorItem(await stream.next())) return stream;
      await stream.collect();
      return readOutcome(await open.ended, dialect, decode);
    },
    rpc(request, post = {}) {
      return self.post(JSON.stringify(request) ?? '', post);
    },
    post(body, post = {}) {
      if (options.readOnly && post.invalid !== true) {
        return Promise.resolve({ kind: 'withheld', reason: '--read-only: this request could create work' });
      }
      const note = { valid: post.invalid !== true, ...(Object.hasOwn(post, 'id') ? { rpcId: post.id } : {}) };
      return patient(
        () => transmit(bytesOf(body), post, note),
        (result) => (result === undefined ? null : result),
      );
    },
    async get(url, headers = []) {
      const exchange = await wire.exchange(
        { method: 'GET', url, headers: merge([['accept', 'application/json'], ...options.credentials], headers) },
        { purpose },
      );
      seen?.(exchange);
      return exchange;
    },
    async raw(bytes) {
      const exchange = await wire.raw?.(endpoint, bytes, { purpose, call: { valid: false } });
      if (exchange !== undefined) seen?.(exchange);
      return exchange;
    },
    for: (other, watcher) => clientOn(options, shared, other, watcher),
    get tasksSent() {
      return shared.tasks;
    },
  };
  return self;
}

/** Later headers replace earlier ones of the same name. */
function merge(base: readonly Header[], over: readonly Header[]): readonly Header[] {
  const names = new Set(over.map(([name]) => name.toLowerCase()));
  return [...base.filter(([name]) => !names.has(name.toLowerCase())), ...over];
}
