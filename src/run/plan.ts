import { type Rule, storyOf, suiteOf } from '../kit/index.js';
import { type Ledger, type Level, levels, type Requirement } from '../ledger/index.js';
import { TckError } from '../model/index.js';

export interface Selection {
  /** Suite names, globs. Empty: all. */
  readonly suites: readonly string[];
  /** Check ids, globs. Empty: all. */
  readonly checks: readonly string[];
  /** Lowest level to run. */
  readonly level: Level;
}

/** A rule as it stands in one version: with the rows that it decides there, and their level. */
export interface Planned {
  readonly rule: Rule;
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

/** The rules that this version has, in the order of the suites. A version without a rule's rows has no such rule. */
export function planAll(rules: readonly Rule[], ledger: Ledger): readonly Planned[] {
  return rules.flatMap((rule) => {
    const rows = rule.keys.map((key) => ledger.row(key)).filter((row) => row !== undefined);
    const level = levels.find((one) => rows.some((row) => row.level === one));
    return level === undefined ? [] : [{ rule, rows, level, title: storyOf(rule, level) }];
  });
}

/** What a run will judge. Throws `TckError('usage')` when a part of the selection matches nothing. */
export function plan(rules: readonly Rule[], ledger: Ledger, selection: Selection): readonly Planned[] {
  const all = planAll(rules, ledger);
  const wanted = (patterns: readonly string[], name: string, of: (one: Planned) => string) => {
    const tests = patterns.map((pattern) => {
      const test = glob(pattern);
      if (!all.some((one) => test.test(of(one)))) {
        throw new TckError(
          'usage',
          `--${name} ${pattern} matches nothing`,
          `a2a-tck list ${name}s shows what there is`,
        );
      }
      return test;
    });
    return (one: Planned) => tests.length === 0 || tests.some((test) => test.test(of(one)));
  };
  const bySuite = wanted(selection.suites, 'suite', (one) => suiteOf(one.rule));
  const byId = wanted(selection.checks, 'check', (one) => one.rule.id);
  const lowest = levels.indexOf(selection.level);
  const chosen = all.filter((one) => bySuite(one) && byId(one) && levels.indexOf(one.level) <= lowest);
  if (chosen.length === 0)
    throw new TckError('usage', 'the selection matches no check', 'a2a-tck list checks shows what there is');
  return chosen;
}
