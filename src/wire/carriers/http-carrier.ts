import { Agent, buildConnector, type Dispatcher } from 'undici';
import {
  type Carrier,
  CarrierFailure,
  type Header,
  type StopSignal,
  type WireRequest,
  type WireResponse,
} from '../exchange/exchange.js';
import { proxyAuthorization, proxyFailure, proxyRefusal, serverName, tlsOptions, tunnelFor } from './dial.js';
import { asCarrierFailure } from './failure-kind.js';
import type { Http2Carrier } from './http2-carrier.js';
import { addressOf, type Network, type Place as NetworkPlace, placeOf, proxyFor } from './network.js';
import { createRawCarrier } from './raw-socket.js';
import { wantsKitCertificate } from './tls-advice.js';

export interface HttpCarrierOptions {
  /** Limit until the connection is open, milliseconds. */
  readonly connectTimeoutMs?: number;
  /** Limit until the response head has arrived, milliseconds; 0: only the limits of the wire apply. */
  readonly headersTimeoutMs?: number;
  /** Most connections to one origin. Each stream holds one, so this is more than the checks in flight. */
  readonly connections?: number;
  /** Longest response head, bytes; a longer one is `malformed`. */
  readonly maxHeaderBytes?: number;
  /** How agents are reached; left out: directly, with the certificates of the machine. */
  readonly network?: Network;
}

export interface HttpCarrier extends Carrier {
  /** Sends exact bytes, see `createRawCarrier`, to the same agents in the same way. */
  readonly raw: Carrier;
  /** Drops all connections; exchanges under way fail with `aborted`. */
  close(): Promise<void>;
}

/** Where a request goes and what stands in its request line. */
interface Route {
  readonly url: string;
  readonly origin: string;
  readonly path: string;
  /** It goes to this proxy, which asks the agent in the kit's place (RFC 9112 §3.2.2). */
  readonly via: URL | undefined;
  readonly host: string;
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
      abort(new CarrierFailure('aborted', 'the reader has stopped'));
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

/** The literal path and query of a URL, where they can stand in a request line; undefined: they cannot. */
function writtenPath(url: string): string | undefined {
  const from = url.indexOf('/', url.indexOf('://') + 3);
  const path = from < 0 ? '' : url.slice(from);
  return /^[\x21\x22\x24-\x7e]+$/.test(path) ? path : undefined;
}

/** Connections to agents: through a tunnel where a proxy is asked for them. `late`: errors after the handshake. */
function connectorFor(
  network: Network,
  timeout: number,
  late: (place: NetworkPlace, error: Error) => void,
): buildConnector.connector {
  const plain = buildConnector({ timeout, allowH2: false, ...tlsOptions(network) } as buildConnector.BuildOptions);
  return (options, callback) => {
    const place = placeOf(options);
    const at = { ...options, ...serverName(place.host), hostname: addressOf(place, network) ?? place.host };
    const begin = (httpSocket?: buildConnector.Options['httpSocket']): void => {
      // Without TLS, undici takes no open socket.
      if (httpSocket !== undefined && !place.secure) {
        callback(null, httpSocket);
        return;
      }
      const connected: buildConnector.Callback = (...[error, socket]) => {
        if (error !== null) return callback(error, null);
        socket.once('error', (cause) => late(place, cause));
        callback(null, socket);
      };
      plain({ ...at, ...(httpSocket === undefined ? {} : { httpSocket }) }, connected);
    };
    const through = tunnelFor(place, network, timeout);
    if (through === undefined) begin();
    else through.then(begin, (error: Error) => callback(error, null));
  };
}

/** Connections to proxies that ask agents in the kit's place. */
function proxyConnector({ ca, proxy }: Network, timeout: number): buildConnector.connector {
  const own = ca === undefined ? {} : tlsOptions({ ca });
  const plain = buildConnector({ timeout, allowH2: false, ...own } as buildConnector.BuildOptions);
  const named = new URL(proxy?.http ?? 'http://localhost');
  return (options, callback) => {
    plain(options, (...[error, socket]) => {
      if (error !== null) callback(proxyFailure(named, error), null);
      else callback(null, socket);
    });
  };
}

/**
 * HTTP/1.1 by undici, and HTTP/2 where a request asks for it. Headers are sent exactly as given (order, case, duplicates). Responses are passed on unchanged:
 * no redirect is followed, nothing is decoded, no cookie is kept.
 *
 * A proxy is asked for a tunnel to https agents, and to fetch http URLs itself. undici's own agents for proxies are not
 * used: they merge headers of one name.
 */
export function createHttpCarrier(options: HttpCarrierOptions = {}): HttpCarrier {
  const { network = {}, connectTimeoutMs = 10_000 } = options;
  const usual = {
    allowH2: false,
    pipelining: 1,
    connections: options.connections ?? 128,
    // Servers close idle connections after 2 s or more without notice; reusing one too late looks like a reset.
    keepAliveTimeout: 1000,
    keepAliveMaxTimeout: 1000,
    headersTimeout: options.headersTimeoutMs ?? 0,
    bodyTimeout: 0,
    maxHeaderSize: options.maxHeaderBytes ?? 64 * 1024,
  } as const;
  /** Origins whose agents ended a connection after the handshake because the kit showed no certificate. */
  const uncertified = new Map<string, Error>();
  const late = ({ host, port }: NetworkPlace, error: Error): void => {
    if (wantsKitCertificate(String(Reflect.get(error, 'code')))) uncertified.set(`${host}:${port}`, error);
  };
  const open = (): Agent => new Agent({ ...usual, connect: connectorFor(network, connectTimeoutMs, late) });
  let agent = open();
  const retired = new Set<Agent>();
  /**
   * Many servers close a connection after an error of theirs without saying so, and the next request on it would look
   * like one that the agent resets.
   */
  function renew(): void {
    const old = agent;
    agent = open();
    retired.add(old);
    const end = (): void => void retired.delete(old);
    old.close().then(end, end);
  }
  let proxies: Agent | undefined;
  const throughProxies = (): Agent => {
    proxies ??= new Agent({ ...usual, connect: proxyConnector(network, connectTimeoutMs) });
    return proxies;
  };
  /** The last URL that was accepted: most requests go to the same one. */
  let last: Route | undefined;
  function routeOf(url: string, asIs = false): Route {
    if (last?.url === url && !asIs) return last;
    const parsed = new URL(url);
    const { protocol, username, password, origin, host, pathname, search } = parsed;
    if (protocol !== 'http:' && protocol !== 'https:') {
      throw new CarrierFailure('aborted', `no way to send to a ${protocol} URL`);
    }
    // RFC 9110 §4.2.4: user information does not belong to a request target; silently dropping it would mislead.
    if (username !== '' || password !== '') {
      throw new CarrierFailure('aborted', 'credentials in the URL are not sent: use a header');
    }
    const place = placeOf(parsed);
    // A proxy would look up the name itself: for an address that stands in for it, it is asked for a tunnel.
    const via = place.secure || addressOf(place, network) !== undefined ? undefined : proxyFor(place, network);
    const path = asIs ? (writtenPath(url) ?? `${pathname}${search}`) : `${pathname}${search}`;
    const route: Route =
      via === undefined
        ? { url, origin, path, via, host }
        : { url, origin: via.origin, path: `${origin}${path}`, via, host };
    if (!asIs) last = route;
    return route;
  }
  /** Headers of a request that a proxy makes in the kit's place. */
  function proxied({ via, host }: Route, headers: readonly Header[]): readonly Header[] {
    if (via === undefined) return headers;
    const authorization = proxyAuthorization(via);
    const isNamed = headers.some(([name]) => name.toLowerCase() === 'host');
    return [
      ...(isNamed ? [] : [['host', host] as const]),
      ...headers,
      ...(authorization === undefined ? [] : [['proxy-authorization', authorization] as const]),
    ];
  }
  let overHttp2: Promise<Http2Carrier> | undefined;
  async function carryOverHttp2(request: WireRequest, signal: StopSignal): Promise<WireResponse> {
    // Loaded on use: only gRPC needs it.
    overHttp2 ??= import('./http2-carrier.js').then(({ createHttp2Carrier }) =>
      createHttp2Carrier({
        network,
        ...(options.connectTimeoutMs === undefined ? {} : { connectTimeoutMs: options.connectTimeoutMs }),
        ...(options.maxHeaderBytes === undefined ? {} : { maxHeaderBytes: options.maxHeaderBytes }),
      }),
    );
    return (await overHttp2)(request, signal);
  }
  function carry(request: WireRequest, signal: StopSignal): Promise<WireResponse> {
    if (request.http2 === true) return carryOverHttp2(request, signal);
    return new Promise((resolve, reject) => {
      let route: Route | undefined;
      let dispatcher: Agent | undefined;
      const handler = createHandler(
        (response) => {
          if (response.status >= 500 && dispatcher === agent) renew();
          if (route?.via === undefined || response.status !== 407) return resolve(response);
          // RFC 9110 §15.5.8: only a proxy says so.
          reject(proxyRefusal(route.via, response.status, route.host));
          handler.abort(new CarrierFailure('aborted', 'the proxy answered'));
        },
        (failure) => {
          const { host, port } = placeOf(new URL(request.url));
          const cause = failure.kind === 'reset' ? uncertified.get(`${host}:${port}`) : undefined;
          reject(cause === undefined ? failure : asCarrierFailure(cause));
        },
      );
      const onAbort = (): void => handler.abort(new CarrierFailure('aborted', 'the kit dropped the connection'));
      if (signal.aborted) onAbort();
      // The signal belongs to this exchange and ends with it.
      else signal.addEventListener('abort', onAbort, { once: true });
      try {
        route = routeOf(request.url, request.asIs);
        const { origin, path } = route;
        // CONNECT would open a tunnel, which the kit cannot read.
        if (request.method === 'CONNECT') throw new CarrierFailure('aborted', 'CONNECT is not sent');
        const { method, body = null } = request;
        const headers = proxied(route, request.headers).flat();
        dispatcher = route.via === undefined ? agent : throughProxies();
        dispatcher.dispatch({ origin, path, method: method as Dispatcher.HttpMethod, headers, body }, handler);
      } catch (error) {
        reject(asCarrierFailure(error));
      }
    });
  }
  return Object.assign(carry, {
    raw: createRawCarrier({ network, connectTimeoutMs }),
    async close() {
      const all = [agent, ...retired];
      await Promise.all([
        ...all.map((agent) => agent.destroy()),
        proxies?.destroy(),
        overHttp2?.then((http2Carrier) => http2Carrier.close()),
      ]);
    },
  });
}
