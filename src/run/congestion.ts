import type { Ease } from '../model/index.js';
import { type Exchange, mediaType, type Wire } from '../wire/index.js';
import { isLost } from './guard.js';

// How many requests an agent takes at once nobody knows before: congestion control finds out, as networks do.

/** Shorter than this is quick, whatever was quicker before, ms. */
const quickMs = 150;
/** So much longer than the quickest of its kind is slow. */
const slower = 3;
/** From here on it is the waiting that takes the time of a run, ms. */
const slowMs = 500;
/** No longer than this times the quickest of its kind: what else was asked meanwhile did not hold it up. */
const asQuick = 1.25;
/** Of the time that an answer may take. */
const hardShare = 1 / 3;

/**
 * The agent had too much to do, as far as the answer shows it: it came too late, or not, or said so. What the kit answers
 * at its webhook is no word of the agent.
 */
export const isHard = (exchange: Exchange): boolean =>
  exchange.toWebhook !== true &&
  (exchange.failure?.kind === 'timeout' || isLost(exchange) || [429, 503].includes(exchange.response?.status ?? 0));

/** Says of each answer how it came, by the quickest of its kind. */
export function createEase(timeoutMs: number): (exchange: Exchange) => Ease {
  const quickest = new Map<string, number>();
  return (exchange) => {
    const { call, durationMs, failure, response } = exchange;
    if (isHard(exchange)) return 'hard';
    if (failure !== undefined || response === undefined) return 'neutral';
    // A stream lasts for as long as the work.
    if (mediaType(response.headers) === 'text/event-stream') return 'neutral';
    const kind = call?.operation ?? '';
    const best = Math.min(quickest.get(kind) ?? durationMs, durationMs);
    quickest.set(kind, best);
    if (best > slowMs && durationMs <= asQuick * best) return 'roomy';
    if (durationMs <= Math.max(quickMs, slower * best)) return 'easy';
    // Work takes as long as it takes: only what is far from the quickest is a line to stand in.
    return durationMs > hardShare * timeoutMs && call?.operation !== 'send' ? 'hard' : 'neutral';
  };
}

/** A wire that tells of each answer that comes over it. */
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
