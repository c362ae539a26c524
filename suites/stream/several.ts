import {
  type CollectedStream,
  check,
  excerpt,
  inconclusive,
  isTerminal,
  type Judgement,
  lastState,
  type StreamEvent,
  stateIn,
  type Task,
} from '../../src/kit/index.js';
import { canonical } from './artifacts.js';
import { type Several, several } from './open-tasks.js';
import { judgeStopped, stoppedEarly } from './stopped.js';
import { isPaused } from './streams.js';

// A2A 1.0 §3.5.2 Multiple Streams Per Task; 0.3 §7.9 where it applies.

/** A key that is equal for equal updates, however they are spelled; undefined for other events. */
function mark(event: StreamEvent): string | undefined {
  if (event.type === 'status') return canonical(['status', event.status.state, event.status.message?.parts]);
  if (event.type !== 'artifact') return undefined;
  const { artifact, append = false } = event;
  return canonical(['artifact', artifact.artifactId, artifact.parts, append]);
}
const marks = (events: readonly StreamEvent[]): readonly string[] => events.flatMap((event) => mark(event) ?? []);

/** The task at the beginning of the subscription already contains the update. */
function isIn(task: Task, event: StreamEvent, all: readonly StreamEvent[]): boolean {
  if (event.type === 'status') {
    const shown = mark({ ...event, status: task.status });
    const last = all.findLastIndex((other) => mark(other) === shown);
    // A task may show its status without the message of the event.
    return last < 0 ? task.status.state === event.status.state : all.indexOf(event) <= last;
  }
  return (
    event.type === 'artifact' &&
    (task.artifacts ?? []).some((artifact) => artifact.artifactId === event.artifact.artifactId)
  );
}

/** Updates of the first stream that a subscription must bring as well. */
function due({ first, joinedAt }: Several, joined: CollectedStream): readonly string[] {
  const [start] = joined.events;
  if (start === undefined) return [];
  if (start.type !== 'task') {
    // In 0.3 the subscription may begin with an update: all updates from there on are due.
    const all = marks(first.events);
    const at = all.indexOf(mark(start) ?? '');
    return at < 0 ? [] : all.slice(at);
  }
  return first.seen.flatMap(({ event, atMs }) => {
    if (event === undefined || first.exchange.startedAt + atMs <= joinedAt || isIn(start.task, event, first.events))
      return [];
    return mark(event) ?? [];
  });
}

const isCut = (watched: CollectedStream): boolean =>
  watched.end === 'lost' || watched.end === 'unfinished' || isPaused(watched) || stoppedEarly(watched);

/** Why two streams cannot be compared; undefined when they can. */
function incomparable({ first }: Several, other: CollectedStream | undefined): Judgement {
  if (other === undefined) return inconclusive('the agent did not open another stream of the task, and need not');
  if (isCut(first) || isCut(other)) return inconclusive('a stream stopped before the end of its task');
  return marks(other.events).length > 0
    ? undefined
    : inconclusive('set behaviours.long-running to longer work: the task ended before the other stream began');
}

/** A stream that stayed open and silent when the other brought the end of the task. */
function unheard({ first, after }: Several, { events, end }: CollectedStream): string | undefined {
  const [shown, seen] = [lastState(first.events), lastState(events)];
  const isOver = (state: typeof shown): boolean => state !== undefined && isTerminal(state);
  const isMissed = isOver(shown) && !isOver(seen) && end === 'unfinished' && after.kind === 'result';
  return isMissed && isOver(after.value.status.state)
    ? `one stream showed that the task is ${shown}, and the other stayed open after ${seen ?? 'no state'}`
    : undefined;
}

/** All due updates have come, and no updates that the first stream does not have. */
function sameUpdates(seen: Several, other: CollectedStream | undefined): Judgement {
  const missed = other && unheard(seen, other);
  if (missed !== undefined) return missed;
  if (other === undefined || isCut(seen.first) || isCut(other)) return incomparable(seen, other);
  const all = new Set(marks(seen.first.events));
  const got = marks(other.events);
  const known = new Set(got);
  const missing = due(seen, other).find((mark) => !known.has(mark));
  if (missing !== undefined) return `one stream has an update that the other has not: ${excerpt(missing, 100)}`;
  const extra = got.find((mark) => !all.has(mark));
  if (extra !== undefined) return `the first stream lacks an update of the other: ${excerpt(extra, 100)}`;
  return incomparable(seen, other);
}

// In our words (1.0, 3.5.2 Streaming Event Delivery): All open streams of a task receive the same events in the same
//   order.
export const sameEvents = check('stream/same-events', 'stream.same-events')
  .given('seen', several)
  .when('the client reads two streams of a task', async ({ seen }) => seen)
  .expects('send the same updates on both', (seen) => sameUpdates(seen, seen.second))
  .advice(
    'Keep a list of listeners for each task, and send every update to all of them: a queue that is emptied by one reader serves only that one.',
  );

// In our words (1.0, 3.5.2 Streaming Event Delivery): Events arrive in the order they were produced.
// In our words (1.0, 3.5.2 Streaming Event Delivery): All open streams of a task receive the same events in the same
//   order.
export const order = check('stream/same-order', 'stream.in-order', 'stream.same-events')
  .given('seen', several)
  .when('the client reads two streams of a task', async ({ seen }) => seen)
  .expects('send the updates in the same order on both', (seen): Judgement => {
    const open = incomparable(seen, seen.second);
    if (open !== undefined || seen.second === undefined) return open;
    const first = marks(seen.first.events);
    const known = new Set(first);
    const both = marks(seen.second.events).filter((mark) => known.has(mark));
    let at = -1;
    for (const mark of both) {
      // Searches after the previous match, since the same update may come twice.
      const next = first.indexOf(mark, at + 1);
      if (next < 0) return `the second stream brings ${excerpt(mark, 100)} later than the first`;
      at = next;
    }
    return both.length > 1
      ? undefined
      : inconclusive('set behaviours.streamed-chunks to work with more updates: the two streams share at most one');
  })
  .advice('Put each update once into one queue for the task, and write it from there to all streams.');

// In our words (1.0, 3.5.2 Streaming Event Delivery): Closing one stream leaves the others running.
export const independent = check('stream/independent', 'stream.independent')
  .given('seen', several)
  .when('the client closes one of several streams of a task', async ({ seen }) => seen)
  .expects('continue the others to the end', async ({ first, second, after, closedOne }, scene): Promise<Judgement> => {
    if (!closedOne) return inconclusive('the agent did not open another stream of the task, and need not');
    if (after.kind !== 'result') return inconclusive('the agent did not show the task');
    const { state } = after.value.status;
    for (const watched of [first, ...(second === undefined ? [] : [second])]) {
      const { events, end } = watched;
      const shown = lastState(events);
      if (shown !== undefined && isTerminal(shown)) continue;
      if (isPaused(watched)) return inconclusive('the stream stopped where the task waited for authorization');
      if (end === 'ended' && isTerminal(state)) return judgeStopped(watched, `is ${state}`, scene);
      return inconclusive(`the other streams did not come to an end (${end})`);
    }
    return undefined;
  })
  .advice('When a connection closes, remove only its own listener: the work and the other streams continue.');

// In our words (1.0, 3.1.6 Subscribe to Task): Updates produced after subscribing are delivered.
// In our words (1.0, 3.5.2 Streaming Event Delivery): All open streams of a task receive the same events in the same
//   order.
export const slowReader = check('stream/slow-reader', 'sub.later-updates', 'stream.same-events')
  .given('seen', several)
  .when('the client reads one of several streams slowly', async ({ seen }) => seen)
  .expects('send all updates to the slow reader as well', (seen): Judgement => {
    // Updates that a fast reader does not get either are not a matter of speed.
    const fast = sameUpdates(seen, seen.second);
    if (typeof fast === 'string') return inconclusive(`a fast reader does not get all events either: ${fast}`);
    const slow = sameUpdates(seen, seen.slow);
    if (slow !== undefined) return slow;
    const ended = seen.slow?.events.some((event) => isTerminal(stateIn(event) ?? 'unknown')) ?? false;
    return ended ? undefined : inconclusive('raise --timeout: the task did not come to its end');
  })
  .advice('Keep what a client has not read yet, until it has: a slow reader is still connected.');
