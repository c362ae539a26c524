import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from 'node:http2';
import type { Socket } from 'node:net';
import {
  afterDrop,
  type Carrier,
  CarrierFailure,
  type Header,
  type Http2Manner,
  mostPieces,
  mostResets,
  type StopSignal,
  type WireRequest,
  type WireResponse,
} from '../exchange/exchange.js';
import { dial } from './dial.js';
import { asCarrierFailure } from './failure-kind.js';
import { type Network, placeOf } from './network.js';

export interface Http2CarrierOptions {
  /** Limit until the connection is open, milliseconds. */
  readonly connectTimeoutMs?: number;
  /** Longest header block, bytes; a longer one ends the connection. */
  readonly maxHeaderBytes?: number;
  /** How agents are reached. */
  readonly network?: Network;
}

export interface Http2Carrier extends Carrier {
  /** Drops all connections; exchanges under way fail. */
  close(): Promise<void>;
}

/** What Node reads ahead of the consumer of one stream, bytes. */
const usualWindow = 256 * 1024;

const noHeaders: ReadonlySet<string> = new Set([
  // RFC 9113 §8.2.2: fields of a connection have no meaning here, and Node refuses to send them.
  'connection',
  'host',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
]);

/** Node gives one list of alternating names and values. */
function pairs(raw: readonly string[]): readonly Header[] {
  const headers: Header[] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = raw[index] ?? '';
    if (!name.startsWith(':')) headers.push([name, raw[index + 1] ?? '']);
  }
  return headers;
}

/** "CANCEL" of RFC 9113 §7. */
const codeName = (code: number): string =>
  Object.entries(constants)
    .find(([name, value]) => value === code && name.startsWith('NGHTTP2_') && !/_ERR_|FLAG|SETTINGS/.test(name))?.[0]
    .replace('NGHTTP2_', '') ?? String(code);

/** An error of the connection or of one stream as a failure of the exchange. */
function asHttp2Failure(error: unknown): CarrierFailure {
  const code = error instanceof Error ? String(Reflect.get(error, 'code')) : '';
  // So Node reports a GOAWAY with an error.
  const [, ended] = code === 'ERR_HTTP2_SESSION_ERROR' ? (/with error code (\d+)/.exec(String(error)) ?? []) : [];
  if (ended !== undefined) return new CarrierFailure('reset', `the connection was ended: ${codeName(Number(ended))}`);
  if (code === 'ERR_HTTP2_ERROR' || code === 'ERR_HTTP2_SESSION_ERROR')
    return new CarrierFailure('malformed', `no HTTP/2: ${error instanceof Error ? error.message : String(error)}`);
  if (code === 'ERR_HTTP2_INVALID_SESSION' || code === 'ERR_HTTP2_GOAWAY_SESSION')
    return new CarrierFailure('reset', 'the connection was closed');
  if (/^ERR_(HTTP2_(INVALID|HEADER|PSEUDO|STATUS)|INVALID)/.test(code))
    return new CarrierFailure('aborted', error instanceof Error ? error.message : String(error));
  return asCarrierFailure(error);
}

/** At this many unread bytes, reading from the stream pauses. */
const mostAhead = 64 * 1024;

/** The body of a stream. It ends when the stream is closed: a reset ends the data too, and is known only then. */
function bodyOf(
  stream: ClientHttp2Stream,
  failed: () => CarrierFailure | undefined,
  onDrop: () => void,
): AsyncIterable<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  let isClosed = false;
  let wake: (() => void) | undefined;
  stream.on('data', (piece: Uint8Array) => {
    pieces.push(piece);
    size += piece.length;
    if (size >= mostAhead) stream.pause();
    wake?.();
  });
  // The agent has said all; what is left of the request does not matter.
  stream.on('end', () => {
    if (!stream.writableFinished) stream.close(constants.NGHTTP2_NO_ERROR);
  });
  stream.on('close', () => {
    isClosed = true;
    wake?.();
  });
  const body: AsyncIterableIterator<Uint8Array, undefined> = {
    [Symbol.asyncIterator]: () => body,
    async next() {
      for (;;) {
        const value = pieces.shift();
        if (value !== undefined) {
          size -= value.length;
          if (size < mostAhead && stream.isPaused()) stream.resume();
          return { done: false, value };
        }
        const failure = failed();
        if (isClosed && failure !== undefined) throw failure;
        if (isClosed) return { done: true, value: undefined };
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    async return() {
      if (!isClosed) onDrop();
      stream.close(constants.NGHTTP2_CANCEL);
      return { done: true, value: undefined };
    },
  };
  return body;
}

/** Opens a stream, and resets it before the agent can have answered. */
function abandon(session: ClientHttp2Session, head: Readonly<Record<string, string | string[]>>): void {
  try {
    const stream = session.request(head, { endStream: false });
    stream.on('error', () => {});
    stream.close(constants.NGHTTP2_CANCEL);
  } catch {
    // The connection is over: the request itself will tell.
  }
}

/** Writes a body in frames of so many bytes, each once the one before has gone out. */
async function inPieces(stream: ClientHttp2Stream, body: Uint8Array, size: number): Promise<void> {
  const step = Math.max(1, size, Math.ceil(body.length / mostPieces));
  for (let at = 0; at + step < body.length && !stream.destroyed; at += step) {
    await new Promise<void>((resolve) => {
      stream.once('close', resolve);
      stream.write(body.subarray(at, at + step), () => {
        stream.off('close', resolve);
        resolve();
      });
    });
  }
  const rest = body.length === 0 ? 0 : Math.floor((body.length - 1) / step) * step;
  if (!stream.destroyed) stream.end(body.subarray(rest));
}

/** How often a request is sent that the agent says it has not looked at (RFC 9113 §8.7). */
const mostSendings = 3;

/** The agent has not looked at the request: it may be sent again. */
class Unprocessed extends CarrierFailure {}

/**
 * HTTP/2 with prior knowledge under http, by ALPN under https. One connection for each origin; a new one after GOAWAY,
 * and after a request that the kit has dropped: some agents then end the connection. What the agent has not looked at
 * (REFUSED_STREAM, GOAWAY) is sent again.
 * Header names are sent in lower case, as HTTP/2 demands; values, order and duplicates as given. Trailers are there
 * once the body has ended.
 */
export function createHttp2Carrier(options: Http2CarrierOptions = {}): Http2Carrier {
  const { connectTimeoutMs = 10_000, maxHeaderBytes = 256 * 1024, network = {} } = options;
  const sessions = new Map<string, Promise<ClientHttp2Session>>();
  const left = new Set<ClientHttp2Session>();
  /** Connections on which the kit dropped a request: a server may end them for it, and what else is under way there. */
  const dropped = new WeakSet<ClientHttp2Session>();
  /** The last stream that the agent has looked at, of connections with a GOAWAY. */
  const lastStreams = new WeakMap<ClientHttp2Session, number>();
  /** Connections of one request each. */
  const alone = new Set<ClientHttp2Session>();

  function opened(origin: string, { window = usualWindow }: Http2Manner = {}): Promise<ClientHttp2Session> {
    const connecting = dial(placeOf(new URL(origin)), { network, alpn: ['h2'], timeoutMs: connectTimeoutMs });
    const begin = (socket: Socket): Promise<ClientHttp2Session> =>
      new Promise((resolve, reject) => {
        const session = connect(origin, {
          createConnection: () => socket,
          maxHeaderListPairs: 1000,
          maxReservedRemoteStreams: 0,
          maxSessionMemory: 32,
          settings: { enablePush: false, initialWindowSize: window, maxHeaderListSize: maxHeaderBytes },
        });
        const timer = setTimeout(
          () => session.destroy(Object.assign(new Error('no connection in time'), { code: 'ETIMEDOUT' })),
          connectTimeoutMs,
        );
        timer.unref();
        const forget = (): void => {
          clearTimeout(timer);
          if (sessions.get(origin) === made) sessions.delete(origin);
        };
        // A session does not hear the alerts of TLS 1.3 that come after the handshake.
        socket.once('error', (error) => {
          forget();
          reject(asHttp2Failure(error));
          session.destroy();
        });
        session.once('remoteSettings', () => {
          clearTimeout(timer);
          resolve(session);
        });
        session.on('error', (error) => {
          forget();
          reject(asHttp2Failure(error));
        });
        session.on('goaway', (_code, lastStreamId) => {
          lastStreams.set(session, lastStreamId);
          forget();
        });
        session.on('close', () => {
          forget();
          reject(new CarrierFailure('reset', 'the connection was closed before HTTP/2 was spoken'));
        });
      });
    // Without a wait where there is none: the errors of a socket are events.
    const made = connecting instanceof Promise ? connecting.then(begin) : begin(connecting);
    return made;
  }

  async function sessionOf(origin: string): Promise<ClientHttp2Session> {
    const known = await sessions.get(origin)?.catch(() => undefined);
    if (known !== undefined && !known.closed && !known.destroyed) return known;
    const fresh = opened(origin);
    sessions.set(origin, fresh);
    try {
      return await fresh;
    } catch (error) {
      if (sessions.get(origin) === fresh) sessions.delete(origin);
      throw error;
    }
  }

  /**
   * Sends nothing more on a connection on which the kit dropped a request; what is under way there goes on. The
   * connection may be at fault: a server that failed to write an answer may answer nothing more on it.
   */
  function leave(origin: string, session: ClientHttp2Session): void {
    if (session.closed || session.destroyed) return;
    dropped.add(session);
    const known = sessions.get(origin);
    void known?.then(
      (current) => {
        if (current === session && sessions.get(origin) === known) sessions.delete(origin);
      },
      () => {},
    );
    left.add(session);
    session.once('close', () => left.delete(session));
    session.close();
  }

  async function carry(request: WireRequest, signal: StopSignal): Promise<WireResponse> {
    for (let sending = 1; ; sending++) {
      try {
        return await send(request, signal);
      } catch (error) {
        if (!(error instanceof Unprocessed) || sending >= mostSendings) throw error;
      }
    }
  }

  async function send(request: WireRequest, signal: StopSignal): Promise<WireResponse> {
    const { protocol, origin, host, pathname, search } = new URL(request.url);
    if (protocol !== 'http:' && protocol !== 'https:')
      throw new CarrierFailure('aborted', `no way to send to a ${protocol} URL`);
    const { manner } = request;
    const session = await (manner === undefined ? sessionOf(origin) : opened(origin, manner));
    const finish = (): void => {
      if (manner === undefined) return;
      alone.delete(session);
      session.destroy();
    };
    if (manner !== undefined) alone.add(session);
    if (signal.aborted) finish();
    if (signal.aborted) throw new CarrierFailure('aborted', 'the kit dropped the connection');
    return new Promise((resolve, reject) => {
      const own: Record<string, string | string[]> = {
        ':method': request.method,
        ':path': `${pathname}${search}`,
        ':scheme': protocol.slice(0, -1),
        ':authority': host,
      };
      for (const [name, value] of request.headers) {
        const lower = name.toLowerCase();
        if (noHeaders.has(lower)) continue;
        const known = own[lower];
        own[lower] = known === undefined ? value : [known, value].flat();
      }
      for (let count = 0; count < Math.min(manner?.resets ?? 0, mostResets); count++) abandon(session, own);
      let failure: CarrierFailure | undefined;
      let trailers: readonly Header[] | undefined;
      let isWhole = false;
      let stream: ClientHttp2Stream;
      try {
        stream = session.request(own, { endStream: request.body === undefined });
      } catch (error) {
        finish();
        const { kind, message } = asHttp2Failure(error);
        reject(new (kind === 'reset' ? Unprocessed : CarrierFailure)(kind, message));
        return;
      }
      const onAbort = (): void => {
        failure ??= new CarrierFailure('aborted', 'the kit dropped the stream');
        stream.close(constants.NGHTTP2_CANCEL);
        leave(origin, session);
      };
      signal.addEventListener('abort', onAbort, { once: true });
      stream.on('error', (error) => {
        failure ??= asHttp2Failure(error);
      });
      stream.on('end', () => {
        isWhole ||= !session.destroyed;
      });
      stream.on('close', () => {
        const { rstCode } = stream;
        // Node ends what is under way on a connection that was closed as if it had come to its end.
        if (session.destroyed && !isWhole) failure ??= new CarrierFailure('reset', 'the connection was closed');
        if (rstCode !== constants.NGHTTP2_NO_ERROR)
          failure ??= new CarrierFailure('reset', `the stream was reset: ${codeName(rstCode)}`);
        if (failure?.kind === 'reset' && session.destroyed && dropped.has(session))
          failure = new CarrierFailure('reset', `${failure.message} ${afterDrop}`);
        const { kind, message } = failure ?? new CarrierFailure('reset', 'the stream was closed without an answer');
        const isUnprocessed =
          rstCode === constants.NGHTTP2_REFUSED_STREAM ||
          (stream.id ?? 0) > (lastStreams.get(session) ?? Number.POSITIVE_INFINITY);
        reject(new (kind === 'reset' && isUnprocessed ? Unprocessed : CarrierFailure)(kind, message));
        finish();
      });
      stream.on('response', (head, flags, raw?: unknown) => {
        isWhole = (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0;
        const status = Number(head[':status']);
        const headers = Array.isArray(raw) ? pairs(raw as readonly string[]) : [];
        const body = bodyOf(
          stream,
          () => failure,
          () => leave(origin, session),
        );
        resolve({ status, headers, body, trailers: () => trailers });
      });
      stream.on('trailers', (_head, _flags, raw?: unknown) => {
        isWhole = true;
        trailers = Array.isArray(raw) ? pairs(raw as readonly string[]) : [];
      });
      if (request.body !== undefined && manner?.pieces !== undefined)
        void inPieces(stream, request.body, manner.pieces);
      else if (request.body !== undefined) stream.end(request.body);
    });
  }

  return Object.assign(carry, {
    async close() {
      const all = [...sessions.values()];
      sessions.clear();
      for (const clientHttp2Session of left) clientHttp2Session.destroy();
      for (const clientHttp2Session of alone) clientHttp2Session.destroy();
      alone.clear();
      for (const item of all) (await item.catch(() => undefined))?.destroy();
    },
  });
}
