import {
  isObject,
  isSettled,
  isTerminal,
  type Operation,
  type StreamEvent,
  type Task,
  type TaskState,
} from '../model/index.js';
import type { Caller } from './credentials.js';
import type { Outcome } from './outcome.js';
import type { LiveStream } from './stream.js';

// Tasks that the kit began, as it last saw them. An agent has a limited number of workers, and work that no client ends
// keeps one of them.

/** Who began a task, and what it was seen in last. */
interface Begun {
  readonly purpose: string;
  readonly credentials: Caller | undefined;
  readonly atMs: number;
  state: TaskState;
  /** It was asked to end. */
  asked?: true;
  /** No check looks at it any more: another check may use it up. */
  offered?: true;
  /** Checks read it, so none may use it up. */
  read?: true;
  /** The kit saw it at work, or with the result of its work. */
  worked?: true;
}

/** A stream, which may bring more after it was opened. */
interface OpenStream {
  readonly stream: LiveStream;
  readonly from: Pick<Begun, 'purpose' | 'credentials' | 'atMs'> | undefined;
  /** How many of its events were taken. */
  taken: number;
}

/** One task that was last seen at work. */
export interface AtWork {
  readonly id: string;
  readonly credentials: Caller | undefined;
  readonly state: TaskState;
  /** When it began. */
  readonly atMs: number;
  /** It was asked to end before. */
  readonly asked: boolean;
}

/** The tasks of one run. */
export interface OwnTasks {
  /** Takes the outcome of a call; `from`: it was a valid message, which begins a task. */
  see(operation: Operation, seen: LiveStream | Outcome<unknown>, from: OpenStream['from']): void;
  /** The tasks that were last seen at work, of this purpose or of all. */
  atWork(purpose?: string): readonly AtWork[];
  /** Whether a task that began later was worked on: what began at this time does not wait for a worker. */
  isOvertaken(sinceMs: number): boolean;
  /** The check no longer needs this task. */
  offer(id: string): void;
  /** The check no longer needs the tasks that it began for this purpose; without one: no check needs any task. */
  offerAll(purpose?: string): void;
  /** Whether there is a task to take. */
  has(state: TaskState): boolean;
  /** A task of the first caller that no check needs, and that the kit last saw in this state; returned once. */
  take(state: TaskState): string | undefined;
  /** The same for readers, which change nothing: each of them gets it, and no check takes it. */
  look(state: TaskState): string | undefined;
  /** The agent was asked to end this one. */
  ask(id: string): void;
  /** The state of this task is no longer known. */
  drop(id: string): void;
}

const isTask = (value: unknown): value is Task => isObject(value) && isObject(value.status);

export function createOwnTasks(): OwnTasks {
  const begun = new Map<string, Begun>();
  const streams = new Set<OpenStream>();

  function note(id: string, state: TaskState, from: OpenStream['from']): void {
    const known = begun.get(id) ?? (from === undefined || id === '' ? undefined : { ...from, state });
    if (known === undefined) return;
    // What a stream brought is taken late, after what a read showed.
    if (!isTerminal(known.state)) known.state = state;
    if (state !== 'submitted' && state !== 'canceled' && state !== 'rejected') known.worked = true;
    begun.set(id, known);
  }
  function noteEvent(event: StreamEvent, from: OpenStream['from']): void {
    if (event.type === 'task') note(event.task.id, event.task.status.state, from);
    if (event.type === 'status') note(event.taskId, event.status.state, from);
  }
  function take(openStream: OpenStream): void {
    const { stream, from } = openStream;
    for (const { event } of stream.seen.slice(openStream.taken)) if (event !== undefined) noteEvent(event, from);
    openStream.taken = stream.seen.length;
  }

  function free(state: TaskState, isRead = false): readonly [string, Begun] | undefined {
    for (const openStream of streams) take(openStream);
    const isFree = (task: Begun): boolean =>
      task.offered === true && task.state === state && task.credentials === undefined;
    const all = [...begun].filter(([, task]) => isFree(task) && (isRead || task.read !== true));
    return all.find(([, task]) => task.read === isRead) ?? all[0];
  }

  return {
    see(operation, seen, from) {
      if (seen.kind === 'stream') {
        const openStream: OpenStream = { stream: seen, from, taken: 0 };
        streams.add(openStream);
        const end = (): void => {
          take(openStream);
          streams.delete(openStream);
        };
        seen.ended.then(end, end);
        return;
      }
      if (seen.kind !== 'result') return;
      const value: unknown = seen.value;
      if (operation === 'send' && isObject(value) && isTask(value.task))
        note(value.task.id, value.task.status.state, from);
      if ((operation === 'get' || operation === 'cancel') && isTask(value))
        note(value.id, value.status.state, undefined);
    },
    atWork(purpose) {
      for (const openStream of streams) take(openStream);
      return [...begun].flatMap(([id, begun]) =>
        isSettled(begun.state) || (purpose !== undefined && begun.purpose !== purpose)
          ? []
          : [{ ...begun, id, asked: begun.asked === true }],
      );
    },
    isOvertaken(sinceMs) {
      for (const openStream of streams) take(openStream);
      return [...begun.values()].some(({ atMs, worked }) => atMs > sinceMs && worked === true);
    },
    offer(id) {
      const item = begun.get(id);
      if (item !== undefined) item.offered = true;
    },
    offerAll(purpose) {
      for (const item of begun.values()) if (purpose === undefined || item.purpose === purpose) item.offered = true;
    },
    has: (state) => free(state, isTerminal(state)) !== undefined,
    take(state) {
      const found = free(state);
      if (found === undefined) return undefined;
      begun.delete(found[0]);
      return found[0];
    },
    look(state) {
      const found = free(state, true);
      if (found !== undefined) found[1].read = true;
      return found?.[0];
    },
    ask(id) {
      const item = begun.get(id);
      if (item !== undefined) item.asked = true;
    },
    drop: (id) => void begun.delete(id),
  };
}
