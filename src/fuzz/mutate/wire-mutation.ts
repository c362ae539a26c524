import type { Http2Manner, MethodPlace } from '../../binding/index.js';
import type { Tamper } from '../../client/index.js';
import type { Header } from '../../wire/index.js';
import type { Demand, Value, WireMutation } from '../case/case.js';
import type { Injection } from '../case/values.js';
import type { RandomSource } from '../generate/random-source.js';

// A wire mutation is a change to the text, the bytes, the headers or the connection of a request, by name and arguments.

/** What goes out over HTTP. */
export interface Outgoing {
  readonly method: string;
  readonly url: string;
  /** The kit sends the path of the URL literally. */
  readonly asIs?: true;
  /** Added to the URL, with the question mark; '' adds nothing. */
  readonly query: string;
  /** null sends none. */
  readonly contentType: string | null;
  /** Sent beside the usual headers. */
  readonly headers: readonly Header[];
  readonly body: Uint8Array;
  /** Headers that the binding adds to the usual ones; left out: none. */
  readonly own?: readonly Header[];
  /** How a request of HTTP/2 uses its connection. */
  readonly manner?: Http2Manner;
}

/** A request over a bare socket, before it is put together. */
export interface Frame {
  readonly line: string;
  /** Whole lines, Latin-1. */
  readonly headers: readonly string[];
  readonly eol: string;
  readonly body: Uint8Array;
  /** How often the request goes out, one right behind the other. */
  readonly copies: number;
}

/** The values at hand to make a wire mutation. */
export interface WireMutationTools {
  readonly randomSource: RandomSource;
  readonly maxBytes: number;
  /** Pointers of objects in the request. */
  readonly objects: readonly string[];
}

/** What a wire mutation may use where it changes the request object. */
export interface RequestTools {
  /** The JSON-RPC id of this request, and of no other. */
  readonly rpcId: string;
  /** The campaign on an agent that charges; undefined: nothing is paid. */
  readonly payer: Payer | undefined;
  /** What the pack has noted of the task that a step began; undefined: nothing yet. */
  noted(step: string): unknown;
}

/** What payments of a campaign are made of. The same seed gives the same payments. */
export interface Payer {
  readonly seed: number;
  /** Unix seconds by the agent's clock. */
  seconds(): number;
}

/**
 * What of a request of gRPC is broken. A library may answer each with any status but OK, INTERNAL too (AMB10-49).
 * `message`: the bytes are not a message, or a message that nests too deep. `framing`: the agent may also answer with
 * HTTP 4xx, or reset the stream. `head`: metadata, path or media type; also a page. `connection`: it may also close the
 * connection.
 */
export type BrokenLayer = 'message' | 'framing' | 'head' | 'connection';

/** `kept`: the meaning of the request is not changed. */
export type WireMutationDemand = Demand | 'kept';

export interface WireMutationKind {
  readonly demand: (trick: WireMutation) => WireMutationDemand;
  make(tools: WireMutationTools): Readonly<Record<string, Value>>;
  /** What of a binding the wire mutation is about; left out: requests of all bindings have it. */
  readonly needs?: 'envelope' | 'paths' | 'messages';
  /** Whether requests of a method have a place for it; left out: all have. */
  readonly fits?: (method: MethodPlace) => boolean;
  readonly breaks?: BrokenLayer;
  /** Where a path and a verb name the operation: the agent may read another operation, or other params. */
  readonly astray?: (trick: WireMutation) => boolean;
  /** Raw members for an object of the request. */
  readonly members?: (trick: WireMutation) => Injection;
  readonly text?: (trick: WireMutation, text: string) => string;
  readonly bytes?: (trick: WireMutation, bytes: Uint8Array, text: string) => Uint8Array;
  /** Changes the bytes of a message, before its prefix. */
  readonly message?: (trick: WireMutation, message: Uint8Array, method: MethodPlace) => Uint8Array;
  /** Changes the body of a message with its prefix. */
  readonly framed?: (trick: WireMutation, body: Uint8Array) => Uint8Array;
  readonly http?: (trick: WireMutation, out: Outgoing) => Outgoing;
  /** Changes the request object; undefined: something that it needs is missing. */
  readonly request?: (trick: WireMutation, request: Value, tools: RequestTools) => Value | undefined;
  /** It pays, or claims to have paid, for the task of the step that its argument `for` names. */
  readonly pays?: true;
  /** For callers who sign: a change after signing. */
  readonly signed?: (trick: WireMutation) => Tamper;
  /** The body that is sent is another than the one that is signed. */
  readonly otherBody?: true;
  /** Probes of it in a campaign. */
  readonly share?: number;
  /** The size of a request of `size` bytes with the wire mutation; left out: hardly larger. */
  readonly grown?: (trick: WireMutation, size: number) => number;
  /** The wire mutation needs a bare socket. */
  readonly frame?: (trick: WireMutation, frame: Frame) => Frame;
}

export const open = (): WireMutationDemand => 'open';
export const kept = (): WireMutationDemand => 'kept';
export const always = (): boolean => true;

// Arguments may come from files: an argument of the wrong type becomes the default, and large numbers are limited.

export const textOf = (trick: WireMutation, name: string, otherwise = ''): string => {
  const found = trick[name];
  return typeof found === 'string' ? found : otherwise;
};
export const countOf = (trick: WireMutation, name: string, otherwise: number, most = 1_000_000): number => {
  const found = trick[name];
  return typeof found === 'number' && Number.isInteger(found) && found >= 0 ? Math.min(found, most) : otherwise;
};

/** Adds a header. */
export const head = (out: Outgoing, name: string, value: string): Outgoing => ({
  ...out,
  headers: [...out.headers, [name, value]],
});
/** Removes characters for which an HTTP client would refuse to send the request (RFC 9110 §5.5). */
export const withoutControls = (text: string): string => text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '');
export const tokenOf = (text: string): string => text.replaceAll(/[^\w!#$%&'*+.^`|~-]/g, '') || 'X-Tck';
