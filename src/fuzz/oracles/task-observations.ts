import { type Dialect, methodOf } from '../../dialect/index.js';
import { taskIdIn } from '../../kit/index.js';
import type { Ledger, RequirementKey } from '../../ledger/index.js';
import {
  isObject,
  isString,
  isTerminal,
  type Operation,
  type Operations,
  type SendReply,
  type StreamEvent,
  type Task,
  type TaskPage,
  type TaskStatus,
  weakMemo,
} from '../../model/index.js';
import type { Sent, Trace } from '../execute/trace.js';

// What a trace says about tasks, read once and shared by the oracles over scripts.

/** A task, or a part of it, as an answer or an event showed it. */
export interface Sighting {
  readonly sent: Sent;
  readonly operation: Operation;
  readonly id: string;
  readonly status: TaskStatus | undefined;
  readonly contextId: string | undefined;
  /** The whole task; an update of a stream shows a part of it, a page may leave parts out. */
  readonly task: Task | undefined;
  /**
   * The task was like this at some time while the request was under way. Updates of a stream and pages may show the
   * past: they may come late, or again.
   */
  readonly isNow: boolean;
  /** Position in its stream. */
  readonly event: number | undefined;
}

/** What a valid request of the configured caller was about, in canonical terms. */
export type Asked = {
  readonly [Op in Operation]: { readonly operation: Op; readonly params: Operations[Op]['params'] };
}[Operation];

export interface Account {
  /** In order of sending. */
  readonly sightings: readonly Sighting[];
  readonly byTask: ReadonlyMap<string, readonly Sighting[]>;
  /** What the request was about; undefined: it was broken, or another caller sent it. */
  asked(sent: Sent): Asked | undefined;
}

/** At most so many are read of one trace: a hostile agent could fill pages and streams without end. */
const mostSightings = 2000;

/** At most so many sightings of one task are compared with each other. */
export const mostCompared = 200;

const ofTask = (sent: Sent, operation: Operation, task: Task, isNow: boolean, event?: number): Sighting => ({
  sent,
  operation,
  id: task.id,
  status: task.status,
  contextId: task.contextId || undefined,
  task,
  isNow,
  event,
});

function ofEvent(sent: Sent, operation: Operation, event: StreamEvent | undefined, at: number): Sighting | undefined {
  if (event === undefined || event.type === 'message') return undefined;
  if (event.type === 'task') return ofTask(sent, operation, event.task, false, at);
  const status = event.type === 'status' ? event.status : undefined;
  const contextId = event.contextId || undefined;
  return { sent, operation, id: event.taskId, status, contextId, task: undefined, isNow: false, event: at };
}

/** Whether the request was sent with the method of its step: an edit may have replaced it. */
const isOwnMethod = ({ request, step }: Sent, dialect: Dialect): boolean =>
  isObject(request) && request['method'] === methodOf(dialect, step.operation);

function sightingsIn(sent: Sent, dialect: Dialect, asked: Account['asked']): readonly Sighting[] {
  const { operation, caller } = sent.step;
  if (caller !== undefined || !isOwnMethod(sent, dialect)) return [];
  const { reading } = sent;
  if (operation === 'stream' || operation === 'subscribe') {
    const { stream } = reading;
    if (stream !== undefined) return stream.events.flatMap((event, at) => ofEvent(sent, operation, event, at) ?? []);
  } else if (operation !== 'send' && operation !== 'get' && operation !== 'cancel' && operation !== 'list') return [];
  const { outcome } = reading;
  if (outcome.kind !== 'result') return [];
  if (operation === 'get' || operation === 'cancel') {
    // An answer about another task says nothing about the requested one.
    const id = taskAsked(asked(sent));
    const task = outcome.value as Task;
    return id === undefined || id === task.id ? [ofTask(sent, operation, task, true)] : [];
  }
  switch (operation) {
    case 'send': {
      const reply = outcome.value as SendReply;
      return reply.type === 'task' ? [ofTask(sent, operation, reply.task, true)] : [];
    }
    case 'list':
      return (outcome.value as TaskPage).tasks.map((task) => ofTask(sent, operation, task, false));
    default: {
      const found = ofEvent(sent, operation, outcome.value as StreamEvent, 0);
      return found === undefined ? [] : [found];
    }
  }
}

export const accountOf = weakMemo((trace: Trace, dialect: Dialect): Account => {
  const meant = new Map<Sent, Asked | undefined>();
  const asked = (sent: Sent): Asked | undefined => {
    if (!meant.has(sent)) meant.set(sent, sent.step.caller === undefined ? askedBy(sent, dialect) : undefined);
    return meant.get(sent);
  };
  const sightings: Sighting[] = [];
  const byTask = new Map<string, Sighting[]>();
  for (const sent of trace.sent) {
    for (const sighting of sightingsIn(sent, dialect, asked)) {
      if (sighting.id === '' || sightings.length >= mostSightings) continue;
      sightings.push(sighting);
      const same = byTask.get(sighting.id);
      if (same === undefined) byTask.set(sighting.id, [sighting]);
      else same.push(sighting);
    }
  }
  return { sightings, byTask, asked };
});

/** The same for any caller; undefined: the request was broken. */
export function askedBy(sent: Sent, dialect: Dialect): Asked | undefined {
  const { operation } = sent.step;
  if (!sent.reading.valid || sent.unresolved.length > 0 || !isOwnMethod(sent, dialect)) return undefined;
  const wire = isObject(sent.request) ? sent.request['params'] : undefined;
  const params = dialect.operations[operation]?.params.decode(wire);
  return params === undefined ? undefined : ({ operation, params } as Asked);
}

/** The task that a request names. */
export function taskAsked(asked: Asked | undefined): string | undefined {
  if (asked === undefined) return undefined;
  const { params } = asked;
  const id =
    asked.operation === 'send' || asked.operation === 'stream'
      ? asked.params.message.taskId
      : 'taskId' in params
        ? params.taskId
        : 'id' in params
          ? params.id
          : undefined;
  return isString(id) && id !== '' ? id : undefined;
}

/** Whether the agent accepted the request: a result came, or a stream that did not begin with an error. */
export function isAccepted({ reading }: Sent): boolean {
  const { stream } = reading;
  if (stream !== undefined) return !stream.refused && stream.events.some((event) => event !== undefined);
  return reading.outcome.kind === 'result';
}

/** Whether the request may have had an effect. After an internal error it may be half done. */
export const mayTakeEffect = ({ reading: { outcome } }: Sent): boolean =>
  outcome.kind === 'refusal'
    ? outcome.error === 'InternalError'
    : outcome.kind !== 'denied' && outcome.kind !== 'not-sent';

/** Messages that went to a task, or may have: how the agent read a message that the fuzzer changed is unknown. */
export const talksTo = (task: string, account: Account, { sent: all }: Trace): readonly Sent[] =>
  all.filter((sent) => {
    if (sent.step.operation !== 'send' && sent.step.operation !== 'stream') return false;
    const asked = account.asked(sent);
    return asked === undefined || taskAsked(asked) === task;
  });

/** Whether `one` ended before `other` was sent. The order of two that overlap is unknown. */
export const isBefore = (first: Sent, second: Sent): boolean => first.endedAt < second.sentAt;

/** The same for sightings; within one stream, by the order of its events. */
export function seenBefore(first: Sighting, second: Sighting): boolean {
  if (first.sent === second.sent)
    return first.event !== undefined && second.event !== undefined && first.event < second.event;
  return isBefore(first.sent, second.sent);
}

/** The given sentences that this version has. */
export const rowsOf = (ledger: Ledger, ...keys: readonly RequirementKey[]): readonly RequirementKey[] =>
  keys.filter((key) => ledger.row(key) !== undefined);

/** The task that a stream is about, as its first event says. */
export const streamedTask = ({ reading }: Sent): string | undefined =>
  reading.stream?.events.map(taskIdIn).find((id) => id !== undefined);

/** Whether the task was open when this was answered: a later answer shows it open. */
export function isOpenAfter(task: string, sent: Sent, account: Account): boolean {
  return (account.byTask.get(task) ?? []).some((sighting) => {
    const state = sighting.status?.state ?? 'unknown';
    return sighting.isNow && state !== 'unknown' && !isTerminal(state) && isBefore(sent, sighting.sent);
  });
}
