import type { Dialect } from '../dialect/index.js';
import type { StreamEvent } from '../model/index.js';
import { type Exchange, type OpenExchange, readEvents } from '../wire/index.js';
import type { Outcome } from './outcome.js';

/** One server-sent event: its data as JSON, and the update that it carries if it can be read. */
export interface StreamItem {
  /** The JSON value in the data; undefined when the data is no JSON. */
  readonly value: unknown;
  /** The result in it, as it came. */
  readonly wire: unknown;
  /** The event carries an error. */
  readonly isError: boolean;
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
  /** Reads on until the end, or until `enough` returns true for all items so far. */
  collect(enough?: (seen: readonly StreamItem[]) => boolean): Promise<readonly StreamItem[]>;
  /** Drops the connection; what was read stays. */
  close(): void;
  /**
   * The exchange, once the stream has ended or was closed: as on the tape, or with the failure `too-large` if the
   * stream had more than is read.
   */
  readonly ended: Promise<Exchange>;
}

/** A stream, or what came in its place: a refusal, a plain JSON result, nothing. */
export type Opened = LiveStream | Outcome<StreamEvent>;

function itemOf(
  data: string,
  atMs: number,
  { binding, errors }: Dialect,
  decode: (wire: unknown) => StreamEvent | undefined,
): StreamItem {
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    return { value: undefined, wire: undefined, isError: false, event: undefined, atMs };
  }
  const said = binding.said(value, errors, { status: 200, isEvent: true });
  const wire = said?.type === 'result' ? said.wire : undefined;
  const event = said?.type === 'result' ? decode(wire) : undefined;
  return { value, wire, isError: said?.type === 'error', event, atMs };
}

/** Most events of a stream: no work needs more. A longer stream is dropped, so that it does not fill the memory. */
const mostItems = 10_000;
const tooMuch = { kind: 'too-large', detail: 'the stream has more events, or longer ones, than are read' } as const;

/** Reads the body of an open exchange as events. */
export function liveStream(open: OpenExchange, dialect: Dialect, operation: 'stream' | 'subscribe'): LiveStream {
  const codec = dialect.operations[operation]?.result;
  const decode = (wire: unknown) => codec?.decode(wire);
  const events = readEvents(open.chunks);
  const seen: StreamItem[] = [];
  let isTooMuch = false;
  async function next(): Promise<StreamItem | undefined> {
    const { value, done } = await events.next();
    if (done === true) {
      if (value === 'too-large') isTooMuch = true;
      return undefined;
    }
    if (seen.length >= mostItems) {
      isTooMuch = true;
      open.close();
      return undefined;
    }
    const item = itemOf(value.data, value.atMs, dialect, decode);
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
    get ended() {
      return open.ended.then((exchange) => (isTooMuch ? { ...exchange, failure: tooMuch } : exchange));
    },
  };
}

/** The first item is an error: the refusal came inside the stream (AMB03-19, AMB10-27). */
export const isErrorItem = (item: StreamItem | undefined): boolean => item?.isError === true;
