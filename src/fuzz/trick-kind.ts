import type { Tamper } from '../client/index.js';
import type { Header } from '../wire/index.js';
import type { Demand, Trick, Value } from './case.js';
import type { Dice } from './dice.js';
import type { Paid } from './payer.js';
import type { Injection } from './values.js';

// What a trick is: a change to the text, the bytes, the headers or the connection of a request, by name and arguments.

/** What goes out over HTTP. */
export interface Outgoing {
  readonly method: string;
  /** Added to the URL of the endpoint, with the question mark; '' adds nothing. */
  readonly query: string;
  /** null sends none. */
  readonly contentType: string | null;
  /** Beside the usual ones. */
  readonly headers: readonly Header[];
  readonly body: Uint8Array;
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

/** What a trick is made with. */
export interface TrickTools {
  readonly dice: Dice;
  readonly maxBytes: number;
  /** Pointers of objects in the request. */
  readonly objects: readonly string[];
}

/** `kept`: the request means what it meant. */
export type TrickDemand = Demand | 'kept';

export interface TrickKind {
  readonly demand: (trick: Trick) => TrickDemand;
  make(tools: TrickTools): Readonly<Record<string, Value>>;
  /** Raw members for an object of the request. */
  readonly members?: (trick: Trick) => Injection;
  readonly text?: (trick: Trick, text: string) => string;
  readonly bytes?: (trick: Trick, bytes: Uint8Array, text: string) => Uint8Array;
  readonly http?: (trick: Trick, out: Outgoing) => Outgoing;
  /** What becomes of the request object; undefined: what it needs is not there. */
  readonly request?: (trick: Trick, request: Value, paid: Paid) => Value | undefined;
  /** Of callers who sign: a change behind the signature. */
  readonly signed?: (trick: Trick) => Tamper;
  /** How many bytes a request of so many has with it; left out: not many more. */
  readonly grown?: (trick: Trick, size: number) => number;
  /** It needs a bare socket. */
  readonly frame?: (trick: Trick, frame: Frame) => Frame;
}

export const open = (): TrickDemand => 'open';
export const kept = (): TrickDemand => 'kept';

// Arguments come from files too: what is no text or number of a sane size becomes the default.

export const textOf = (trick: Trick, name: string, otherwise = ''): string => {
  const found = trick[name];
  return typeof found === 'string' ? found : otherwise;
};
export const countOf = (trick: Trick, name: string, otherwise: number, most = 1_000_000): number => {
  const found = trick[name];
  return typeof found === 'number' && Number.isInteger(found) && found >= 0 ? Math.min(found, most) : otherwise;
};

/** One header more. */
export const head = (out: Outgoing, name: string, value: string): Outgoing => ({
  ...out,
  headers: [...out.headers, [name, value]],
});
/** What no HTTP client sends would end the request before it left (RFC 9110 §5.5). */
export const withoutControls = (text: string): string => text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '');
export const tokenOf = (text: string): string => text.replaceAll(/[^\w!#$%&'*+.^`|~-]/g, '') || 'X-Tck';
