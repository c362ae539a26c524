import type { Call, Chunk, Exchange, Header, WireRequest } from './exchange.js';

/** Bounds of one read. A body past `maxBytes` ends the exchange with failure `too-large`; its beginning is kept. */
export interface Limits {
  /** Whole exchange, milliseconds. */
  readonly timeoutMs: number;
  /** Body after decoding of content-encoding, bytes. */
  readonly maxBytes: number;
}

export interface Sending {
  readonly purpose: string;
  readonly call?: Call;
  /** The operation whose result a plain GET fetches. */
  readonly fetches?: Exchange['fetches'];
  readonly limits?: Partial<Limits>;
  /** How many chunks of a stream are read ahead of the consumer. Default: 1024. */
  readonly readAhead?: number;
}

/** A response that is read as it arrives: server-sent events. `ended` resolves when the exchange is on the tape. */
export interface OpenExchange {
  /** Undefined when no response head came; the exchange of `ended` says why. */
  readonly head: { readonly status: number; readonly headers: readonly Header[] } | undefined;
  /** Ends with the body, at a limit, or when closed. Never throws. */
  readonly chunks: AsyncIterable<Chunk>;
  /** Drops the connection. */
  close(): void;
  readonly ended: Promise<Exchange>;
}

/** The only way to the agent. Nothing here throws because of what the agent does: failures are part of the exchange. */
export interface Wire {
  exchange(request: WireRequest, sending: Sending): Promise<Exchange>;
  open(request: WireRequest, sending: Sending): Promise<OpenExchange>;
  /** Sends exact bytes on a new socket, for requests that no HTTP client would send. Absent on the in-memory wire. */
  readonly raw?: (url: string, bytes: Uint8Array, sending: Sending) => Promise<Exchange>;
}
