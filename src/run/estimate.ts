import { loadCosts } from '../ledger/index.js';
import type { Estimate } from '../report/index.js';
import type { Exchange } from '../wire/index.js';
import type { Rate } from './pace.js';
import type { Planned } from './plan.js';
import type { RunOptions } from './run-options.js';

/** A check begins, waits for its turn and ends: so many requests go on at once, whatever is allowed. */
const usuallyAtOnce = 2;
/** Of what is found together, a run of few checks needs at least this share. */
const leastShare = 0.05;

/**
 * What a run will cost, before it begins: by what its checks cost on the reference agent, and the pace of the answers so
 * far. An agent that behaves otherwise costs more or less.
 */
export function estimateOf(
  planned: readonly Planned[],
  all: number,
  seen: readonly Exchange[],
  { rate, requestBudget, taskBudget, readOnly }: Pick<RunOptions, 'rate' | 'requestBudget' | 'taskBudget' | 'readOnly'>,
): Estimate {
  const { shared, checks } = loadCosts();
  const live = planned.filter(({ rule }) => rule.kind === 'check');
  const share = live.length === 0 ? 0 : Math.min(1, Math.max(leastShare, live.length / Math.max(1, all)));
  const own = live.map(({ rule }) => checks[rule.id] ?? ([0, 0] as const));
  const sum = (at: 0 | 1): number => Math.ceil(shared[at] * share) + own.reduce((total, cost) => total + cost[at], 0);
  const messages = readOnly ? 0 : sum(0);
  const requests = sum(1);
  const left = (wanted: number, budget: number | undefined): number => Math.max(0, wanted - (budget ?? wanted));
  return {
    messages,
    requests,
    ms: timeFor(messages + requests, seen, rate),
    messagesLeft: left(messages, taskBudget),
    requestsLeft: left(messages + requests, requestBudget),
  };
}

function timeFor(count: number, seen: readonly Exchange[], rate: Rate | undefined): number {
  const times = seen.filter(({ response }) => response !== undefined).map(({ durationMs }) => durationMs);
  const middle = [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
  const plain = (count * Math.max(middle, 5)) / usuallyAtOnce;
  return Math.round(Math.max(plain, rate === undefined ? 0 : (count / rate.requests) * rate.windowMs));
}
