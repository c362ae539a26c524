import { type Level, TckError, type Verdict } from '../model/index.js';
import { type Slower, slowerRows } from './latency.js';
import type { CheckResult, Gate, Report } from './result.js';

/** `unshown`: it was shown to hold, and now neither way. `other`: it changed, but was not shown to be worse or better. */
export type Trend = 'worse' | 'unshown' | 'better' | 'other';

/** A check before and after; undefined where it was not run. */
export interface Change {
  readonly id: string;
  readonly level: Level;
  readonly before: Verdict | undefined;
  readonly after: Verdict | undefined;
  readonly trend: Trend;
  /** The reason for the new verdict; empty for a pass. */
  readonly reason: string;
}

export interface Difference {
  readonly before: Side;
  readonly after: Side;
  readonly gate: Trend | undefined;
  /** Run both times, with different results. */
  readonly changed: readonly Change[];
  /** Run only now: new, or newly claimed. */
  readonly appeared: readonly Change[];
  /** Run only before. */
  readonly vanished: readonly Change[];
  /** It decides nothing: a slower machine is not a worse agent. */
  readonly slower: readonly Slower[];
  readonly isWorse: boolean;
}

/** Which run it was. */
export interface Side {
  readonly url: string;
  readonly profile: string;
  readonly kit: string;
  readonly startedAt: string;
  readonly gate: Gate;
}

/** A check that is not applicable counts as not run. */
const isRun = (result: CheckResult | undefined): result is CheckResult =>
  result !== undefined && result.verdict !== 'not-applicable';

/** A failure that counts: one that the baseline knows, or whose check is newer than the frozen set, makes nothing worse. */
const isOpen = (result: CheckResult | undefined): boolean =>
  result?.verdict === 'fail' && result.baseline !== 'known' && result.afterSet !== true;

function trendOf(before: CheckResult | undefined, after: CheckResult | undefined): Trend {
  if (after?.verdict === 'error' && before?.verdict !== 'error') return 'worse';
  if (isOpen(after) && !isOpen(before)) return 'worse';
  if (before?.verdict === 'pass' && after?.verdict === 'inconclusive' && after.baseline === undefined) return 'unshown';
  if (before?.verdict === 'pass' && after?.verdict !== 'pass') return after?.baseline === 'known' ? 'other' : 'worse';
  return after?.verdict === 'pass' ? 'better' : 'other';
}

const sideOf = ({ target, kit, run, gate }: Report): Side => ({
  url: target.url,
  profile: target.profile,
  kit: `${kit.name} ${kit.version}`,
  startedAt: run.startedAt,
  gate,
});

const gateTrend = (before: Gate, after: Gate): Trend | undefined => {
  if (before.passed !== after.passed) return after.passed ? 'better' : 'worse';
  return before.exitCode === after.exitCode ? undefined : 'other';
};

/**
 * What changed from one run to the next. A check that passed and does not any more is worse, unless it is a known failure,
 * or is only not shown now: an agent that answers at random shows other things each time. Too little of that fails the
 * gate. Throws `TckError('usage')` for different parts of runs.
 */
export function difference(before: Report, after: Report): Difference {
  const part = ({ run: { shard } }: Report): string => (shard === undefined ? '' : `${shard.index}/${shard.of}`);
  if (part(before) !== part(after)) {
    throw new TckError('usage', 'these are different parts of runs', 'a2a-tck merge makes one report of all parts');
  }
  const olds = new Map(before.checks.map((check) => [check.id, check]));
  const news = new Map(after.checks.map((check) => [check.id, check]));
  const changes = [...new Set([...news.keys(), ...olds.keys()])].flatMap((id): readonly Change[] => {
    const [old, now] = [olds.get(id), news.get(id)].map((checkResult) =>
      isRun(checkResult) ? checkResult : undefined,
    );
    const known = now ?? old;
    if (known === undefined || (old?.verdict === now?.verdict && isOpen(old) === isOpen(now))) return [];
    return [
      {
        id,
        level: known.level,
        before: old?.verdict,
        after: now?.verdict,
        trend: trendOf(old, now),
        reason: (news.get(id) ?? { reason: 'the run does not have it' }).reason,
      },
    ];
  });
  const gate = gateTrend(before.gate, after.gate);
  return {
    before: sideOf(before),
    after: sideOf(after),
    gate,
    changed: changes.filter((change) => change.before !== undefined && change.after !== undefined),
    appeared: changes.filter((change) => change.before === undefined),
    vanished: changes.filter((change) => change.after === undefined),
    slower: slowerRows(before.latency, after.latency),
    isWorse: gate === 'worse' || changes.some((change) => change.trend === 'worse'),
  };
}
