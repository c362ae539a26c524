import { isLoopback } from '../../model/index.js';
import type { Clock } from '../clock.js';
import type { Carrier, Exchange, Header, WireRequest, WireResponse } from '../exchange/exchange.js';
import type { Tape } from '../exchange/tape.js';

/** The kit's answer to a call of a webhook; `hang`: no answer until another one is set, or the receiver is closed. */
export type WebhookAnswer = { readonly status: number; readonly headers?: readonly Header[] } | 'hang';

/** One call of a webhook. */
export interface Notification {
  /** As it was given to `url` or `aside`. */
  readonly path: string;
  readonly request: WireRequest;
  /** Time of arrival, by the clock of the run. */
  readonly at: number;
  readonly exchange: Exchange;
  /** For a call that gets no answer: when the agent gave up. Absent while the agent waits, and where the kit answered. */
  readonly givenUpAt?: number;
  /** Resolves when the kit has answered, or the agent has given up. */
  readonly over: Promise<void>;
}

/** Webhooks of the kit, which the agent calls. Nothing here throws because of what is sent to it. */
export interface Receiver {
  /** The URL of the webhook of this path; calls of other URLs are refused and forgotten. */
  url(path: string): string;
  /**
   * The same webhook under a loopback name that the agent was never given: an address that no client may make it call.
   * Undefined when the webhooks are not on loopback, since the agent could not reach it.
   */
  aside(path: string): string | undefined;
  /** The user says that the agent can reach it; otherwise only a call shows that. */
  readonly assured: boolean;
  /** Sets the answer to later calls of this path, and to those that hang; default: 200. */
  answer(path: string, answer: WebhookAnswer): void;
  /** The oldest call that `next` has not returned yet, as soon as there is one; undefined after `timeoutMs`. */
  next(path: string, timeoutMs: number): Promise<Notification | undefined>;
  /** All calls so far, of one path or of all. */
  received(path?: string): readonly Notification[];
  close(): Promise<void>;
}

/** An open port or its equivalent in memory, where calls arrive. */
export interface WebhookPort {
  /** The URL by which the agent reaches it, without a slash at the end. */
  readonly url: string;
  readonly assured: boolean;
  close(): Promise<void>;
}
/** Starts to accept calls: every request is passed to `serve`. */
export type OpenWebhooks = (serve: Carrier) => Promise<WebhookPort>;

export interface ReceiverOptions {
  readonly open: OpenWebhooks;
  readonly clock: Clock;
  /** Every call is recorded on it. */
  readonly tape: Tape;
  /** First segment of all paths, so that calls from others are not taken for the agent's. */
  readonly key: string;
}

/** A longer body is cut, and answered with 413. */
export const webhookBodyLimit = 1024 * 1024;
/** Limits of the calls that a run keeps; later calls are answered with 429 and forgotten. */
const mostCalls = 1000;
const mostBytes = 16 * 1024 * 1024;

const plain = (status: number, headers: readonly Header[] = [], text = ''): WireResponse => ({
  status,
  headers,
  body: (async function* () {
    if (text !== '') yield new TextEncoder().encode(text);
  })(),
});

/** Rejects when `open` does. */
export async function createReceiver({ open, clock, tape, key }: ReceiverOptions): Promise<Receiver> {
  const calls: (Notification & { givenUpAt?: number })[] = [];
  const answers = new Map<string, WebhookAnswer>();
  const given = new Map<string, number>();
  const waiting = new Set<{ readonly path: string; wake(call: Notification | undefined): void }>();
  /** Ends each call that hangs, with an answer. */
  const hanging = new Map<(answer: WireResponse) => void, string>();
  let bytes = 0;

  const pathOf = (url: string): string | undefined => {
    const { pathname } = new URL(url);
    const at = pathname.lastIndexOf(`/${key}/`);
    return at < 0 ? undefined : pathname.slice(at + key.length + 2);
  };
  const at = (path: string): readonly Notification[] => calls.filter((call) => call.path === path);

  /** Returns the next call of a path, if there is one, and marks it as returned. */
  function take(path: string): Notification | undefined {
    const index = given.get(path) ?? 0;
    const call = at(path)[index];
    if (call !== undefined) given.set(path, index + 1);
    return call;
  }

  function record(
    path: string,
    request: WireRequest,
    status: number | undefined,
    headers: readonly Header[],
    over: Promise<unknown> = Promise.resolve(),
  ) {
    const body = request.body?.slice(0, webhookBodyLimit);
    const isCut = (request.body?.length ?? 0) > webhookBodyLimit;
    bytes += body?.length ?? 0;
    const now = clock.now();
    const exchange: Exchange = {
      id: tape.nextId(),
      purpose: 'webhook',
      toWebhook: true,
      request: { ...request, ...(body === undefined ? {} : { body }), ...(isCut ? { cut: true } : {}) },
      ...(status === undefined
        ? { failure: { kind: 'aborted', detail: 'the kit gave no answer, on purpose' } }
        : { response: { status, headers, body: new Uint8Array(), chunks: [] } }),
      startedAt: now,
      durationMs: 0,
    };
    tape.add(exchange);
    const made: (typeof calls)[number] = {
      path,
      request: exchange.request,
      at: now,
      exchange,
      over: over.then(() => undefined),
    };
    calls.push(made);
    for (const item of [...waiting].filter((item) => item.path === path)) {
      const call = take(path);
      if (call !== undefined) item.wake(call);
    }
    return made;
  }

  const serve: Carrier = async (request, signal) => {
    const path = pathOf(request.url);
    if (path === undefined) return plain(404);
    if (calls.length >= mostCalls || bytes >= mostBytes) return plain(429);
    // Requests with these methods only ask whether the webhook exists: they get 200, whatever the answer to calls is.
    const asks = request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS';
    const wanted = (asks ? undefined : answers.get(path)) ?? { status: 200 };
    if (wanted === 'hang') {
      let resolve: (answer: WireResponse) => void = () => undefined;
      const answered = new Promise<WireResponse>((settle) => {
        resolve = settle;
      });
      const end = (answer: WireResponse): void => {
        hanging.delete(end);
        resolve(answer);
      };
      hanging.set(end, path);
      const call = record(path, request, undefined, [], answered);
      const giveUp = (): void => {
        if (hanging.has(end)) call.givenUpAt = clock.now();
        end(plain(503));
      };
      if (signal.aborted) giveUp();
      else signal.addEventListener('abort', giveUp, { once: true });
      return answered;
    }
    const status = (request.body?.length ?? 0) > webhookBodyLimit ? 413 : wanted.status;
    record(path, request, status, wanted.headers ?? []);
    // 0.3, topics/streaming-and-async: a server may ask the webhook to repeat a token before it is used.
    const token = new URL(request.url).searchParams.get('validationToken');
    return plain(status, wanted.headers, request.method === 'GET' ? (token ?? '') : '');
  };

  const port = await open(serve);
  const base = new URL(port.url);
  return {
    assured: port.assured,
    url: (path) => `${port.url}/${key}/${path}`,
    aside(path) {
      if (!isLoopback(base.hostname)) return undefined;
      const other = base.hostname === 'localhost' ? '127.0.0.1' : 'localhost';
      return `http://${other}${base.port === '' ? '' : `:${base.port}`}${base.pathname.replace(/\/$/, '')}/${key}/${path}`;
    },
    answer(path, answer) {
      answers.set(path, answer);
      if (answer === 'hang') return;
      for (const [end, of] of [...hanging]) if (of === path) end(plain(answer.status, answer.headers));
    },
    next(path, timeoutMs) {
      const call = take(path);
      if (call !== undefined || timeoutMs <= 0) return Promise.resolve(call);
      return new Promise((resolve) => {
        const waiter = { path, wake };
        const stop = clock.after(timeoutMs, () => wake(undefined));
        waiting.add(waiter);
        function wake(found: Notification | undefined): void {
          stop();
          waiting.delete(waiter);
          resolve(found);
        }
      });
    },
    received: (path) => (path === undefined ? [...calls] : at(path)),
    async close() {
      for (const end of [...hanging.keys()]) end(plain(503));
      for (const { wake } of [...waiting]) wake(undefined);
      await port.close();
    },
  };
}

/** Webhooks without a socket. `carrier` is how an agent in memory reaches them. */
export function memoryWebhooks(url: string): { readonly open: OpenWebhooks; readonly carrier: Carrier } {
  let serve: Carrier | undefined;
  return {
    open: async (carrier) => {
      serve = carrier;
      return {
        url,
        assured: true,
        close: async () => {
          serve = undefined;
        },
      };
    },
    carrier: async (request, signal) => serve?.(request, signal) ?? plain(404),
  };
}
