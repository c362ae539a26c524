import { type AnyRule, type Rule, storyOf, suiteOf } from '../../kit/index.js';
import type { Ledger, Requirement } from '../../ledger/index.js';
import { type Level, levels, TckError } from '../../model/index.js';
import type { Selection } from '../../report/index.js';

/** A rule in one version: with the rows that it decides there, and their level. */
export interface Planned<Of extends AnyRule = Rule> {
  readonly rule: Of;
  readonly rows: readonly Requirement[];
  readonly level: Level;
  readonly title: string;
}

/** `*` stands for any run of characters but `/`, `**` for any at all. */
export function glob(pattern: string): RegExp {
  const source = pattern
    .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replace(/\*\*|\*/g, (star) => (star === '*' ? '[^/]*' : '.*'));
  return new RegExp(`^${source}$`);
}

/** What each rule decides, by ledger: a proof plans the same rules thousands of times. */
const known = new WeakMap<Ledger, WeakMap<AnyRule, Planned<AnyRule> | 'no rows'>>();

function plannedOf(rule: AnyRule, ledger: Ledger): Planned<AnyRule> | 'no rows' {
  const rows = rule.keys.flatMap((key) => ledger.rowsOf(key));
  const level = levels.find((level) => rows.some((row) => row.level === level));
  return level === undefined ? 'no rows' : { rule, rows, level, title: storyOf(rule, level) };
}

/** The rules that this version has, in the order of the suites. A rule without rows in this version is left out. */
export function planAll<Of extends AnyRule>(rules: readonly Of[], ledger: Ledger): readonly Planned<Of>[] {
  const ofLedger = known.get(ledger) ?? new WeakMap<AnyRule, Planned<AnyRule> | 'no rows'>();
  known.set(ledger, ofLedger);
  return rules.flatMap((rule) => {
    const planned = ofLedger.get(rule) ?? plannedOf(rule, ledger);
    ofLedger.set(rule, planned);
    return planned === 'no rows' ? [] : [planned as Planned<Of>];
  });
}

/** "rest/answers@a2a-1.0-rest" chooses a check of one interface. */
function parted(pattern: string): { readonly plain: string; readonly of: string | undefined } {
  const at = pattern.indexOf('@');
  return at < 0 ? { plain: pattern, of: undefined } : { plain: pattern.slice(0, at), of: pattern.slice(at + 1) };
}

/**
 * The part of a selection that is for one interface; undefined: none of it. `label`: that of the interface; left out:
 * the one that is judged in full.
 */
export function selectedFor(selection: Selection, label?: string): Selection | undefined {
  const { checks } = selection;
  const own = checks.flatMap((pattern) => {
    const { plain, of } = parted(pattern);
    return of === undefined || of === label ? [plain] : [];
  });
  return checks.length > 0 && own.length === 0 ? undefined : { ...selection, checks: own };
}

/** One part of a selection: the text of the user, and whether it means a rule. */
interface Wanted {
  /** "--suite card". */
  readonly text: string;
  /** The label of the interface that it is for; undefined: every one. */
  readonly of: string | undefined;
  fits(rule: AnyRule): boolean;
}

const wantedBy = ({ suites, checks }: Selection): readonly Wanted[] => {
  const by = (name: 'suite' | 'check', of: (rule: AnyRule) => string) => (pattern: string) => {
    const { plain, of: label } = parted(pattern);
    const test = glob(plain);
    return { text: `--${name} ${pattern}`, of: label, fits: (rule: AnyRule) => test.test(of(rule)) };
  };
  return [...suites.map(by('suite', suiteOf)), ...checks.map(by('check', ({ id }) => id))];
};

/**
 * The rules that a run will judge; empty if this version has none of those selected. Throws `TckError('usage')` when a
 * part of the selection matches no check of any version.
 */
export function plan<Of extends AnyRule>(
  rules: readonly Of[],
  ledger: Ledger,
  selection: Selection,
): readonly Planned<Of>[] {
  const isOneOf = (wanted: readonly Wanted[]) => {
    const unknown = wanted.find((item) => !rules.some(item.fits));
    if (unknown !== undefined) {
      const lists = unknown.text.startsWith('--suite') ? 'suites' : 'checks';
      throw new TckError('usage', `${unknown.text} matches nothing`, `a2a-tck list ${lists} shows what there is`);
    }
    return ({ rule }: Planned<AnyRule>) => wanted.length === 0 || wanted.some((item) => item.fits(rule));
  };
  const bySuite = isOneOf(wantedBy({ ...selection, checks: [] }));
  const byId = isOneOf(wantedBy({ ...selection, suites: [] }));
  const lowest = levels.indexOf(selection.level);
  return planAll(rules, ledger).filter(
    (plannedRule) => bySuite(plannedRule) && byId(plannedRule) && levels.indexOf(plannedRule.level) <= lowest,
  );
}

/** The parts of a selection that match nothing in this version, or not this interface, as the user wrote them. */
export function skippedOf(
  rules: readonly AnyRule[],
  ledger: Ledger,
  selection: Selection,
  label?: string,
): readonly string[] {
  const all = planAll(rules, ledger);
  return wantedBy(selection)
    .filter((item) => (item.of !== undefined && item.of !== label) || !all.some(({ rule }) => item.fits(rule)))
    .map(({ text }) => text);
}
