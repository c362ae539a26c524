import { taskIdIn } from '../../kit/index.js';
import { isTerminal, type StreamEvent, type Task } from '../../model/index.js';
import { excerpt } from '../../wire/index.js';
import type { Sent, Trace } from '../execute/trace.js';
import type { Oracle, OracleContext, Symptom } from './oracle.js';
import { silentIn } from './silent-streams.js';
import { endsIn } from './stream-ends.js';
import { accountOf, rowsOf, streamedTask, taskAsked } from './task-observations.js';

// A2A 0.3 §7.2, §7.9; 1.0 §3.5.2: compares what several subscribers of one task receive. Laws judge each single stream.

/** One update of a stream, with a mark that identifies it. */
interface Update {
  /** The same for the same update on every stream. */
  readonly mark: string;
  readonly event: StreamEvent;
}

interface StreamUpdates {
  readonly sent: Sent;
  readonly task: string;
  readonly updates: readonly Update[];
  /** Marks of all events but the first, which may show what happened before the stream. */
  readonly later: ReadonlySet<string>;
  /** The task as the stream began with it. */
  readonly start: Task | undefined;
  /** The stream brought the end of the task, and ended itself. */
  readonly whole: boolean;
}

/** Longer streams are not compared. */
const longest = 500;

/**
 * A key that identifies an update; undefined for an update without an id, a message or a time, which may be a
 * repetition.
 */
function markOf(event: StreamEvent): string | undefined {
  if (event.type === 'status') {
    const { state, timestamp, message } = event.status;
    if (timestamp === undefined && message === undefined) return undefined;
    return JSON.stringify(['status', state, timestamp, message?.messageId, message?.parts]);
  }
  if (event.type !== 'artifact' || event.artifact.artifactId === '') return undefined;
  return JSON.stringify(['artifact', event.artifact.artifactId, event.artifact.parts, event.append ?? false]);
}

function streamUpdates(sent: Sent): StreamUpdates | undefined {
  const { stream } = sent.reading;
  if (stream === undefined || stream.refused || stream.events.length > longest) return undefined;
  const task = streamedTask(sent);
  if (task === undefined) return undefined;
  const updates = stream.events.flatMap((event) => {
    const mark = event === undefined ? undefined : markOf(event);
    return event === undefined || mark === undefined ? [] : [{ mark, event }];
  });
  const [first] = stream.events;
  const later = new Set(updates.flatMap(({ mark, event }) => (event === first ? [] : [mark])));
  const start = first?.type === 'task' ? first.task : undefined;
  const last = updates.at(-1)?.event;
  const whole = stream.ended && last?.type === 'status' && isTerminal(last.status.state);
  return { sent, task, updates, later, start, whole };
}

/** Position of each mark that occurs only once. */
function places({ updates }: StreamUpdates): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  const twice = new Set<string>();
  for (const [at, { mark }] of updates.entries()) {
    if (found.has(mark)) twice.add(mark);
    else found.set(mark, at);
  }
  for (const mark of twice) found.delete(mark);
  return found;
}

/** Two updates that the two streams bring in opposite orders. */
function inversion(first: StreamUpdates, second: StreamUpdates): readonly [string, string] | undefined {
  const there = places(second);
  const common = [...places(first)].flatMap(([mark, at]) => {
    const place = there.get(mark);
    return place === undefined ? [] : [{ mark, at, place }];
  });
  common.sort((a, b) => a.at - b.at);
  for (const [at, { mark, place }] of common.entries()) {
    const next = common[at + 1];
    if (next !== undefined && next.place < place) return [mark, next.mark];
  }
  return undefined;
}

/** Whether the task already showed the update when the stream began. */
function isIn(start: Task | undefined, event: StreamEvent): boolean {
  if (start === undefined) return false;
  if (event.type === 'status') {
    const { state, timestamp } = start.status;
    return state === event.status.state && timestamp === event.status.timestamp;
  }
  return (
    event.type === 'artifact' &&
    (start.artifacts ?? []).some((artifact) => artifact.artifactId === event.artifact.artifactId)
  );
}

/** An update that `one` brings after the first update that both bring, and that `other` never brings. */
function missing(first: StreamUpdates, second: StreamUpdates): Update | undefined {
  if (!first.whole || !second.whole) return undefined;
  const had = new Set(second.updates.map(({ mark }) => mark));
  const joined = first.updates.findIndex(({ mark }) => second.later.has(mark));
  if (joined < 0) return undefined;
  return first.updates.slice(joined).find(({ mark, event }) => !had.has(mark) && !isIn(second.start, event));
}

function strayEvent(sent: Sent, asked: string | undefined): Symptom['detail'] | undefined {
  const { stream } = sent.reading;
  if (stream === undefined || sent.step.operation !== 'subscribe' || asked === undefined) return undefined;
  const other = stream.events.map(taskIdIn).find((id) => id !== undefined && id !== asked);
  return other === undefined ? undefined : `the stream of the task ${asked} brings events of the task ${other}`;
}

function compare(first: StreamUpdates, second: StreamUpdates, { ledger }: OracleContext): Symptom | undefined {
  const base = { oracle: 'streams', sent: second.sent };
  const swapped = inversion(first, second);
  if (swapped !== undefined) {
    return {
      ...base,
      bucket: 'streams/order',
      title: 'Two streams of one task bring its updates in different orders',
      detail: `one brings ${excerpt(swapped[0], 120)} before ${excerpt(swapped[1], 120)}, the other after it`,
      keys: rowsOf(ledger, 'stream.in-order', 'stream.same-events'),
    };
  }
  const found = missing(first, second);
  const lost = found ?? missing(second, first);
  if (lost === undefined) return undefined;
  const isSubscribed = (found === undefined ? first : second).sent.step.operation === 'subscribe';
  return {
    ...base,
    bucket: `streams/split ${lost.event.type}`,
    title: 'One of two streams of a task lacks an update that the other brings',
    detail: `only one of them brings ${excerpt(lost.mark, 160)}`,
    keys: rowsOf(ledger, 'stream.same-events', ...(isSubscribed ? (['sub.later-updates'] as const) : [])),
  };
}

/** Compares the streams of one task with each other, and each subscription with the task that it named. */
export const streams: Oracle = (trace, oracleContext) => {
  const streamed = trace.sent.filter(({ step, reading }) => isStream(step.operation) && reading.stream !== undefined);
  if (streamed.length === 0) return [];
  const account = accountOf(trace, oracleContext.dialect);
  const found: Symptom[] = [];
  for (const sent of streamed) {
    const detail = strayEvent(sent, taskAsked(account.asked(sent)));
    if (detail === undefined) continue;
    found.push({
      oracle: 'streams',
      bucket: 'streams/other-task',
      title: 'A subscription brings events of another task',
      detail,
      keys: rowsOf(oracleContext.ledger, 'stream.same-task'),
      sent,
    });
  }
  found.push(...compared(trace, oracleContext));
  return endsIn(streamed, trace, oracleContext).then(async (ends) => [
    ...found,
    ...ends,
    ...(await silentIn(trace, oracleContext)),
  ]);
};

const isStream = (operation: string): boolean => operation === 'stream' || operation === 'subscribe';

/** At most so many streams are compared with each other. */
const mostStreams = 12;

function compared(trace: Trace, oracleContext: OracleContext): readonly Symptom[] {
  const all = trace.sent.flatMap((sent) =>
    isStream(sent.step.operation) && sent.step.caller === undefined ? (streamUpdates(sent) ?? []) : [],
  );
  const found: Symptom[] = [];
  const few = all.slice(0, mostStreams);
  for (const [at, streamUpdates] of few.entries()) {
    for (const other of few.slice(at + 1)) {
      const symptom = streamUpdates.task === other.task ? compare(streamUpdates, other, oracleContext) : undefined;
      if (symptom !== undefined) found.push(symptom);
    }
  }
  return found;
}
