import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { canParseUrl } from '../model/index.js';
import { type Carrier, CarrierFailure, createInbox, type Header, type Inbox } from '../wire/index.js';
import { bodyLimit } from './http.js';
import { http2Port } from './http2-port.js';

export interface ServeOptions {
  /** 0 takes a free one. */
  readonly port?: number;
  readonly host?: string;
  readonly limits?: Partial<PortLimits>;
}

/** Limits of what clients may hold open. */
export interface PortLimits {
  /** At once; further ones are closed. */
  readonly connections: number;
  /** Until the head of a request has come, and until the whole request has, ms. */
  readonly headMs: number;
  readonly requestMs: number;
  /** Between two requests, ms. */
  readonly idleMs: number;
}
const usualLimits: PortLimits = { connections: 500, headMs: 30_000, requestMs: 60_000, idleMs: 5000 };

export interface Served {
  /** Without a slash at the end. */
  readonly url: string;
  close(): Promise<void>;
}

/** Makes the carrier of an agent once its address is known. */
export type Resident = (baseUrl: string) => Carrier;

/**
 * Puts one agent on a port, or several below `/<name>` each, over HTTP/1.1, and over HTTP/2 with prior knowledge. Rejects when the port is taken. A `fate` is carried out on
 * the socket: a hanging answer keeps it open until the client goes, a reset destroys it.
 */
export async function serveAgent(
  residents: Resident | Readonly<Record<string, Resident>>,
  { port = 0, host = '127.0.0.1', limits }: ServeOptions = {},
): Promise<Served> {
  let url = '';
  let carrierOf: (path: string) => Carrier | undefined = () => undefined;
  const { connections, headMs, requestMs, idleMs } = { ...usualLimits, ...limits };
  const times = {
    headersTimeout: headMs,
    requestTimeout: requestMs,
    keepAliveTimeout: idleMs,
    // How often Node checks these limits.
    connectionsCheckingInterval: Math.max(100, headMs / 6),
  };
  const inbox = createInbox(bodyLimit);
  const server = createServer(times, (request, response) => {
    void answer(request, response, url, carrierOf, inbox);
  });
  server.maxConnections = connections;
  // Broken and late requests get Node's 400. A broken socket is the client's concern, but it must not stay half closed.
  server.on('clientError', (_, socket) => {
    if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
    if ('setTimeout' in socket) (socket as Socket).setTimeout(idleMs, () => socket.destroy());
  });
  const http2 = http2Port({ carrierOf: (path) => carrierOf(path), url: () => url, headMs, idleMs, inbox });
  http2.share(server);
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  url = `http://${host.includes(':') ? `[${host}]` : host}:${bound}`;
  if (typeof residents === 'function') {
    const only = residents(url);
    carrierOf = () => only;
  } else {
    const carriers = new Map(Object.entries(residents).map(([name, make]) => [name, make(`${url}/${name}`)]));
    carrierOf = (path) => carriers.get(path.split('/')[1] ?? '');
  }
  return {
    url,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
        http2.close();
      }),
  };
}

async function answer(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  base: string,
  carrierOf: (path: string) => Carrier | undefined,
  inbox: Inbox,
): Promise<void> {
  const gone = new AbortController();
  outgoing.on('close', () => gone.abort());
  outgoing.on('error', () => gone.abort());
  try {
    // An absolute target (RFC 9112 §3.2.2) counts by its path; `//` must not become a host.
    const target = incoming.url ?? '/';
    const url = canParseUrl(target) ? new URL(target) : new URL(`${base}${target.startsWith('/') ? target : '/'}`);
    const carrier = carrierOf(url.pathname);
    if (carrier === undefined) return void outgoing.writeHead(404).end();
    const held = await inbox.read(incoming);
    if (held === undefined) return void outgoing.writeHead(503, { connection: 'close' }).end();
    const { body } = held;
    const response = await carrier(
      {
        method: incoming.method ?? 'GET',
        // The literal body: its reader parses it.
        url: target.startsWith('/') ? `${base}${target}` : `${base}${url.pathname}${url.search}`,
        headers: pairs(incoming.rawHeaders),
        ...(body.length === 0 ? {} : { body }),
      },
      gone.signal,
    ).finally(held.release);
    outgoing.writeHead(response.status, response.headers.flat());
    if (incoming.method === 'HEAD') return void outgoing.end();
    // The head goes out before the body, as on the in-memory wire.
    outgoing.flushHeaders();
    for await (const chunk of response.body) {
      if (gone.signal.aborted) return;
      if (!outgoing.write(chunk)) await drained(outgoing, gone.signal);
    }
    outgoing.end();
  } catch (cause) {
    // A reset would throw away what was already sent, so a body is only cut off.
    const reset = cause instanceof CarrierFailure && cause.kind === 'reset' && !outgoing.headersSent;
    if (reset) outgoing.socket?.resetAndDestroy();
    else outgoing.destroy();
  }
}

const pairs = (raw: readonly string[]): readonly Header[] =>
  raw.flatMap((name, at): readonly Header[] => (at % 2 === 0 ? [[name, raw[at + 1] ?? '']] : []));

async function drained(outgoing: ServerResponse, signal: AbortSignal): Promise<void> {
  await once(outgoing, 'drain', { signal }).catch(() => {});
}
