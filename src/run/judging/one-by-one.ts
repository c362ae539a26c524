import type { Exchange } from '../../wire/index.js';

// An agent with one worker answers a call when all calls before it have been answered, to the ends of their streams.

/** A later request that is sent within this time may arrive first, ms. */
const apartMs = 200;
/** Answers come in the order of the work to within this time, ms. */
const exactMs = 200;
/** A shorter wait may be work, or chance, ms. */
const shortMs = 300;
/** A wait that shows how the agent answers: this long, ms, and this many times the quickest answer of its operation. */
const long = { ms: 1000, times: 3 };
/** Long waits, and calls that were sent behind another one, before they show anything. */
const least = { waited: 2, behind: 5 };

/** A call that waited, and the one that was under way when it was sent. */
export interface Queued {
  readonly exchange: Exchange;
  readonly behind: Exchange;
}

const endOf = ({ startedAt, durationMs }: Exchange): number => startedAt + durationMs;
const isTimeout = ({ failure }: Exchange): boolean => failure?.kind === 'timeout';
const operationOf = ({ call }: Exchange): string => call?.operation ?? '';
const later = (exchange: Exchange | undefined, other: Exchange): Exchange =>
  exchange === undefined || endOf(other) > endOf(exchange) ? other : exchange;

/**
 * The calls that waited behind others, by id, of an agent that answered no call before an earlier one; undefined: it
 * answers several at the same time, or no call waited.
 */
export function answeredOneByOne(exchanges: readonly Exchange[]): ReadonlyMap<string, Queued> | undefined {
  const calls = exchanges
    .filter(({ call, toWebhook }) => call !== undefined && toWebhook !== true)
    .sort((exchange, other) => exchange.startedAt - other.startedAt);
  const quickest = new Map<string, number>();
  for (const exchange of calls) {
    if (exchange.failure !== undefined) continue;
    const operation = operationOf(exchange);
    quickest.set(operation, Math.min(quickest.get(operation) ?? exchange.durationMs, exchange.durationMs));
  }
  const waited = new Map<string, Queued>();
  /** Of the calls before this one, and of those that were sent clearly earlier, the one that ended last. */
  let behind: Exchange | undefined;
  let before: Exchange | undefined;
  let next = 0;
  let overlapping = 0;
  let waitedLong = 0;
  for (const exchange of calls) {
    for (let earlier = calls[next]; earlier !== undefined && earlier.startedAt + apartMs <= exchange.startedAt; ) {
      before = later(before, earlier);
      earlier = calls[++next];
    }
    if (behind !== undefined && endOf(behind) > exchange.startedAt) {
      overlapping++;
      const isAnswered = exchange.failure === undefined && exchange.response !== undefined;
      if (isAnswered && before !== undefined && endOf(exchange) + exactMs < endOf(before)) return undefined;
      if (isTimeout(exchange) || exchange.durationMs >= shortMs) waited.set(exchange.id, { exchange, behind });
      const usual = Math.max(long.ms, long.times * (quickest.get(operationOf(exchange)) ?? 0));
      if (isTimeout(exchange) || exchange.durationMs >= usual) waitedLong++;
    }
    behind = later(behind, exchange);
  }
  return waitedLong >= least.waited && overlapping >= least.behind ? waited : undefined;
}
