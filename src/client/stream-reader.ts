import type { Dialect } from '../dialect/index.js';
import { isSettled } from '../model/index.js';
import type { Clock, Exchange, OpenExchange } from '../wire/index.js';
import { isStream } from './outcome.js';
import { isErrorItem, type LiveStream, liveStream, type StreamItem } from './stream.js';

/** How long a stream is listened to. */
export interface ReadingLimits {
  /** Events after which it is dropped. */
  readonly events?: number;
  /** Longest time without an event, ms. */
  readonly listenMs: number;
  /** Time for the agent to end the stream once its task has settled, ms. */
  readonly graceMs: number;
  /** Awaits something that only takes time, so that others may send meanwhile. */
  readonly lend?: <T>(waiting: Promise<T>) => Promise<T>;
}

/** Whether nothing more has to follow this item without the client. */
function isLast(item: StreamItem): boolean {
  if (isErrorItem(item)) return true;
  const { event } = item;
  if (event === undefined) return false;
  if (event.type === 'message') return true;
  if (event.type === 'task') return isSettled(event.task.status.state);
  return event.type === 'status' && (event.final === true || isSettled(event.status.state));
}

/**
 * Reads a stream to its end, or drops it when enough events have come. It reads an answer that is not a stream to its
 * end.
 */
export async function readStreamFully(
  open: OpenExchange,
  dialect: Dialect,
  operation: 'stream' | 'subscribe',
  hearing: ReadingLimits,
  clock: Clock,
): Promise<Exchange> {
  if (open.head === undefined) return open.ended;
  if (!isStream(open.head.headers)) {
    for await (const _ of open.chunks);
    return open.ended;
  }
  const { lend = <T>(waiting: Promise<T>) => waiting } = hearing;
  return lend(listen(liveStream(open, dialect, operation), hearing, clock));
}

async function listen(
  stream: LiveStream,
  { events = Number.POSITIVE_INFINITY, listenMs, graceMs }: ReadingLimits,
  clock: Clock,
): Promise<Exchange> {
  let isGrace = false;
  for (let count = 0; count < events; count++) {
    // A task that waited may go on: then the full time applies again.
    const stop = clock.after(isGrace ? graceMs : listenMs, stream.close);
    const item = await stream.next();
    stop();
    if (item === undefined) return stream.ended;
    isGrace = isLast(item);
  }
  stream.close();
  return stream.ended;
}
