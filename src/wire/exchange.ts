import type { Operation } from '../model/index.js';

/** Name and value as sent or received; order, case and duplicates are kept. */
export type Header = readonly [name: string, value: string];

export interface WireRequest {
  readonly method: string;
  /** Absolute URL. */
  readonly url: string;
  readonly headers: readonly Header[];
  readonly body?: Uint8Array;
}

/** A response whose body still flows. */
export interface WireResponse {
  readonly status: number;
  readonly headers: readonly Header[];
  readonly body: AsyncIterable<Uint8Array>;
}

/** What the kit needs of an `AbortSignal`. Those of Node cost more than the rest of the book-keeping of an exchange. */
export interface StopSignal {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** Moves one request to the target. Rejects with a `CarrierFailure` when no response head comes. */
export type Carrier = (request: WireRequest, signal: StopSignal) => Promise<WireResponse>;

export type FailureKind =
  | 'refused' // no connection
  | 'reset' // connection lost
  | 'timeout' // no answer, or no end of it, in time
  | 'too-large' // more bytes than the limit
  | 'malformed' // not HTTP
  | 'tls'
  | 'dns'
  | 'aborted' // the kit itself gave up: run ended, stream closed, or a request that HTTP cannot carry
  | 'budget'; // not sent: the budget is spent

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

/** What the client knew when it sent the request; laws read it, the target never sees it. */
export interface Call {
  readonly operation?: Operation;
  /** JSON-RPC id as sent; absent when the envelope had none or was no JSON. */
  readonly rpcId?: unknown;
  /** The request is valid by the spec: a refusal of its shape would be a fault. */
  readonly valid: boolean;
}

/** One request and all that came back. Written once, when the exchange has ended; nothing goes round it. */
export interface Exchange {
  /** `x1`, `x2` … in order of sending. */
  readonly id: string;
  /** What it was sent for: a check id, a source, `detection`. */
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
    /** And of the headers the first of each name, or the beginning of their values. */
    readonly headersCut?: true;
  };
  readonly failure?: { readonly kind: FailureKind; readonly detail: string };
  readonly startedAt: number;
  readonly durationMs: number;
  /** The agent sent it to a webhook of the kit; the response is the kit's. */
  readonly toWebhook?: true;
  readonly call?: Call;
  /** The operation whose result a plain GET fetches. */
  readonly fetches?: Operation;
}

export function header(headers: readonly Header[], name: string): string | undefined {
  const wanted = name.toLowerCase();
  // Most names are told apart by their length.
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
