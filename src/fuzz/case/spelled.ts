import type { Inexpressible, NativeRequest, Tamper } from '../../client/index.js';
import type { Dialect } from '../../dialect/index.js';
import type { Operation } from '../../model/index.js';
import type { Header } from '../../wire/index.js';
import type { CallStep, Demand } from './case.js';

/** What a request is printed with. */
export interface SpellContext {
  readonly dialect: Dialect;
  /** The JSON-RPC id of this request: always of the same length, and of no other request of the campaign. */
  readonly rpcId: string;
  /** The value of `a.task`, `a.context`, `a.config`, `a.token`; undefined while it is unknown. */
  resolve(reference: string): string | undefined;
  /** What a pack has noted of the task that a step began; undefined while there is nothing. */
  noted?(step: string): unknown;
  /** The URL that is called, and the caller's headers, for requests that are written byte by byte. */
  readonly endpoint: string;
  readonly credentials: readonly Header[];
  /**
   * The request of an operation in the form of the binding; left out: as the dialect has it, whatever the agent is known
   * to have.
   */
  form?(operation: Operation, params: unknown): NativeRequest | Inexpressible;
  /** The case was run before: letters and digits that make the ids of its messages new. */
  readonly again?: string;
}

/** What is sent for one step. */
export interface Spelled {
  readonly body: Uint8Array;
  /**
   * What the request says, where its bytes do not show it: another charset, compressed, in chunks; a path and a query.
   */
  readonly text?: string;
  /** The request in the form of a binding without an envelope, in place of the next four. */
  readonly native?: NativeRequest;
  /** Why it is not sent: the binding has no form for it. */
  readonly unsent?: string;
  /** The agent may read another operation in it. */
  readonly astray?: true;
  /** HTTP method; default POST. */
  readonly method?: string;
  /** Added to, or in place of, the usual headers. */
  readonly headers?: readonly Header[];
  /** Usual headers that are left out. */
  readonly without?: readonly string[];
  /** Default `application/json`; null sends none. */
  readonly contentType?: string | null;
  /** Another URL than the endpoint, of the same origin. */
  readonly url?: string;
  /** The whole request for a bare socket; where the kit cannot open one, it sends the rest in its place. */
  readonly raw?: Uint8Array;
  /** A change after signing, where the caller signs. */
  readonly tamper?: Tamper;
  /** The request object after edits, before wire mutations, parsed once on demand; undefined where it cannot be parsed. */
  request(): unknown;
  readonly demand: Demand;
  /** The id of the request; absent: the request has none. */
  readonly rpcId?: unknown;
  /** Valid by the specification, as laws see it. */
  readonly valid: boolean;
  /** References that could not be resolved. */
  readonly unresolved: readonly string[];
}

/** Prints a step. Never throws; the same step and context give the same bytes. */
export type Spell = (step: CallStep, context: SpellContext) => Spelled;
