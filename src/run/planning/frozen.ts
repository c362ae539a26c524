import type { FrozenSet } from '../../ledger/index.js';
import { TckError } from '../../model/index.js';
import type { CheckResult, Finding, SetReport } from '../../report/index.js';
import type { RunOptions } from '../run-options.js';

// What a frozen set changes: checks that a later kit added, or made stricter, run and stand in the report, and count
// for no gate.

type Given = { readonly set?: FrozenSet | undefined } & Pick<RunOptions, 'kit' | 'packs'>;

/** A later kit than that of the set judges. */
const isLater = ({ set, kit }: Given): boolean => set !== undefined && set.version !== kit.version;

/** Throws `TckError('usage')` for a set that has nothing of a profile: no check would count. */
export function refuseUnknownProfile({ set }: Pick<Given, 'set'>, profile: string): void {
  if (set === undefined || set.knows(profile)) return;
  throw new TckError('usage', `the set ${set.id} has no checks of ${profile}`, 'a2a-tck list sets shows later ones');
}

/**
 * Marks the checks that the set does not have; those of packs, which no set has, count as without one. `profile`: that
 * of the first interface.
 */
export const inSet = (
  checks: readonly CheckResult[],
  { set, packs = [] }: Pick<Given, 'set' | 'packs'>,
  profile: string,
): readonly CheckResult[] =>
  set === undefined
    ? checks
    : checks.map((check) => {
        const [id = ''] = check.id.split('@');
        const { interface: label = profile } = check;
        const spoken = set.knows(label) ? label : label.replace(/\.\d+$/, '');
        const isOfPack = packs.some(({ name }) => name === check.suite);
        return isOfPack || set.has(spoken, id, check.level) ? check : { ...check, afterSet: true };
      });

/** Marks what a later kit found on inputs for which the user did not ask: its inputs are others. */
export const foundInSet = (
  findings: readonly Finding[],
  options: Given & Pick<RunOptions, 'fuzz'>,
): readonly Finding[] =>
  isLater(options) && options.fuzz?.unasked === true
    ? findings.map((finding) => ({ ...finding, afterSet: true }))
    : findings;

/**
 * With a later kit, an entry of the baseline whose check passes fails no gate, and is named beside the set: the kit may
 * have judged wrongly before.
 */
export function withoutOldStale(
  checks: readonly CheckResult[],
  options: Given,
): { readonly checks: readonly CheckResult[]; readonly set: SetReport | undefined } {
  const { set } = options;
  if (set === undefined) return { checks, set };
  const stale = isLater(options) ? checks.filter(({ baseline }) => baseline === 'stale').map(({ id }) => id) : [];
  if (stale.length === 0) return { checks, set: { id: set.id } };
  return {
    checks: checks.map((check) => {
      if (check.baseline !== 'stale') return check;
      const { baseline: _, ...rest } = check;
      return { ...rest, reason: '' };
    }),
    set: { id: set.id, stale },
  };
}
