import { Agent, type Dispatcher } from 'undici';
import {
  type Carrier,
  CarrierFailure,
  type Header,
  type StopSignal,
  type WireRequest,
  type WireResponse,
} from './exchange.js';
import { asCarrierFailure } from './failure-kind.js';
import type { Http2Carrier } from './http2-carrier.js';

export interface HttpCarrierOptions {
  /** Limit until the connection is open, milliseconds. */
  readonly connectTimeoutMs?: number;
  /** Limit until the response head has arrived, milliseconds; 0: only the limits of the wire apply. */
  readonly headersTimeoutMs?: number;
  /** Most connections to one origin. Each stream holds one, so this is more than the checks in flight. */
  readonly connections?: number;
  /** Longest response head, bytes; a longer one is `malformed`. */
  readonly maxHeaderBytes?: number;
}

export interface HttpCarrier extends Carrier {
  /** Drops all connections; exchanges under way fail with `aborted`. */
  close(): Promise<void>;
}

interface Place {
  readonly url: string;
  readonly origin: string;
  readonly path: string;
}

const textOf = (bytes: unknown): string => (Buffer.isBuffer(bytes) ? bytes.toString('latin1') : String(bytes));

/** undici gives one list of alternating names and values. */
function pairs(raw: unknown): readonly Header[] {
  const list: readonly unknown[] = Array.isArray(raw) ? raw : [];
  const headers: Header[] = [];
  for (let index = 0; index + 1 < list.length; index += 2) headers.push([textOf(list[index]), textOf(list[index + 1])]);
  return headers;
}

/** At this many unread bytes, reading from the socket pauses. */
const mostAhead = 64 * 1024;

/** Collects the body without the streams of Node: most bodies are one piece that arrives with the head. */
function createHandler(
  onHead: (response: WireResponse) => void,
  onFailure: (failure: CarrierFailure) => void,
): Dispatcher.DispatchHandler & { abort(reason: Error): void } {
  const pieces: Uint8Array[] = [];
  let size = 0;
  let controller: Dispatcher.DispatchController | undefined;
  let aborted: Error | undefined;
  let failure: CarrierFailure | undefined;
  let isOver = false;
  let wake: (() => void) | undefined;
  function abort(reason: Error): void {
    aborted ??= reason;
    if (!isOver) controller?.abort(reason);
  }
  const body: AsyncIterableIterator<Uint8Array, undefined> = {
    [Symbol.asyncIterator]: () => body,
    // The usual body has already arrived, so nothing waits.
    next() {
      const value = pieces.shift();
      if (value !== undefined) {
        size -= value.length;
        if (size < mostAhead && controller?.paused === true) controller.resume();
        return Promise.resolve({ done: false, value });
      }
      if (failure !== undefined) return Promise.reject(failure);
      if (isOver) return Promise.resolve({ done: true, value: undefined });
      return new Promise<void>((resolve) => {
        wake = resolve;
      }).then(() => body.next());
    },
    async return() {
      abort(new CarrierFailure('aborted', 'nobody reads on'));
      return { done: true, value: undefined };
    },
  };
  return {
    abort,
    onRequestStart(started) {
      controller = started;
      if (aborted !== undefined) started.abort(aborted);
    },
    onResponseStart({ rawHeaders }, status) {
      if (status >= 200) onHead({ status, headers: pairs(rawHeaders), body });
    },
    onResponseData(reading, piece) {
      pieces.push(piece);
      size += piece.length;
      if (size >= mostAhead) reading.pause();
      wake?.();
    },
    onResponseEnd() {
      isOver = true;
      wake?.();
    },
    onResponseError(_, error) {
      isOver = true;
      failure = asCarrierFailure(error);
      onFailure(failure);
      wake?.();
    },
  };
}

/** The path and query of a URL as they are written, where they can stand in a request line; undefined: they cannot. */
function writtenPath(url: string): string | undefined {
  const from = url.indexOf('/', url.indexOf('://') + 3);
  const path = from < 0 ? '' : url.slice(from);
  return /^[\x21\x22\x24-\x7e]+$/.test(path) ? path : undefined;
}

/**
 * HTTP/1.1 by undici, and HTTP/2 where a request asks for it. Headers are sent exactly as given (order, case, duplicates). Responses are passed on unchanged:
 * no redirect is followed, nothing is decoded, no cookie is kept.
 */
export function createHttpCarrier(options: HttpCarrierOptions = {}): HttpCarrier {
  const agent = new Agent({
    allowH2: false,
    pipelining: 1,
    connections: options.connections ?? 128,
    // Servers close idle connections after 2 s or more without notice; reusing one too late looks like a reset.
    keepAliveTimeout: 1000,
    keepAliveMaxTimeout: 1000,
    headersTimeout: options.headersTimeoutMs ?? 0,
    bodyTimeout: 0,
    maxHeaderSize: options.maxHeaderBytes ?? 64 * 1024,
    connect: { timeout: options.connectTimeoutMs ?? 10_000 },
  });
  /** The last URL that was accepted: most requests go to the same one. */
  let last: Place | undefined;
  function placeOf(url: string, asIs = false): Place {
    if (last?.url === url && !asIs) return last;
    const { protocol, username, password, origin, pathname, search } = new URL(url);
    if (protocol !== 'http:' && protocol !== 'https:') {
      throw new CarrierFailure('aborted', `no way to send to a ${protocol} URL`);
    }
    // RFC 9110 §4.2.4: user information is no part of a request target; silently dropping it would mislead.
    if (username !== '' || password !== '') {
      throw new CarrierFailure('aborted', 'credentials in the URL are not sent: use a header');
    }
    if (asIs) return { url, origin, path: writtenPath(url) ?? `${pathname}${search}` };
    last = { url, origin, path: `${pathname}${search}` };
    return last;
  }
  let overHttp2: Promise<Http2Carrier> | undefined;
  async function carryOverHttp2(request: WireRequest, signal: StopSignal): Promise<WireResponse> {
    // Loaded on use: only gRPC needs it.
    overHttp2 ??= import('./http2-carrier.js').then(({ createHttp2Carrier }) =>
      createHttp2Carrier({
        ...(options.connectTimeoutMs === undefined ? {} : { connectTimeoutMs: options.connectTimeoutMs }),
        ...(options.maxHeaderBytes === undefined ? {} : { maxHeaderBytes: options.maxHeaderBytes }),
      }),
    );
    return (await overHttp2)(request, signal);
  }
  function carry(request: WireRequest, signal: StopSignal): Promise<WireResponse> {
    if (request.http2 === true) return carryOverHttp2(request, signal);
    return new Promise((resolve, reject) => {
      const handler = createHandler(resolve, reject);
      const onAbort = (): void => handler.abort(new CarrierFailure('aborted', 'the kit dropped the connection'));
      if (signal.aborted) onAbort();
      // The signal belongs to this exchange and ends with it.
      else signal.addEventListener('abort', onAbort, { once: true });
      try {
        const { origin, path } = placeOf(request.url, request.asIs);
        // CONNECT would open a tunnel, which the kit cannot read.
        if (request.method === 'CONNECT') throw new CarrierFailure('aborted', 'CONNECT is not sent');
        const { method, headers, body = null } = request;
        agent.dispatch(
          { origin, path, method: method as Dispatcher.HttpMethod, headers: headers.flat(), body },
          handler,
        );
      } catch (error) {
        reject(asCarrierFailure(error));
      }
    });
  }
  return Object.assign(carry, {
    async close() {
      await Promise.all([agent.destroy(), overHttp2?.then((one) => one.close())]);
    },
  });
}
