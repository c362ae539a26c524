import { failureOf, framesIn, grpcAnswer, grpcCodec, isGrpc, isWhole, methodAt } from '../binding/index.js';
import type { Dialect } from '../dialect/index.js';
import type { StreamEvent, TaskState } from '../model/index.js';
import { type Exchange, type OpenExchange, readEvents } from '../wire/index.js';
import type { Outcome } from './outcome.js';
import { mostEvents } from './reply.js';

/** One server-sent event, or one message of gRPC: its data as JSON, and the update that it carries if it can be read. */
export interface StreamItem {
  /** The JSON value in the data; undefined when the data is not JSON. */
  readonly value: unknown;
  /** The result in it, as it came. */
  readonly wire: unknown;
  /** The event carries an error. */
  readonly isError: boolean;
  readonly event: StreamEvent | undefined;
  /** Milliseconds after the request was sent. */
  readonly atMs: number;
}

/** The state that an update shows. */
export function stateIn(event: StreamEvent | undefined): TaskState | undefined {
  if (event?.type === 'task') return event.task.status.state;
  return event?.type === 'status' ? event.status.state : undefined;
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

type Decode = (wire: unknown) => StreamEvent | undefined;
/** The items of a stream as they complete; ends early with `too-large` at a limit of the kit. */
type Items = AsyncGenerator<StreamItem, 'too-large' | undefined, undefined>;

/** `value`: undefined if it is not JSON. */
function itemOf(value: unknown, atMs: number, { binding, errors }: Dialect, decode: Decode): StreamItem {
  if (value === undefined) return { value, wire: undefined, isError: false, event: undefined, atMs };
  const said = binding.said(value, errors, { status: 200, isEvent: true });
  const wire = said?.type === 'result' ? said.wire : undefined;
  const event = said?.type === 'result' ? decode(wire) : undefined;
  return { value, wire, isError: said?.type === 'error', event, atMs };
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}

async function* itemsOfEvents(open: OpenExchange, dialect: Dialect, decode: Decode): Items {
  const events = readEvents(open.chunks);
  for (;;) {
    const { value, done } = await events.next();
    if (done === true) return value;
    yield itemOf(parsed(value.data), value.atMs, dialect, decode);
  }
}

/** Longest message of a stream of gRPC, bytes; longer ones are a limit of the kit. */
const longestMessage = 4 * 1024 * 1024;

/** Most fields of all messages of a stream of gRPC: an object may have two bytes. */
const mostFields = 50_000;

/** The messages of a stream of gRPC, and at its end the status, if the call failed. */
async function* itemsOfFrames(open: OpenExchange, dialect: Dialect, path: string, decode: Decode): Items {
  const at = methodAt(path);
  if (at === undefined) return undefined;
  const codec = grpcCodec(at.table);
  let left: Uint8Array = new Uint8Array(0);
  let last = 0;
  let fields = 0;
  for await (const { atMs, bytes } of open.chunks) {
    last = atMs;
    const body = left.length === 0 ? bytes : Buffer.concat([left, bytes]);
    const { frames } = framesIn(body);
    let used = 0;
    for (const frame of frames) {
      if (frame.length > longestMessage) return 'too-large';
      if (!isWhole(frame)) break;
      used += 5 + frame.data.length;
      fields += codec.fields(at.method[1], frame.data, mostFields + 1 - fields);
      if (fields > mostFields) return 'too-large';
      const read = frame.flag === 0 ? codec.decode(at.method[1], frame.data) : { fault: 'it is compressed' };
      yield itemOf('fault' in read ? undefined : read.json, atMs, dialect, decode);
    }
    left = body.subarray(used);
  }
  const { response, failure } = await open.ended;
  if (response === undefined || failure !== undefined) return undefined;
  const { status, headers, trailers } = response;
  const end = grpcAnswer(path, { status, headers, trailers, body: new Uint8Array(0) })?.end;
  if (end?.code !== undefined && end.code !== 0) yield itemOf(failureOf(end), last, dialect, decode);
  return undefined;
}

const tooMuch = { kind: 'too-large', detail: 'the stream has more events, or longer ones, than are read' } as const;

/** Reads the body of an open exchange as events. */
export function liveStream(open: OpenExchange, dialect: Dialect, operation: 'stream' | 'subscribe'): LiveStream {
  const codec = dialect.operations[operation]?.result;
  const decode = (wire: unknown) => codec?.decode(wire);
  const isOfGrpc = open.head !== undefined && isGrpc(open.head.headers);
  const items = isOfGrpc
    ? itemsOfFrames(open, dialect, dialect.operations[operation]?.grpc ?? '', decode)
    : itemsOfEvents(open, dialect, decode);
  const seen: StreamItem[] = [];
  let isTooMuch = false;
  async function next(): Promise<StreamItem | undefined> {
    const { value, done } = await items.next();
    if (done === true) {
      if (value === 'too-large') isTooMuch = true;
      return undefined;
    }
    if (seen.length >= mostEvents) {
      isTooMuch = true;
      open.close();
      return undefined;
    }
    seen.push(value);
    return value;
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
