import type { Target } from '../../kit/index.js';
import { type Cost, loadCosts } from '../../ledger/index.js';
import type { Estimate } from '../../report/index.js';
import type { Exchange } from '../../wire/index.js';
import type { RunOptions } from '../run-options.js';
import { notApplicable } from './claims.js';
import type { Planned } from './plan.js';

/** Checks wait for each other and for what they find together: of the width of a run so much is in use. */
const usuallyUsed = 0.7;
/** What one check sends, with all that it finds first, waits in turn for this part of it. */
const usuallyInTurn = 0.6;
/** From here on answers are slow, and more requests go on at once, ms. */
const slowMs = 100;
/** What the kit itself needs for a request, ms. */
const leastMs = 5;
/** What a check costs that was never measured. */
const unknown = { own: [1, 1], uses: [] } as const;

/**
 * What a run will cost, before it begins: by what its checks cost on the reference agent, and the pace of the answers so
 * far. An agent that behaves otherwise costs more or less.
 */
export function estimateOf(
  planned: readonly Planned[],
  target: Target,
  seen: readonly Exchange[],
  options: Pick<RunOptions, 'rate' | 'requestBudget' | 'taskBudget' | 'readOnly' | 'concurrency' | 'slowConcurrency'>,
): Estimate {
  const { rate, requestBudget, taskBudget, readOnly, concurrency, slowConcurrency = concurrency } = options;
  const { sources, checks } = loadCosts();
  const costs = planned
    .filter(({ rule, rows }) => rule.kind === 'check' && notApplicable(rows, target) === undefined)
    .map(({ rule }) => checks[rule.id] ?? unknown);
  const costOf = (name: string): Cost => sources[name] ?? [0, 0];
  const shared = [...new Set(costs.flatMap(({ uses }) => uses))].map(costOf);
  const [sent, requests] = total([...shared, ...costs.map(({ own }) => own)]);
  const messages = readOnly ? 0 : sent;
  const left = (wanted: number, budget: number | undefined): number => Math.max(0, wanted - (budget ?? wanted));
  const pace = [paceOf(seen, true), paceOf(seen, false)] as const;
  const timeOf = ([ofMessages, others]: Cost): number => ofMessages * pace[0] + others * pace[1];
  const width = Math.max(...pace) < slowMs ? concurrency : slowConcurrency;
  const side = timeOf([messages, requests]) / Math.max(1, width * usuallyUsed);
  const turns = costs.map(({ own, uses }) => timeOf(total([own, ...uses.map(costOf)])) * usuallyInTurn);
  const all = messages + requests;
  // The first of a window go at once.
  const held = rate === undefined ? 0 : Math.max(0, all / rate.requests - 1) * rate.windowMs;
  return {
    messages,
    requests,
    ms: Math.round(Math.max(side, held, ...turns)),
    ...(held > Math.max(side, ...turns) ? { isByRate: true } : {}),
    messagesLeft: left(messages, taskBudget),
    requestsLeft: left(all, requestBudget),
  };
}

const total = (costs: readonly Cost[]): Cost =>
  costs.reduce<Cost>((all, cost) => [all[0] + cost[0], all[1] + cost[1]], [0, 0]);

/** Whether the answers so far are slow enough to have more requests go on at once. */
export const isSlow = (seen: readonly Exchange[]): boolean => paceOf(seen, false) >= slowMs;

/** How long an answer took in the middle, ms: of messages, or of all else; where there was none, of what there was. */
function paceOf(seen: readonly Exchange[], ofMessages: boolean): number {
  const answered = seen.filter(({ response }) => response !== undefined);
  const isOfKind = ({ call }: Exchange) => (call?.operation === 'send' || call?.operation === 'stream') === ofMessages;
  const kind = answered.filter(isOfKind);
  const times = (kind.length > 0 ? kind : answered).map(({ durationMs }) => durationMs).sort((a, b) => a - b);
  return Math.max(times[Math.floor((times.length - 1) / 2)] ?? 0, leastMs);
}
