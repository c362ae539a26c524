import type { Said } from '../../binding/index.js';
import type { Outcome } from '../../client/index.js';
import type { Operation, StreamEvent } from '../../model/index.js';
import type { Exchange } from '../../wire/index.js';
import type { Inspection } from './inspection.js';

// What laws see of an exchange. How it is read: read-exchange.ts.

/** A JSON value in an answer, at a place that a schema describes. */
export interface Document {
  readonly of: 'card' | 'result' | 'extended-card' | 'error' | 'payment' | 'payment-card';
  /** For people: "card", "result of send". */
  readonly name: string;
  readonly value: unknown;
  readonly inspection: Inspection;
}

/** Finds the documents for which a pack has schemas. */
export interface MoreDocuments {
  /** `card`: any JSON value. */
  inCard(card: unknown): readonly Document[];
  /** `result`: any JSON value; `name`: what people call it. */
  inResult(result: unknown, name: string): readonly Document[];
}

/** One JSON text in the answer to a call, or the text in its place. */
export interface ReadReply {
  /** The JSON value; undefined when the text was not JSON. */
  readonly value: unknown;
  /** The result or error that it has in the binding; undefined: neither. */
  readonly said: Said | undefined;
  readonly problem: string | undefined;
  readonly text: string;
}

/** An exchange as laws see it: parsed once, lazily. */
export interface Reading {
  readonly exchange: Exchange;
  /** undefined for the card and other plain requests. */
  readonly operation: Operation | undefined;
  /**
   * It is a call by its verb, or raw bytes: what comes under another verb is refused by HTTP, not by the binding.
   */
  readonly isCall: boolean;
  /** The request was valid by the specification. */
  readonly valid: boolean;
  /** The JSON-RPC id that was sent; `undefined` also when none was. */
  readonly rpcId: unknown;
  readonly sentId: boolean;
  readonly replies: readonly ReadReply[];
  readonly outcome: Outcome<unknown>;
  readonly documents: readonly Document[];
  /** The updates of a streamed answer; undefined for all others. */
  readonly stream: StreamReading | undefined;
  /** The body as text, decoded strictly; undefined when it is not UTF-8. */
  readonly utf8: string | undefined;
  /** Traces of broken requests of the same run; undefined: not known. */
  readonly probes?: Probes | undefined;
  /** A document that came alone, without a run: the kit has sent nothing that could be in it. */
  readonly isAlone?: true;
}

/**
 * Traces in the agent of the kit's own requests that were broken on purpose: messages, and the tasks that they joined
 * or became. They are evidence only for the check that sent the request.
 */
export interface Probes {
  /** When the first such request was sent, ms, by the id of the message or task that it left, as `keyOf` has it. */
  readonly messages: ReadonlyMap<string, number>;
  readonly tasks: ReadonlyMap<string, number>;
  /** The tasks that sends of this run were answered with, as `keyOf` has their ids. */
  readonly made: ReadonlySet<string>;
}

/** A streamed answer as laws see it: everything before the agent ended it, or before the kit closed it. */
export interface StreamReading {
  readonly operation: 'stream' | 'subscribe';
  /** One update for each event; undefined where none could be read. */
  readonly events: readonly (StreamEvent | undefined)[];
  /** The server ended it in good order. */
  readonly ended: boolean;
  /** One of the events is an error. */
  readonly refused: boolean;
  /** Faults of its lines as server-sent events. */
  framing(): readonly string[];
}
