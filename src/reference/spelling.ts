import type { Dialect } from '../dialect/index.js';
import type { Card, ErrorName, JsonObject, Operation, StreamEvent, Task, TaskState } from '../model/index.js';
import type { Outcome, Problem } from './calls.js';
import type { RpcFailure } from './failure.js';

/**
 * Everything in which an agent of one dialect differs from a plain 0.3 agent, beyond what the dialect itself defines.
 */
export interface AgentTraits {
  readonly cardPaths: readonly string[];
  /** Operations that the dialect can name, but its agents do not have. */
  readonly absent: readonly Operation[];
  readonly protocolVersion: string;
  /** The capabilities that the plain agent of the dialect declares; it has what it declares. */
  readonly capabilities: Partial<Card['capabilities']>;
  /** The caller is known of the request, before its body is read, or of each call in it. */
  readonly authenticates: 'requests' | 'calls';
  /** Values of A2A-Version that are served, as Major.Minor; undefined: this version ignores the header. */
  readonly versions: readonly string[] | undefined;
  /** Headers in which clients ask for extensions. */
  readonly extensionHeaders: readonly string[];
  /** The refusal of calls that need a capability which the card does not declare. */
  readonly undeclared: Readonly<Record<'streaming' | 'push' | 'extendedCard', ErrorName>>;
  /** For how long an answer waits when the client does not say, milliseconds. */
  readonly patienceMs: number;
  /** Tasks of one context are worked on one after the other; those that wait are `submitted`. */
  readonly queue: boolean;
  /** For how long finished tasks are kept, milliseconds. */
  readonly keepMs: number;
  /** A subscription to a finished task is refused; else it shows the task and ends. */
  readonly refusesFinished: boolean;
  /** How a message to a finished task is refused. */
  readonly finished: ErrorName;
  /** For how long clients may cache the card, seconds; undefined: the card does not say. */
  readonly cardMaxAge: number | undefined;
  /** The member of a send reply or an event that holds the object itself; empty: it is the object. */
  readonly wrapper: Readonly<Record<StreamEvent['type'], string>>;
  /** The same of events, where they differ from replies. */
  readonly eventWrapper?: AgentTraits['wrapper'];
  /** Some messages are answered with a message; otherwise every message gets a task. */
  readonly repliesByMessage: boolean;
  /** The answer of a completed task stands in its history too. */
  readonly answerInHistory: boolean;
  /** Media type of notifications. */
  readonly noticeType: string;
  /** Error bodies over HTTP+JSON: a google.rpc.Status (1.0 §11.6), or an object with the code of JSON-RPC, as many of 0.3. */
  readonly httpErrors: 'status' | 'code';
  /** Params of a body over HTTP+JSON as the dialect spells them. */
  httpParams(body: JsonObject, op: Operation): JsonObject;
  /** Params without members that are not set, though they are there. */
  given(params: unknown): unknown;
  problems(op: Operation, wire: unknown, dialect: Dialect): readonly Problem[];
  /** Media types that the parts of a message name. */
  mediaTypes(wire: unknown): readonly string[];
  /** `data` of an error object. */
  details(failure: RpcFailure): readonly JsonObject[] | undefined;
  /** What a webhook gets. */
  notice(event: StreamEvent, task: Task, dialect: Dialect): unknown;
  /** The state that is shown for a state: one that the version knows. */
  state(state: TaskState): TaskState;
  card(document: JsonObject): JsonObject;
  /** `createdAt` in ISO 8601. */
  task(wire: unknown, createdAt: string): unknown;
  /** The final form of a result. */
  result(wire: unknown, outcome: Outcome): unknown;
}
