import {
  isObject,
  type Outcome,
  type Reading,
  type SendReply,
  type StreamEvent,
  sentText,
  type Task,
  type TaskPage,
  weakMemo,
  x402,
} from '../../src/kit/index.js';

// What the whole tape shows of tasks, for laws about their course.

/** A state of a task as an answer or an event showed it; for an update, only what the update says. */
export interface Sighting {
  readonly reading: Reading;
  readonly task: Task;
  /** Time of the answer, ms. */
  readonly at: number;
}

/** A payment message that the kit sent. */
export interface Sent {
  /** Ids of tasks that the message names, or that its answer is about. */
  readonly about: ReadonlySet<string>;
  /** The message contains a payment. */
  readonly pays: boolean;
  readonly at: number;
}

export interface Course {
  readonly sightings: readonly Sighting[];
  /** Tasks that this run started. Listings also show tasks of other clients and runs, whose course is unknown. */
  readonly begun: ReadonlySet<string>;
  /** Exchanges that show a payment status. */
  readonly standing: ReadonlySet<Reading>;
  readonly sent: readonly Sent[];
  /** Texts of all requests. */
  readonly requests: readonly string[];
  /** The tape is incomplete, so a missing message may have been sent. */
  readonly isCut: boolean;
}

const ofEvent = (event: StreamEvent): readonly Task[] => {
  switch (event.type) {
    case 'task':
      return [event.task];
    case 'status':
      return [{ id: event.taskId, status: event.status }];
    case 'artifact':
      return [{ id: event.taskId, status: { state: 'working' }, artifacts: [event.artifact] }];
    default:
      return [];
  }
};

function tasksIn({ outcome, operation, stream }: Reading): readonly Task[] {
  if (stream !== undefined) return stream.events.flatMap((event) => (event === undefined ? [] : ofEvent(event)));
  if (outcome.kind !== 'result') return [];
  switch (operation) {
    case 'send': {
      const { value } = outcome as Outcome<SendReply> & { kind: 'result' };
      return value.type === 'task' ? [value.task] : [];
    }
    case 'get':
    case 'cancel':
      return [outcome.value as Task];
    case 'list':
      return (outcome.value as TaskPage).tasks;
    default:
      return [];
  }
}

const named = /"(?:taskId|id)"\s*:\s*"([^"\\]+)"/g;

function readCourse(tape: readonly Reading[]): Course {
  const sightings: Sighting[] = [];
  const begun = new Set<string>();
  const standing = new Set<Reading>();
  const sent: Sent[] = [];
  const requests: string[] = [];
  let isCut = false;
  for (const reading of tape) {
    const { request, response, startedAt, durationMs } = reading.exchange;
    const tasks = tasksIn(reading).filter((task) => isObject(task.status));
    for (const task of tasks) sightings.push({ reading, task, at: startedAt + durationMs });
    if (reading.operation === 'send' || reading.operation === 'stream') for (const { id } of tasks) begun.add(id);
    if (tasks.some((task) => x402.statusOf(task) !== undefined)) standing.add(reading);
    isCut ||= request.cut === true || response?.cut === true;
    const text = sentText(reading.exchange);
    if (text === '') continue;
    requests.push(text);
    if (!text.includes('x402.payment.')) continue;
    const ids = [...text.matchAll(named)].map(([, id = '']) => id);
    sent.push({
      about: new Set([...ids, ...tasks.map(({ id }) => id)]),
      pays: text.includes('x402.payment.payload') || text.includes('payment-submitted'),
      at: startedAt,
    });
  }
  return { sightings, begun, standing, sent, requests, isCut };
}

/** Computed once for all laws. */
export const courseOf = weakMemo(readCourse);

/** The sightings of each task, in order. */
export function byTask({ sightings }: Course): ReadonlyMap<string, readonly Sighting[]> {
  const tasks = new Map<string, Sighting[]>();
  for (const one of sightings) {
    const seen = tasks.get(one.task.id);
    if (seen === undefined) tasks.set(one.task.id, [one]);
    else seen.push(one);
  }
  return tasks;
}
