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

export interface HttpCarrierOptions {
  /** Until the connection stands, milliseconds. */
  readonly connectTimeoutMs?: number;
  /** Until the response head is there, milliseconds; 0: only the wire's own limits hold. */
  readonly headersTimeoutMs?: number;
  /** Connections to one origin. Streams hold one each, so this is more than the checks in flight. */
  readonly connections?: number;
  /** Response head, bytes; a longer one is `malformed`. */
  readonly maxHeaderBytes?: number;
}

export interface HttpCarrier extends Carrier {
  /** Drops all connections; what is under way fails with `aborted`. */
  close(): Promise<void>;
}

interface Place {
  readonly url: string;
  readonly origin: string;
  readonly path: string;
}

const textOf = (bytes: unknown): string => (Buffer.isBuffer(bytes) ? bytes.toString('latin1') : String(bytes));

/** undici gives names and values in turns. */
function pairs(raw: unknown): readonly Header[] {
  const list: readonly unknown[] = Array.isArray(raw) ? raw : [];
  const headers: Header[] = [];
  for (let index = 0; index + 1 < list.length; index += 2) headers.push([textOf(list[index]), textOf(list[index + 1])]);
  return headers;
}

/** More bytes than these are not taken from the socket before somebody reads them. */
const mostAhead = 64 * 1024;

/** Taken by hand, without the streams of Node: most bodies are one piece that is there with its head. */
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
    // The usual body is there before it is asked for: nothing is waited for then.
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

/**
 * HTTP/1.1 by undici: headers go out exactly as given (order, case, duplicates), responses come as they are: no
 * redirect is followed, nothing decoded, no cookie kept.
 */
export function createHttpCarrier(options: HttpCarrierOptions = {}): HttpCarrier {
  const agent = new Agent({
    allowH2: false,
    pipelining: 1,
    connections: options.connections ?? 128,
    // Servers drop idle connections after 2 s or more without saying so; one that is reused too late looks like a
    // reset.
    keepAliveTimeout: 1000,
    keepAliveMaxTimeout: 1000,
    headersTimeout: options.headersTimeoutMs ?? 0,
    bodyTimeout: 0,
    maxHeaderSize: options.maxHeaderBytes ?? 64 * 1024,
    connect: { timeout: options.connectTimeoutMs ?? 10_000 },
  });
  /** The last URL that may be sent to: most requests go to the same one. */
  let last: Place | undefined;
  function placeOf(url: string): Place {
    if (last?.url === url) return last;
    const { protocol, username, password, origin, pathname, search } = new URL(url);
    if (protocol !== 'http:' && protocol !== 'https:') {
      throw new CarrierFailure('aborted', `no way to send to a ${protocol} URL`);
    }
    // RFC 9110 §4.2.4: user information is no part of a request target; silently dropping it would mislead.
    if (username !== '' || password !== '') {
      throw new CarrierFailure('aborted', 'credentials in the URL are not sent: use a header');
    }
    last = { url, origin, path: `${pathname}${search}` };
    return last;
  }
  function carry(request: WireRequest, signal: StopSignal): Promise<WireResponse> {
    return new Promise((resolve, reject) => {
      const handler = createHandler(resolve, reject);
      const onAbort = (): void => handler.abort(new CarrierFailure('aborted', 'the kit dropped the connection'));
      if (signal.aborted) onAbort();
      // The signal is that of this exchange, and ends with it.
      else signal.addEventListener('abort', onAbort, { once: true });
      try {
        const { origin, path } = placeOf(request.url);
        // It would open a tunnel, which nobody here could read.
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
  return Object.assign(carry, { close: () => agent.destroy() });
}
