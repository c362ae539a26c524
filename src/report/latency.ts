import type { Operation } from '../model/index.js';
import { type Exchange, header, mediaType } from '../wire/index.js';

/** Milliseconds, by nearest rank. */
export interface Times {
  readonly count: number;
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
}

export interface LatencyRow extends Times {
  readonly operation: Operation;
  readonly binding: 'jsonrpc' | 'http+json' | 'grpc';
  /** To the first event, of streams that brought one; left out: none did. */
  readonly first?: Times;
}

/** How long the agent takes to answer valid requests, from sending to the end of the answer. */
export interface Latency {
  /** By operation, then by binding. */
  readonly rows: readonly LatencyRow[];
  /** Requests that name an operation and do not count: not valid on purpose, or without a whole answer. */
  readonly left: number;
}

/** Of a beginning of comments this much is searched for the first event, characters. */
const searched = 16 * 1024;
/** Statuses of gRPC that say no more of an operation than 429 and 503 do: RESOURCE_EXHAUSTED, UNAVAILABLE. */
const busy: ReadonlySet<string | undefined> = new Set(['8', '14']);

type Response = NonNullable<Exchange['response']>;

const bindingOf = ({ request, call }: Exchange): LatencyRow['binding'] =>
  mediaType(request.headers)?.startsWith('application/grpc') === true
    ? 'grpc'
    : call?.rpcId === undefined
      ? 'http+json'
      : 'jsonrpc';

/** A refusal of work in general is quick, and no answer to the operation. */
const isBusy = ({ status, headers, trailers = [] }: Response): boolean =>
  status === 429 || status >= 500 || busy.has(header(trailers, 'grpc-status') ?? header(headers, 'grpc-status'));

/** When the chunk came in which the first event begins, ms; comments before it are none. */
function firstEventMs({ headers, chunks }: Response): number | undefined {
  const type = mediaType(headers);
  if (type?.startsWith('application/grpc') === true) return chunks.find(({ bytes }) => bytes.length > 0)?.atMs;
  if (type !== 'text/event-stream') return undefined;
  let text = '';
  for (const { atMs, bytes } of chunks) {
    text += Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, searched)).toString('latin1');
    if (/(?:^|[\r\n])data:/.test(text)) return atMs;
    if (text.length > searched) return undefined;
  }
  return undefined;
}

const tenths = (ms: number): number => Math.round(10 * ms) / 10;

function timesOf(list: readonly number[]): Times {
  const sorted = [...list].sort((a, b) => a - b);
  const at = (share: number): number => tenths(sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0);
  return { count: sorted.length, p50: at(0.5), p95: at(0.95), max: at(1) };
}

interface Measured {
  readonly operation: Operation;
  readonly binding: LatencyRow['binding'];
  readonly whole: number[];
  readonly first: number[];
}

/** Takes the times of exchanges as they end, before the tape cuts their bodies. */
export function createStopwatch(): { add(exchange: Exchange): void; read(): Latency } {
  const found = new Map<string, Measured>();
  let left = 0;
  return {
    add(exchange) {
      const { call, response, failure, toWebhook, durationMs } = exchange;
      if (call?.operation === undefined || toWebhook === true) return;
      const { operation, valid } = call;
      const isCounted = valid && response !== undefined && !isBusy(response);
      const isStream = operation === 'stream' || operation === 'subscribe';
      // A stream that the kit leaves has no end of the agent's, but it had a first event.
      const first = isCounted && isStream ? firstEventMs(response) : undefined;
      const isWhole = isCounted && failure === undefined;
      if (!isWhole && first === undefined) {
        left++;
        return;
      }
      const binding = bindingOf(exchange);
      const key = nameOf({ operation, binding });
      const row = found.get(key) ?? { operation, binding, whole: [], first: [] };
      found.set(key, row);
      if (isWhole) row.whole.push(durationMs);
      if (first !== undefined) row.first.push(first);
    },
    read: () => ({
      rows: [...found].sort().map(([, { operation, binding, whole, first }]) => ({
        operation,
        binding,
        ...timesOf(whole),
        ...(first.length === 0 ? {} : { first: timesOf(first) }),
      })),
      left,
    }),
  };
}

const nameOf = ({ operation, binding }: Pick<LatencyRow, 'operation' | 'binding'>): string => `${operation} ${binding}`;

const highest = (list: readonly Times[]): Times => ({
  count: list.reduce((sum, { count }) => sum + count, 0),
  p50: Math.max(...list.map(({ p50 }) => p50)),
  p95: Math.max(...list.map(({ p95 }) => p95)),
  max: Math.max(...list.map(({ max }) => max)),
});

/** Of parts of a run: the times of all parts are not kept, so each number is the highest of the parts. */
export function mergedLatency(parts: readonly Latency[]): Latency | undefined {
  if (parts.length === 0) return undefined;
  const rows = parts.flatMap((part) => part.rows);
  const names = new Set(rows.map(nameOf));
  return {
    rows: [...names].sort().flatMap((name) => {
      const all = rows.filter((row) => nameOf(row) === name);
      const [latencyRow] = all;
      if (latencyRow === undefined) return [];
      const firsts = all.flatMap(({ first }) => first ?? []);
      return [{ ...latencyRow, ...highest(all), ...(firsts.length === 0 ? {} : { first: highest(firsts) }) }];
    }),
    left: parts.reduce((sum, { left }) => sum + left, 0),
  };
}

/** An operation that takes longer than before. */
export interface Slower extends Pick<LatencyRow, 'operation' | 'binding'> {
  readonly of: 'answer' | 'first event';
  readonly before: Times;
  readonly after: Times;
}

/** Fewer answers than this say nothing of the next ones. */
const fewest = 5;
const isLonger = (before: number, after: number): boolean => after >= 1.5 * before && after - before >= 20;

/** What takes half as long again, and at least 20 ms longer, in the middle or at the 95th percentile. */
export function slowerRows(before: Latency | undefined, after: Latency | undefined): readonly Slower[] {
  const pairs = (after?.rows ?? []).flatMap((now): readonly Slower[] => {
    const { operation, binding } = now;
    const old = before?.rows.find((row) => nameOf(row) === nameOf(now));
    if (old === undefined) return [];
    const times = ({ count, p50, p95, max }: Times): Times => ({ count, p50, p95, max });
    const named = { operation, binding };
    return [
      { ...named, of: 'answer', before: times(old), after: times(now) },
      ...(old.first === undefined || now.first === undefined
        ? []
        : [{ ...named, of: 'first event' as const, before: old.first, after: now.first }]),
    ];
  });
  return pairs.filter(
    ({ before: old, after: now }) =>
      Math.min(old.count, now.count) >= fewest && (isLonger(old.p50, now.p50) || isLonger(old.p95, now.p95)),
  );
}
