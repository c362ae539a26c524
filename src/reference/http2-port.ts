import { once } from 'node:events';
import { createServer as createHttp2Server, type Http2Server, type ServerHttp2Stream } from 'node:http2';
import type { Server, Socket } from 'node:net';
import { type Carrier, CarrierFailure, type Header, type Inbox } from '../wire/index.js';

// HTTP/2 with prior knowledge beside HTTP/1.1, on the same port: a client of HTTP/2 begins with words that no other
// client sends (RFC 9113 §3.4).

const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');

export interface Http2PortOptions {
  /** Where a path is answered; undefined: nowhere. */
  readonly carrierOf: (path: string) => Carrier | undefined;
  /** The URL of the port, without a slash at the end. */
  readonly url: () => string;
  /** Until the first bytes have come, and between two streams, ms. */
  readonly headMs: number;
  readonly idleMs: number;
  /** That of the server of HTTP/1.1: both hold so much together. */
  readonly inbox: Inbox;
}

export interface Http2Port {
  /** Hands the sockets of a server of HTTP/1.1 that speak HTTP/2 to this one. */
  share(server: Server): void;
  close(): void;
}

export function http2Port(options: Http2PortOptions): Http2Port {
  const { headMs, idleMs } = options;
  const server: Http2Server = createHttp2Server({
    maxSessionMemory: 16,
    settings: { maxConcurrentStreams: 200, maxHeaderListSize: 16 * 1024, enablePush: false },
  });
  const sockets = new Set<Socket>();
  server.on('session', (session) => {
    session.setTimeout(idleMs, () => session.close());
    session.on('error', () => session.destroy());
  });
  server.on('sessionError', () => {});
  server.on('stream', (stream, _, __, raw?: unknown) => {
    void answer(stream, Array.isArray(raw) ? (raw as string[]) : [], options);
  });

  function share(other: Server): void {
    const usual = other.listeners('connection') as ((socket: Socket) => void)[];
    other.removeAllListeners('connection');
    other.on('connection', (socket) => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
      socket.on('error', () => socket.destroy());
      socket.setTimeout(headMs, () => socket.destroy());
      let seen: Buffer = Buffer.alloc(0);
      const onEnd = (): void => void socket.destroy();
      const onData = (): void => {
        const more = socket.read() as Buffer | null;
        if (more === null) return;
        seen = Buffer.concat([seen, more]);
        const length = Math.min(seen.length, preface.length);
        const isOpen = seen.subarray(0, length).equals(preface.subarray(0, length));
        if (isOpen && seen.length < preface.length) return;
        socket.off('readable', onData);
        socket.off('end', onEnd);
        socket.setTimeout(0);
        socket.unshift(seen);
        if (isOpen) server.emit('connection', socket);
        else for (const listener of usual) listener.call(other, socket);
      };
      socket.on('readable', onData);
      socket.on('end', onEnd);
    });
  }

  return {
    share,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

const pairs = (raw: readonly string[]): readonly Header[] =>
  raw.flatMap((name, at): readonly Header[] =>
    at % 2 === 0 && !name.startsWith(':') ? [[name, raw[at + 1] ?? '']] : [],
  );

const pseudo = (raw: readonly string[], name: string): string | undefined => {
  const at = raw.indexOf(name);
  return at >= 0 && at % 2 === 0 ? raw[at + 1] : undefined;
};

/** Headers as Node takes them; a name that comes several times has a list. */
function asNode(headers: readonly Header[]): Record<string, string | string[]> {
  const own: Record<string, string | string[]> = Object.create(null);
  for (const [name, value] of headers) {
    const lower = name.toLowerCase();
    const known = own[lower];
    own[lower] = known === undefined ? value : [known, value].flat();
  }
  return own;
}

async function answer(stream: ServerHttp2Stream, raw: readonly string[], options: Http2PortOptions): Promise<void> {
  const gone = new AbortController();
  stream.on('close', () => gone.abort());
  stream.on('error', () => gone.abort());
  try {
    const target = pseudo(raw, ':path') ?? '/';
    const base = options.url();
    const carrier = target.startsWith('/') ? options.carrierOf(new URL(`${base}${target}`).pathname) : undefined;
    if (carrier === undefined) {
      stream.respond({ ':status': 404 }, { endStream: true });
      return;
    }
    const held = await options.inbox.read(stream);
    if (held === undefined) {
      stream.respond({ ':status': 503 }, { endStream: true });
      return;
    }
    const { body } = held;
    const response = await carrier(
      {
        method: pseudo(raw, ':method') ?? 'GET',
        url: `${base}${target}`,
        headers: pairs(raw),
        http2: true,
        ...(stream.endAfterHeaders ? {} : { body }),
      },
      gone.signal,
    ).finally(held.release);
    const head = { ...asNode(response.headers), ':status': response.status };
    if (gone.signal.aborted) return;
    const chunks = response.body[Symbol.asyncIterator]();
    let next = response.trailers === undefined ? await chunks.next() : undefined;
    // The only header block ends the stream: a status without a message (grpc/doc/PROTOCOL-HTTP2.md).
    if (next?.done === true || (next !== undefined && next.value.byteLength === 0)) {
      if (next.done !== true) next = await chunks.next();
      if (next.done === true) {
        stream.respond(head, { endStream: true });
        return;
      }
    }
    stream.respond(head, { waitForTrailers: response.trailers !== undefined });
    stream.on('wantTrailers', () => stream.sendTrailers(asNode(response.trailers?.() ?? [])));
    for (
      let iteratorResult = next ?? (await chunks.next());
      iteratorResult.done !== true;
      iteratorResult = await chunks.next()
    ) {
      if (gone.signal.aborted) return;
      if (!stream.write(iteratorResult.value)) await once(stream, 'drain', { signal: gone.signal }).catch(() => {});
    }
    stream.end();
  } catch (cause) {
    if (stream.destroyed) return;
    const isLost = cause instanceof CarrierFailure && cause.kind === 'reset' && !stream.headersSent;
    if (isLost) stream.session?.destroy();
    else stream.close(2);
  }
}
