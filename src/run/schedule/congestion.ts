import { isStream } from '../../client/index.js';
import type { Ease } from '../../model/index.js';
import type { Exchange, Wire } from '../../wire/index.js';
import { isLost } from './guard.js';

// How many requests an agent takes at once is not known in advance: congestion control finds out, as in networks.

/** A shorter answer is always quick, ms. */
const quickMs = 150;
/** An answer is slow if it takes this many times as long as the quickest of its kind. */
const slower = 3;
/** If the quickest answer takes longer than this, the run spends its time on waiting, ms. */
const slowMs = 100;
/** Up to this many times the quickest of its kind, an answer was not delayed by other requests. */
const asQuick = 1.25;
/** Share of the timeout; a longer answer is hard. */
const hardShare = 1 / 3;

/**
 * Whether the answer shows an overloaded agent: a timeout, a lost connection, HTTP 429 or 503. Calls to the kit's
 * webhook do not count, because the kit answers them.
 */
export const isHard = (exchange: Exchange): boolean =>
  exchange.toWebhook !== true &&
  (exchange.failure?.kind === 'timeout' || isLost(exchange) || [429, 503].includes(exchange.response?.status ?? 0));

/** Rates each answer by the quickest one to the same operation. */
export function createEase(timeoutMs: number): (exchange: Exchange) => Ease {
  const quickest = new Map<string, number>();
  return (exchange) => {
    const { call, durationMs, failure, response } = exchange;
    if (isHard(exchange)) return 'hard';
    if (failure !== undefined || response === undefined) return 'neutral';
    // A stream takes as long as the work of the agent.
    if (isStream(response.headers) && (call?.operation === 'stream' || call?.operation === 'subscribe'))
      return 'neutral';
    const kind = call?.operation ?? '';
    const best = Math.min(quickest.get(kind) ?? durationMs, durationMs);
    quickest.set(kind, best);
    if (best > slowMs && durationMs <= asQuick * best) return 'roomy';
    if (durationMs <= Math.max(quickMs, slower * best)) return 'easy';
    // A slow send may be due to the work; other answers are hard only if they are far from the quickest.
    return durationMs > hardShare * timeoutMs && call?.operation !== 'send' ? 'hard' : 'neutral';
  };
}

/** A wire that passes each exchange to `note`. */
export const observed = <W extends Wire>(wire: W, note: (exchange: Exchange) => void): W => ({
  ...wire,
  async exchange(request, sending) {
    const exchange = await wire.exchange(request, sending);
    note(exchange);
    return exchange;
  },
  async open(request, sending) {
    const opened = await wire.open(request, sending);
    opened.ended.then(note, () => undefined);
    return opened;
  },
});
