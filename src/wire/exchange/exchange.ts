import type { Operation } from '../../model/index.js';

/** Name and value as sent or received; order, case and duplicates are kept. */
export type Header = readonly [name: string, value: string];

export interface WireRequest {
  readonly method: string;
  /** Absolute URL. */
  readonly url: string;
  readonly headers: readonly Header[];
  readonly body?: Uint8Array;
  /** The kit sends the path literally. Otherwise it normalises it, as clients do (RFC 3986 §6.2.2). */
  readonly asIs?: true;
  /** It travels over HTTP/2; left out: over HTTP/1.1. */
  readonly http2?: true;
  /** How it uses its connection, which then is its own; left out: as usual. Over HTTP/2 only. */
  readonly manner?: Http2Manner;
}

/** What most clients never do with a connection of HTTP/2 (RFC 9113). */
export interface Http2Manner {
  /** So many streams with the same head are opened before it, and reset at once; at most `mostResets`. */
  readonly resets?: number;
  /** Bytes of an answer that the agent may send before it is allowed more (SETTINGS_INITIAL_WINDOW_SIZE). */
  readonly window?: number;
  /** Most bytes of the body in one frame; a body of many pieces has the rest in its last one. */
  readonly pieces?: number;
}

/** Servers end connections on which many streams are reset: so few never are an attack. */
export const mostResets = 20;
/** Most frames of a body in pieces. */
export const mostPieces = 200;

/** A response whose body is still being read. */
export interface WireResponse {
  readonly status: number;
  readonly headers: readonly Header[];
  readonly body: AsyncIterable<Uint8Array>;
  /** Headers after the body, once it has ended; undefined: none came. Over HTTP/2 only. */
  readonly trailers?: () => readonly Header[] | undefined;
  /** What was sent, where it is not the request itself: a carrier puts tokens in their place just before that. */
  readonly sent?: WireRequest;
}

/** The part of `AbortSignal` that the kit uses. Node's signals cost more than the other book-keeping of an exchange. */
export interface StopSignal {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** Sends one request to the agent. Rejects with a `CarrierFailure` when no response head comes. */
export interface Carrier {
  (request: WireRequest, signal: StopSignal): Promise<WireResponse>;
  /** Sends exact bytes to the same agents in the same way; left out: the wire opens plain sockets for them. */
  readonly raw?: Carrier;
}

export type FailureKind =
  | 'refused' // no connection
  | 'reset' // connection lost
  | 'timeout' // no complete answer in time
  | 'too-large' // more bytes than the limit
  | 'malformed' // not HTTP
  | 'tls'
  | 'dns'
  | 'proxy' // the proxy opened no connection: the agent was not reached
  | 'aborted' // the kit itself gave up: run ended, stream closed, or a request that HTTP cannot carry
  | 'budget'; // not sent: the budget is spent

const unsentKinds: ReadonlySet<FailureKind> = new Set(['budget', 'aborted', 'proxy']);

/** Whether the agent was not asked, or the kit itself gave up: nothing is known about the agent. */
export const isUnsent = (failure: { readonly kind: FailureKind } | undefined): boolean =>
  failure !== undefined && unsentKinds.has(failure.kind);

/** How the detail of a reset ends that came with a connection of HTTP/2 on which the kit had dropped another call. */
export const afterDrop = 'after the kit had dropped another call on it';

export class CarrierFailure extends Error {
  readonly kind: FailureKind;
  constructor(kind: FailureKind, message: string) {
    super(message);
    this.name = 'CarrierFailure';
    this.kind = kind;
  }
}

export interface Chunk {
  /** Milliseconds after the request was sent. */
  readonly atMs: number;
  readonly bytes: Uint8Array;
}

/** Facts about the request, known to the client when it sent it. Laws read them; they are never sent to the agent. */
export interface Call {
  readonly operation?: Operation;
  /** JSON-RPC id as sent; absent when the envelope had none or was not JSON. */
  readonly rpcId?: unknown;
  /** The request is valid by the specification, so the agent must not refuse it for its shape. */
  readonly valid: boolean;
}

/** One request and all that came back. Created once, when the exchange has ended. All traffic becomes exchanges. */
export interface Exchange {
  /** `x1`, `x2` … in order of sending. */
  readonly id: string;
  /** Why the request was sent: a check id, a source, `detection`. */
  readonly purpose: string;
  /** `cut`, `headersCut`: the tape kept only the beginning of the body, or some of the headers, to bound its memory. */
  readonly request: WireRequest & { readonly cut?: true; readonly headersCut?: true };
  readonly response?: {
    readonly status: number;
    readonly headers: readonly Header[];
    /** After decoding of content-encoding. Only its beginning when there is a failure. */
    readonly body: Uint8Array;
    /** The body again, piece by piece: views of `body`, never copies. */
    readonly chunks: readonly Chunk[];
    /** The tape kept only the beginning of the body, to bound its memory. */
    readonly cut?: true;
    /** The tape kept only some of the headers, or the beginning of their values. */
    readonly headersCut?: true;
    /** Headers after the body; left out: none came. */
    readonly trailers?: readonly Header[];
  };
  readonly failure?: { readonly kind: FailureKind; readonly detail: string };
  readonly startedAt: number;
  readonly durationMs: number;
  /** The agent sent it to a webhook of the kit; the response is the kit's. */
  readonly toWebhook?: true;
  readonly call?: Call;
  /** The operation whose result a plain GET fetches. */
  readonly fetches?: Operation;
  /**
   * In a report, of the interface that was judged first: it brought the card, laws judged it, or neither. A tape holds
   * these.
   */
  readonly taped?: 'card' | 'judged' | 'asked';
}

export function header(headers: readonly Header[], name: string): string | undefined {
  const wanted = name.toLowerCase();
  // A quick test: most names differ in length.
  return headers.find(([found]) => found.length === wanted.length && found.toLowerCase() === wanted)?.[1];
}

/** `application/json` of `application/json; charset=utf-8`, lower case. */
export function mediaType(headers: readonly Header[]): string | undefined {
  const type = header(headers, 'content-type');
  const end = type?.indexOf(';') ?? -1;
  return (end < 0 ? type : type?.slice(0, end))?.trim().toLowerCase();
}

const decoder = new TextDecoder('utf-8', { fatal: false });
export const bodyText = (body: Uint8Array | undefined): string => (body === undefined ? '' : decoder.decode(body));
