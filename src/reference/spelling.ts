import type { Dialect, ProfileId } from '../dialect/index.js';
import {
  type Card,
  type ErrorName,
  isObject,
  type JsonObject,
  type Operation,
  type StreamEvent,
  type Task,
  type TaskState,
} from '../model/index.js';
import type { RpcFailure } from './failure.js';
import { mediaTypes03, problems03 } from './params-0.3.js';
import type { Outcome, Problem } from './seams.js';
import { spelling10 } from './spelling-1.0.js';
import { spellingOpenclaw } from './spelling-openclaw.js';
import { spellingXpr, spellingXprV2 } from './spelling-xpr.js';
import type { XprSettings } from './xpr/settings.js';

/**
 * Everything in which an agent of one dialect differs from a plain 0.3 agent, beyond what the dialect itself defines.
 */
export interface Spelling {
  readonly cardPaths: readonly string[];
  /** Operations that the dialect can name, but its agents do not have. */
  readonly absent: readonly Operation[];
  readonly protocolVersion: string;
  /** The capabilities that the plain agent of the dialect declares; it has what it declares. */
  readonly capabilities: Partial<Card['capabilities']>;
  /** Every call is signed by an account of a chain; undefined: the card says how callers are known. */
  readonly signed: XprSettings | undefined;
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
  readonly eventWrapper?: Spelling['wrapper'];
  /** Some messages are answered with a message; otherwise every message gets a task. */
  readonly repliesByMessage: boolean;
  /** The answer of a completed task stands in its history too. */
  readonly answerInHistory: boolean;
  /** Media type of notifications. */
  readonly noticeType: string;
  problems(op: Operation, wire: unknown, dialect: Dialect): readonly Problem[];
  /** Media types that the parts of a message name. */
  mediaTypes(wire: unknown): readonly string[];
  /** `data` of an error object. */
  details(failure: RpcFailure): readonly JsonObject[] | undefined;
  /** What a webhook is told. */
  notice(event: StreamEvent, task: Task, dialect: Dialect): unknown;
  /** The state that is shown for a state: one that the version knows. */
  state(state: TaskState): TaskState;
  card(document: JsonObject, signed: XprSettings | undefined): JsonObject;
  /** `createdAt` in ISO 8601. */
  task(wire: unknown, createdAt: string): unknown;
  /** The final form of a result. */
  result(wire: unknown, outcome: Outcome): unknown;
}

const plain = (dialect: Dialect): Spelling => ({
  cardPaths: dialect.cardPaths.slice(0, 1),
  // 0.3 §3.5.6: no listing over JSON-RPC.
  absent: ['list'],
  protocolVersion: '0.3.0',
  capabilities: {},
  signed: undefined,
  versions: undefined,
  extensionHeaders: [dialect.extensionHeader],
  undeclared: {
    streaming: 'UnsupportedOperation',
    push: 'PushNotificationNotSupported',
    extendedCard: 'ExtendedCardNotConfigured',
  },
  // AMB03-07: both waiting and not waiting are right.
  patienceMs: 5000,
  queue: false,
  keepMs: Number.POSITIVE_INFINITY,
  // AMB03-10: either is right.
  refusesFinished: false,
  // §7.1 demands an error and names none (AMB03-04). The request itself is well-formed, so neither -32600 nor -32602
  // fits; "a specific aspect of it (perhaps implied by parameters) is not supported" (§8.2) does, and 1.0 §3.1.1 chose
  // the same.
  finished: 'UnsupportedOperation',
  cardMaxAge: undefined,
  wrapper: { task: '', message: '', status: '', artifact: '' },
  repliesByMessage: true,
  answerInHistory: false,
  noticeType: 'application/json',
  problems: problems03({ messageIdRequired: true, partTag: 'kind' }),
  mediaTypes: mediaTypes03,
  details: () => undefined,
  // 0.3 §9.5: the example sends the Task (AMB03-12).
  notice: (_, task, { operations }) => operations.get.result.encode(task as never),
  state: (state) => state,
  card: (document) => document,
  task: (wire) => wire,
  result: (wire) => wire,
});

const deltas: Partial<Record<ProfileId, Partial<Spelling>>> = {
  'a2a-1.0': spelling10,
  'a2a-0.2': { protocolVersion: '0.2.6' },
  openclaw: spellingOpenclaw,
  xpr: spellingXpr,
  'xpr-v2': spellingXprV2,
  // Terminal Bench document: the card of a Terminal Bench agent, and the members that its tasks have beyond 0.3.
  'terminal-bench': {
    cardPaths: ['/.well-known/agent-card', '/agent-card'],
    repliesByMessage: false,
    problems: problems03({ messageIdRequired: false, partTag: 'kind' }),
    card({ protocolVersion, preferredTransport, defaultInputModes, defaultOutputModes, skills, ...document }) {
      return {
        ...document,
        provider: 'a2a-tck',
        skills: Array.isArray(skills)
          ? skills.map((skill) => ({
              ...skill,
              inputModes: ['text'],
              outputModes: ['text'],
              examples: ['Find large files.'],
            }))
          : skills,
        capabilities: { streaming: false, pushNotifications: false, longRunningTasks: true },
        metadata: { model: 'none', framework: 'a2a-tck', a2a_version: '1.0' },
      };
    },
    task(wire, createdAt) {
      if (!isObject(wire)) return wire;
      const status = wire['status'];
      return { ...wire, createdAt, updatedAt: (isObject(status) ? status['timestamp'] : undefined) ?? createdAt };
    },
  },
};

export const spellingOf = (dialect: Dialect): Spelling => ({
  ...plain(dialect),
  ...deltas[dialect.id in deltas ? dialect.id : (dialect.like ?? dialect.id)],
});
