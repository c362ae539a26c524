import type { Dialect } from '../dialect/index.js';
import { isObject, type StreamEvent } from '../model/index.js';
import { type Exchange, type OpenExchange, readEvents } from '../wire/index.js';
import type { Outcome } from './outcome.js';

/** One server-sent event: its data as JSON, and the update that it carries if it can be read. */
export interface StreamItem {
  /** The JSON-RPC response in the data; undefined when the data is no JSON. */
  readonly envelope: unknown;
  readonly event: StreamEvent | undefined;
  /** Milliseconds after the request was sent. */
  readonly atMs: number;
}

/** A stream under way. Reading it never throws; it ends when the server ends it, at a limit, or when closed. */
export interface LiveStream {
  readonly kind: 'stream';
  /** Items read so far. */
  readonly seen: readonly StreamItem[];
  /** The next item; undefined at the end. */
  next(): Promise<StreamItem | undefined>;
  /** Reads on until the end, or until `enough` says so of all that was seen. */
  collect(enough?: (seen: readonly StreamItem[]) => boolean): Promise<readonly StreamItem[]>;
  /** Drops the connection; what was read stays. */
  close(): void;
  /** The exchange as it is on the tape, once the stream has ended or was closed. */
  readonly ended: Promise<Exchange>;
}

/** A stream, or what came in its place: a refusal, a plain JSON result, nothing. */
export type Opened = LiveStream | Outcome<StreamEvent>;

function itemOf(data: string, atMs: number, decode: (wire: unknown) => StreamEvent | undefined): StreamItem {
  try {
    const envelope: unknown = JSON.parse(data);
    const event = isObject(envelope) && Object.hasOwn(envelope, 'result') ? decode(envelope['result']) : undefined;
    return { envelope, event, atMs };
  } catch {
    return { envelope: undefined, event: undefined, atMs };
  }
}

/** No work is told in more events than this; a stream that has them is dropped, so that it does not fill the memory. */
const mostItems = 10_000;

/** Reads the body of an open exchange as events. */
export function liveStream(open: OpenExchange, dialect: Dialect, operation: 'stream' | 'subscribe'): LiveStream {
  const codec = dialect.operations[operation]?.result;
  const decode = (wire: unknown) => codec?.decode(wire);
  const events = readEvents(open.chunks);
  const seen: StreamItem[] = [];
  async function next(): Promise<StreamItem | undefined> {
    const { value, done } = await events.next();
    if (done === true || value === undefined) return undefined;
    if (seen.length >= mostItems) {
      open.close();
      return undefined;
    }
    const item = itemOf(value.data, value.atMs, decode);
    seen.push(item);
    return item;
  }
  return {
    kind: 'stream',
    seen,
    next,
    async collect(enough = () => false) {
      while (!enough(seen)) if ((await next()) === undefined) break;
      return seen;
    },
    close: () => open.close(),
    ended: open.ended,
  };
}

/** The first item is an error: the refusal came inside the stream (AMB03-19, AMB10-27). */
export const isErrorItem = (item: StreamItem | undefined): boolean =>
  isObject(item?.envelope) && isObject(item.envelope['error']);
