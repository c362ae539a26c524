import type { Cause, CheckResult, Report } from '../src/report/index.js';

const failed = (checks: readonly CheckResult[], level: CheckResult['level']): readonly CheckResult[] =>
  checks.filter((check) => check.level === level && check.verdict === 'fail' && check.baseline === undefined);

/** Its baseline entry fails the gate: the check passes now, or the last day is over. */
export const isOverdue = ({ baseline }: CheckResult): boolean => baseline === 'stale' || baseline === 'expired';

export const overdue = (checks: readonly CheckResult[]): readonly CheckResult[] => checks.filter(isOverdue);

export const known = (checks: readonly CheckResult[]): readonly CheckResult[] =>
  checks.filter(({ baseline }) => baseline === 'known');

export const kitErrors = (checks: readonly CheckResult[]): readonly CheckResult[] =>
  checks.filter(({ verdict }) => verdict === 'error');

/**
 * Checks that need a look, each once, worst first: failed MUST, failed SHOULD, overdue baseline entries, errors of the
 * kit.
 */
export const troubles = (checks: readonly CheckResult[]): readonly CheckResult[] => [
  ...new Set([...failed(checks, 'must'), ...failed(checks, 'should'), ...overdue(checks), ...kitErrors(checks)]),
];

/** A failed check, and others that failed for the same reason. */
export interface Problem {
  readonly check: CheckResult;
  readonly alike: readonly CheckResult[];
}

/** Checks of one level with the same reason are one problem; its first check stands for it. */
export function problemsOf(checks: readonly CheckResult[]): readonly Problem[] {
  const byReason = new Map<string, CheckResult[]>();
  for (const check of checks) {
    const { level, verdict, baseline, reason } = check;
    const key = JSON.stringify(verdict === 'fail' && baseline === undefined ? [level, reason] : [check.id]);
    const group = byReason.get(key);
    if (group === undefined) byReason.set(key, [check]);
    else group.push(check);
  }
  return [...byReason.values()].flatMap(([check, ...alike]) => (check === undefined ? [] : [{ check, alike }]));
}

const rank = { must: 0, should: 1, may: 2 } as const;

/**
 * The same problems, those first that a reader should see first: by level, and within a level one of each suite, in the
 * order of the suites, before the second one of any. Problems of one suite often have one cause.
 */
export function foremost(problems: readonly Problem[]): readonly Problem[] {
  const seen = new Map<string, number>();
  const turns = problems.map(({ check }) => {
    const key = `${check.level} ${check.suite}`;
    const turn = seen.get(key) ?? 0;
    seen.set(key, turn + 1);
    return turn;
  });
  return problems
    .map((problem, at) => ({ problem, turn: turns[at] ?? 0 }))
    .sort((a, b) => rank[a.problem.check.level] - rank[b.problem.check.level] || a.turn - b.turn)
    .map(({ problem }) => problem);
}

/** MAY sentences that do not hold: they are only told. */
export const notOffered = (checks: readonly CheckResult[]): readonly CheckResult[] =>
  checks.filter(({ verdict }) => verdict === 'not-offered');

/** The causes of a report, the one that kept most checks from being judged first. */
export const causesOf = ({ causes = [] }: Report): readonly Cause[] =>
  [...causes].sort((a, b) => b.checks.length - a.checks.length);

/** The checks that no cause explains. */
export const withoutCause = ({ checks, causes = [] }: Report): readonly CheckResult[] =>
  checks.filter(({ cause }) => !causes.some(({ id }) => id === cause));

/**
 * Inconclusive checks by reason, the commonest first; each reason says what would be needed. Those with an overdue
 * baseline entry are among the troubles.
 */
export function openByReason(checks: readonly CheckResult[]): readonly (readonly [string, readonly CheckResult[]])[] {
  const byReason = new Map<string, CheckResult[]>();
  for (const check of checks) {
    if (check.verdict !== 'inconclusive' || isOverdue(check)) continue;
    const group = byReason.get(check.reason);
    if (group === undefined) byReason.set(check.reason, [check]);
    else group.push(check);
  }
  return [...byReason].sort(([, a], [, b]) => b.length - a.length);
}
