import type { Reading } from '../../kit/index.js';
import type { Task } from '../../model/index.js';
import type { Exchange } from '../../wire/index.js';
import type { CallStep, Case, Demand } from '../case/case.js';

/** What a named step began, as far as its answer shows. */
export interface Begun {
  readonly task?: string;
  readonly context?: string;
  readonly config?: string;
  /** The token of the next page of a listing. */
  readonly token?: string;
  /** What a pack has noted of the task last. */
  readonly noted?: unknown;
}

/** One request of a case and its outcome. */
export interface Sent {
  readonly step: CallStep;
  /** The place of the step in the case: its index, and its index among those sent together. */
  readonly place: readonly [step: number, among?: number];
  /** The request body, or the whole request where it went over a bare socket. */
  readonly body: Uint8Array;
  /** What the request says, where the bytes of its body do not show it. */
  readonly text: string | undefined;
  /**
   * The request object after edits, before wire mutations, references resolved; undefined where it cannot be parsed again.
   * In a binding without an envelope: the method of the operation, if the agent can read no other one, and the params.
   */
  readonly request: unknown;
  readonly demand: Demand;
  readonly exchange: Exchange;
  /** Parsed lazily, once. */
  readonly reading: Reading;
  /** Order of sending and of the end among all requests of the trace: two that overlap were under way at once. */
  readonly sentAt: number;
  readonly endedAt: number;
  /** References that could not be resolved, so that the request lacks what it should name. */
  readonly unresolved: readonly string[];
}

/** A task as some answer showed it. */
export interface Sight {
  readonly sent: Sent;
  readonly task: Task;
}

/** The result of one run of a case. */
export interface Trace {
  readonly case: Case;
  /** In order of sending. Requests of wait steps are among them, as calls of `get`. */
  readonly sent: readonly Sent[];
  readonly begun: ReadonlyMap<string, Begun>;
  /** Why the case was not run to its end: the agent is gone, a limit, a stop. */
  readonly cut?: string;
  /** A request of the case was not sent at all, so the trace is incomplete. */
  readonly isWithheld?: boolean;
  /** Why the first of them has no form in the binding, if that is the reason. The others were sent. */
  readonly unsent?: string;
}

/** No answer came within the limit of time. */
export const isSilent = ({ exchange }: Sent): boolean => exchange.failure?.kind === 'timeout';
