import type { Cause, CheckResult, Report } from '../src/report/index.js';

/** A failure that the baseline does not list, of a check that counts. */
export const isNewFailure = ({ verdict, baseline, afterSet }: CheckResult): boolean =>
  verdict === 'fail' && baseline === undefined && afterSet !== true;

const failed = (checks: readonly CheckResult[], level: CheckResult['level']): readonly CheckResult[] =>
  checks.filter((check) => check.level === level && isNewFailure(check));

/** Its baseline entry fails the gate: the check passes now, or the last day is over. */
export const isOverdue = ({ baseline, afterSet }: CheckResult): boolean =>
  afterSet !== true && (baseline === 'stale' || baseline === 'expired');

export const overdue = (checks: readonly CheckResult[]): readonly CheckResult[] => checks.filter(isOverdue);

export const known = (checks: readonly CheckResult[]): readonly CheckResult[] =>
  checks.filter(({ baseline, afterSet }) => baseline === 'known' && afterSet !== true);

/** Checks that failed and count for no gate: the frozen set of the run does not have them. */
export const failedAfterSet = (checks: readonly CheckResult[]): readonly CheckResult[] =>
  checks.filter(({ verdict, afterSet }) => verdict === 'fail' && afterSet === true);

export const kitErrors = (checks: readonly CheckResult[]): readonly CheckResult[] =>
  checks.filter(({ verdict, afterSet }) => verdict === 'error' && afterSet !== true);

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
  /** They were read from one and the same answer. */
  readonly isOfCause: boolean;
}

/** The place of a failure among those of its cause: the first says the most. */
const placeIn = (causes: readonly Cause[], { id, cause }: CheckResult): number =>
  causes.find((item) => item.id === cause)?.failures?.indexOf(id) ?? 0;

/** What has the same key, in the order of its first member; what has no key is alone. */
function together<T>(all: readonly T[], keyOf: (item: T) => string | undefined): readonly (readonly T[])[] {
  const groups = new Map<unknown, T[]>();
  for (const item of all) {
    const key = keyOf(item) ?? item;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return [...groups.values()];
}

const byCause = (check: CheckResult): string | undefined =>
  isNewFailure(check) && check.cause !== undefined ? `cause ${check.cause}` : undefined;
const byReason = (check: CheckResult): string | undefined =>
  isNewFailure(check) ? `${check.level} ${check.reason}` : undefined;

const rank = { must: 0, should: 1, may: 2 } as const;

/**
 * The problems that a grouping makes of checks that stand worst first: those of a cause before the others of their
 * level. What is not a plain failure comes last. The first check of a problem stands for it.
 */
function problemsBy(
  checks: readonly CheckResult[],
  causes: readonly Cause[],
  keyOf: (check: CheckResult) => string | undefined,
): readonly Problem[] {
  const place = ({ check, isOfCause }: Problem): number =>
    isNewFailure(check) ? 2 * rank[check.level] + (isOfCause ? 0 : 1) : 2 * Object.keys(rank).length;
  return together(checks, keyOf)
    .flatMap((group): readonly Problem[] => {
      const isOfCause = group.length > 1 && group[0]?.cause !== undefined;
      const [check, ...alike] = isOfCause
        ? [...group].sort((first, second) => placeIn(causes, first) - placeIn(causes, second))
        : group;
      return check === undefined ? [] : [{ check, alike, isOfCause }];
    })
    .sort((first, second) => place(first) - place(second));
}

/** Checks that share a cause are one problem; so are those of one level with the same reason. */
export const problemsOf = (checks: readonly CheckResult[], causes: readonly Cause[] = []): readonly Problem[] =>
  problemsBy(checks, causes, (check) => byCause(check) ?? byReason(check));

/** All checks that need a look; those that share a cause are one problem, and each other check is one. */
export const problemsOfCauses = ({ checks, causes = [] }: Report): readonly Problem[] =>
  problemsBy(troubles(checks), causes, byCause);

/**
 * The same problems, those first that a reader should see first: by level, and within a level one of each suite, in the
 * order of the suites, before the second one of any. Problems of one suite often have one cause. What is the cause of
 * several failures stands before the others of its level.
 */
export function foremost(problems: readonly Problem[]): readonly Problem[] {
  const seen = new Map<string, number>();
  const turns = problems.map(({ check, isOfCause }) => {
    if (isOfCause) return -1;
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

/** MAY sentences that do not hold: reports list them, and they fail nothing. */
export const notOffered = (checks: readonly CheckResult[]): readonly CheckResult[] =>
  checks.filter(({ verdict }) => verdict === 'not-offered');

const reachOf = ({ checks, failures = [] }: Cause): number => checks.length + failures.length;

/** The causes of a report, the one of most checks first. */
export const causesOf = ({ causes = [] }: Report): readonly Cause[] =>
  [...causes].sort((a, b) => reachOf(b) - reachOf(a));

/** The checks that no cause explains. */
export const withoutCause = ({ checks, causes = [] }: Report): readonly CheckResult[] =>
  checks.filter(({ cause }) => !causes.some(({ id }) => id === cause));

/**
 * Inconclusive checks by reason, the commonest first; each reason says what would be needed. Those with an overdue
 * baseline entry are among the troubles.
 */
export function openByReason(checks: readonly CheckResult[]): readonly (readonly [string, readonly CheckResult[]])[] {
  const open = checks.filter((check) => check.verdict === 'inconclusive' && !isOverdue(check));
  return together(open, ({ reason }) => reason)
    .flatMap((group) => (group[0] === undefined ? [] : [[group[0].reason, group] as const]))
    .sort(([, a], [, b]) => b.length - a.length);
}
