import { type LiveStream, type Opened, type Outcome, type StreamItem, stateIn } from '../../client/index.js';
import {
  isInterrupted,
  isSettled,
  isTerminal,
  type Operations,
  type StreamEvent,
  type TaskState,
} from '../../model/index.js';
import type { Exchange } from '../../wire/index.js';
import { PreconditionUnmet } from '../rules/verdict.js';
import type { Scene } from './scene.js';

export { stateIn } from '../../client/index.js';

/** How a stream ended, or why the kit stopped waiting for it. */
export type StreamEnd =
  /** The server ended it. */
  | 'ended'
  /** It was still open after the grace time, although nothing more could follow. */
  | 'left-open'
  /** It was still open, and the task waited for the client. */
  | 'waiting'
  /** The agent was not done when the patience was over. */
  | 'unfinished'
  /** The connection was lost, or the stream was too long. */
  | 'lost';

/** A stream that was read as far as it went. */
export interface CollectedStream {
  readonly seen: readonly StreamItem[];
  /** The updates that could be read. */
  readonly events: readonly StreamEvent[];
  readonly end: StreamEnd;
  readonly exchange: Exchange;
}

/**
 * A stream that some other prompt brought to this state by chance, and that the agent ended; else throws `why`, unless no
 * prompt of its own was there.
 */
export function streamByChance(scene: Scene, state: TaskState, why: unknown): CollectedStream {
  const stream = why instanceof PreconditionUnmet ? scene.client.heardStream(state) : undefined;
  if (stream === undefined) throw why;
  return { ...stream, events: stream.seen.flatMap(({ event }) => event ?? []), end: 'ended' };
}

/** Time for a server to end a stream on which nothing more can follow, ms. */
export const graceMs = (scene: Scene): number => Math.min(5000, scene.patienceMs);

/** Longest time for a whole stream, ms. */
const longestMs = (scene: Scene): number => 2 * scene.patienceMs + graceMs(scene);

/** Opens a stream that may take its time. */
export function openStream<Op extends 'stream' | 'subscribe'>(
  scene: Scene,
  operation: Op,
  params: Operations[Op]['params'],
  how: { readonly slowly?: boolean } = {},
): Promise<Opened> {
  return scene.client.open(operation, params, { timeoutMs: longestMs(scene), ...how });
}

/** The last state that events show. */
export const lastState = (events: readonly StreamEvent[]): TaskState | undefined =>
  events.map(stateIn).findLast((state) => state !== undefined);

/** The id of the task that an update is about. */
export function taskIdIn(event: StreamEvent | undefined): string | undefined {
  if (event === undefined || event.type === 'message') return undefined;
  return (event.type === 'task' ? event.task.id : event.taskId) || undefined;
}

/** Whether nothing more can follow this item, at least not without the client. */
function isLast({ isError, event }: StreamItem): boolean {
  if (isError) return true;
  if (event === undefined) return false;
  if (event.type === 'message' || (event.type === 'status' && event.final === true)) return true;
  const state = stateIn(event);
  return state !== undefined && isSettled(state);
}

const onlyWaits = (item: StreamItem | undefined): boolean => {
  const state = stateIn(item?.event);
  const isFinal = item?.event?.type === 'status' && item.event.final === true;
  return state !== undefined && isInterrupted(state) && !isFinal;
};

/** How a stream is watched. */
export interface CollectOptions {
  /** Called with each update, until nothing more can follow. */
  onUpdate?(latest: StreamEvent | undefined): void;
  /** The task waited for the message that was sent: a first event that still shows it waiting is not the end. */
  readonly wasWaiting?: boolean;
}

/** Reads a stream to its end; closes it when it takes too long, or stays open although nothing more can follow. */
export async function collectStream(
  scene: Scene,
  stream: LiveStream,
  { onUpdate = () => {}, wasWaiting = false }: CollectOptions = {},
): Promise<CollectedStream> {
  const { clock, patienceMs } = scene;
  const within = async (ms: number, enough?: (seen: readonly StreamItem[]) => boolean) => {
    const stop = clock.after(ms, stream.close);
    await stream.collect(enough);
    stop();
  };
  const isAsItWas = (seen: readonly StreamItem[]): boolean => wasWaiting && seen.length === 1 && onlyWaits(seen[0]);
  const isDone = (seen: readonly StreamItem[]): boolean => seen.some((item) => isLast(item));
  // A task that waits may go on, so only the last item can be the end.
  await within(patienceMs, (seen) => {
    onUpdate(seen.at(-1)?.event);
    return isDone(seen.slice(-1)) && !isAsItWas(seen);
  });
  const wasDone = isDone(stream.seen) && !isAsItWas(stream.seen);
  if (wasDone) await within(graceMs(scene));
  else stream.close();
  const exchange = await stream.ended;
  return {
    seen: stream.seen,
    events: stream.seen.flatMap(({ event }) => event ?? []),
    end: endOf(exchange, wasDone, stream.seen.at(-1)),
    exchange,
  };
}

function endOf({ failure }: Exchange, wasDone: boolean, last: StreamItem | undefined): StreamEnd {
  if (failure === undefined) return 'ended';
  if (failure.kind !== 'aborted' && failure.kind !== 'timeout') return 'lost';
  if (!wasDone) return 'unfinished';
  return onlyWaits(last) ? 'waiting' : 'left-open';
}

/** Reads on until an event names its task, or nothing more can follow. Returns the id of the task. */
export async function untilTask(stream: LiveStream): Promise<string | undefined> {
  const tells = (item: StreamItem): boolean => taskIdIn(item.event) !== undefined;
  // Each item is looked at once: a stream may have thousands that name no task.
  let looked = 0;
  await stream.collect((seen) => {
    const fresh = seen.slice(looked);
    looked = seen.length;
    return fresh.some((item) => tells(item) || isLast(item));
  });
  return taskIdIn(stream.seen.find(tells)?.event);
}

/**
 * For expectations of a refusal: a stream that was opened counts as accepted, with its first event; it is closed. A
 * connection that is reset before the first event answers nothing.
 */
export async function outcomeOf(opened: Opened): Promise<Outcome<StreamEvent | undefined>> {
  if (opened.kind !== 'stream') return opened;
  opened.close();
  const [first] = opened.seen;
  const exchange = await opened.ended;
  const { failure } = exchange;
  if (first === undefined && failure?.kind === 'too-large') {
    return { kind: 'invalid-response', fault: 'too-large', detail: failure.detail, exchange };
  }
  // A connection that is lost before the first event is not a stream that the agent carried out.
  if (first === undefined && failure?.kind === 'reset') {
    return { kind: 'invalid-response', fault: 'no-answer', detail: `reset: ${failure.detail}`, exchange };
  }
  const wire = first === undefined ? 'a stream without events' : (first.wire ?? first.value);
  return { kind: 'result', value: first?.event, wire, exchange };
}

export const isEnd = (event: StreamEvent): boolean => {
  const state = stateIn(event);
  return state !== undefined && isTerminal(state);
};
