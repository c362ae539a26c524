import { Agent } from 'undici';
import { type Carrier, CarrierFailure, type Header, type WireRequest, type WireResponse } from './exchange.js';
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

/** undici gives names and values in turns. It types `raw` headers as a record, which they are not. */
function pairs(raw: unknown): readonly Header[] {
  const list: readonly unknown[] = Array.isArray(raw) ? raw : [];
  const headers: Header[] = [];
  for (let index = 0; index + 1 < list.length; index += 2) headers.push([String(list[index]), String(list[index + 1])]);
  return headers;
}

async function* bodyOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw asCarrierFailure(error);
  }
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
    // Servers drop idle connections after 2 s or more without saying so; one that is reused too late looks like a reset.
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
  async function carry(request: WireRequest, signal: AbortSignal): Promise<WireResponse> {
    try {
      const { origin, path } = placeOf(request.url);
      const response = await agent.request({
        origin,
        path,
        method: request.method,
        headers: request.headers.flat(),
        body: request.body ?? null,
        signal,
        responseHeaders: 'raw',
      });
      return { status: response.statusCode, headers: pairs(response.headers), body: bodyOf(response.body) };
    } catch (error) {
      throw asCarrierFailure(error);
    }
  }
  return Object.assign(carry, { close: () => agent.destroy() });
}
