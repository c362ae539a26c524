import {
  isObject,
  keyOf,
  noteOf,
  type Outcome,
  type Reading,
  type Recorded,
  type SendReply,
  type StreamEvent,
  sentText,
  type Task,
  type TaskPage,
  type TaskState,
  weakMemo,
} from '../../src/kit/index.js';
import * as x402 from './shared/index.js';

// What the whole tape shows of tasks, for laws about their course.

/** A task as an answer or an event showed it; for an update, only what the update says. */
interface Shown {
  /** The key of its id. */
  readonly id: string;
  readonly state: TaskState;
  /** The payment status. */
  readonly status: string | undefined;
  readonly isPaid: boolean;
  readonly isDecided: boolean;
  /** For people: "input-required, payment-required". */
  readonly standing: string;
  /** The texts of the agent, those of artifacts last; the unique words of requests are replaced. */
  readonly texts: readonly string[];
  /** How many of them are of artifacts. */
  readonly ofArtifacts: number;
}

/** The same with the answer that showed it. */
export interface Sighting extends Shown {
  readonly recorded: Recorded;
  /** Time of the answer, ms. */
  readonly at: number;
}

/** A payment message that the kit sent. */
export interface Sent {
  /** Keys of the ids of tasks that the message names, or that its answer is about. */
  readonly about: ReadonlySet<string>;
  /** The message contains a payment. */
  readonly pays: boolean;
  readonly at: number;
}

export interface Course {
  readonly sightings: readonly Sighting[];
  /** Keys of the ids of tasks that this run started. Listings also show tasks of other clients and runs, whose course is unknown. */
  readonly begun: ReadonlySet<string>;
  /** Exchanges that show a payment status. */
  readonly standing: ReadonlySet<Recorded>;
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

/** The unique word in each request of the kit, and the character that replaces it. */
const words = /tck[0-9a-f]{12}/g;
export const mark = '\u0001';
/** A text without what is in one request only. */
export const unmarked = (text: string): string => text.trim().replaceAll(words, mark);

/** Most tasks that are noted of one answer, and most characters of their texts; what is longer is left out. */
const mostShown = 1000;
const mostText = 256 * 1024;

function shownOf(task: Task, room: number): Shown {
  const said = x402.saidBy(task).map(unmarked);
  const { artifacts = [] } = task;
  const ofArtifacts = artifacts.reduce((sum, { parts }) => sum + parts.length, 0);
  const isKept = said.reduce((sum, text) => sum + text.length, 0) <= room;
  return {
    id: keyOf(task.id),
    state: task.status.state,
    status: x402.statusOf(task),
    isPaid: x402.receiptsOf(task).some(({ success }) => success === true),
    isDecided: x402.isDecided(task),
    standing: x402.standingOf(task),
    texts: isKept ? said : [],
    ofArtifacts: isKept ? ofArtifacts : 0,
  };
}

/** The tasks in an answer. */
export const shownIn = noteOf((reading): readonly Shown[] => {
  let room = mostText;
  const tasks = tasksIn(reading).filter((task) => isObject(task.status));
  return tasks.slice(0, mostShown).map((task) => {
    const shown = shownOf(task, room);
    room -= shown.texts.reduce((sum, text) => sum + text.length, 0);
    return shown;
  });
});

const named = /"(?:taskId|id)"\s*:\s*"([^"\\]+)"/g;

function readCourse(tape: readonly Recorded[]): Course {
  const sightings: Sighting[] = [];
  const begun = new Set<string>();
  const standing = new Set<Recorded>();
  const sent: Sent[] = [];
  const requests: string[] = [];
  let isCut = false;
  for (const recorded of tape) {
    const { request, response, startedAt, durationMs } = recorded.exchange;
    const tasks = shownIn(recorded);
    for (const shown of tasks) sightings.push({ ...shown, recorded, at: startedAt + durationMs });
    if (recorded.operation === 'send' || recorded.operation === 'stream') for (const { id } of tasks) begun.add(id);
    if (tasks.some(({ status }) => status !== undefined)) standing.add(recorded);
    isCut ||= request.cut === true || response?.cut === true;
    const text = sentText(recorded.exchange);
    if (text === '') continue;
    requests.push(text);
    if (!text.includes('x402.payment.')) continue;
    const ids = [...text.matchAll(named)].map(([, id = '']) => id);
    sent.push({
      about: new Set([...ids.map(keyOf), ...tasks.map(({ id }) => id)]),
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
  for (const sighting of sightings) {
    const seen = tasks.get(sighting.id);
    if (seen === undefined) tasks.set(sighting.id, [sighting]);
    else seen.push(sighting);
  }
  return tasks;
}
