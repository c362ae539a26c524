import { charges } from '../../packs/index.js';
import { charging } from '../../packs/options.js';
import { rules } from '../../suites/index.js';
import { dialects, profilesLike } from '../dialect/index.js';
import { runAgainst, type TargetOptions } from '../index.js';
import { type Ledger, loadLedger, overlaid, type Requirement } from '../ledger/index.js';
import { TckError } from '../model/index.js';
import type { Report } from '../report/index.js';
import { type Planned, plan } from '../run/index.js';
import { ending } from '../wire/index.js';
import { expectationEnd, type TestEnd, testEnd, unprovenText } from './test-case.js';

export interface ConformanceOptions extends Omit<TargetOptions, 'url' | 'onEvent' | 'signal' | 'shard' | 'fuzz'> {
  /**
   * Base, card or endpoint URL. A function is called when the tests begin, for agents that the tests start themselves.
   */
  readonly url: string | (() => string | Promise<string>);
  /** Name of the suite; default `A2A conformance`. */
  readonly name?: string;
  /** Time limit of the whole run, ms; default 5 minutes. Checks not judged by then are skipped. */
  readonly runTimeoutMs?: number;
  /** Receives the whole report, for instance to write it to a file. */
  readonly onReport?: (report: Report) => void | Promise<void>;
}

/** What the adapter needs of a test runner. */
export interface TestRunner {
  describe(name: string, declare: () => void): void;
  beforeAll(begin: () => Promise<void>, timeoutMs: number): void;
  /** `skip` never returns. */
  test(name: string, judge: (context: { skip(note: string): never }) => void): void;
}

/** A check that failed, as a test runner shows it. */
export class ConformanceError extends Error {
  override readonly name = 'ConformanceError';
}

const slack = 30_000;

/**
 * The checks that may run, as far as is known before the agent is detected: those of all profiles, or of the named one.
 * Throws if there are none.
 */
function foreseen(options: ConformanceOptions): readonly Planned[] {
  const { profile = 'auto', suites = [], checks = [], level = 'may' } = options;
  const chosen = profile === 'auto' ? dialects : profilesLike(profile);
  if (chosen.length === 0) throw new TckError('usage', `the profile ${profile} is not known`);
  const full = (ledger: Ledger): Ledger => (charges(options) ? overlaid(ledger, loadLedger(charging.ledger)) : ledger);
  const found: Planned[] = [];
  let nothing: unknown;
  for (const dialect of chosen) {
    try {
      found.push(...plan(rules, full(loadLedger(dialect.ledger)), { suites, checks, level }));
    } catch (error) {
      nothing = error;
    }
  }
  if (found.length === 0) throw nothing ?? new TckError('usage', 'the selection matches no check');
  return found;
}

/** Each check once, in the order of the suites. */
function declared(all: readonly Planned[]): readonly Planned[] {
  const byId = new Map<string, Planned>();
  for (const plannedRule of all) if (!byId.has(plannedRule.rule.id)) byId.set(plannedRule.rule.id, plannedRule);
  return rules.flatMap(({ id }) => byId.get(id) ?? []);
}

/**
 * Declares a suite with one test for each check, and one that fails if too little was shown. The agent is judged once,
 * before the first test: checks share sources, so this takes few requests. Throws `TckError('usage')` for a selection
 * that matches nothing.
 */
export function declareConformance(
  options: ConformanceOptions,
  runner: TestRunner,
  judge: (target: TargetOptions) => Promise<Report> = runAgainst,
): void {
  const { url, name = 'A2A conformance', runTimeoutMs = 300_000, onReport, ...target } = options;
  const planned = foreseen(options);
  const rows: readonly Requirement[] = planned.flatMap((plannedRule) => plannedRule.rows);
  runner.describe(name, () => {
    let report: Report | undefined;
    runner.beforeAll(async () => {
      const at = typeof url === 'string' ? url : await url();
      const { signal, release } = ending(undefined, runTimeoutMs);
      report = await judge({ ...target, url: at, signal }).finally(release);
      await onReport?.(report);
    }, runTimeoutMs + slack);
    const declare = (test: string, endIn: (known: Report) => TestEnd): void =>
      runner.test(test, (context) => {
        if (report === undefined) throw new ConformanceError('the agent could not be judged');
        const end = endIn(report);
        if (end.kind === 'skip') context.skip(end.note);
        if (end.kind === 'fail') throw new ConformanceError(end.message);
      });
    for (const { rule, title } of declared(planned))
      declare(`${rule.id}: ${title}`, (known) => testEnd(rule.id, known, rows, options.strict ?? false));
    for (const [at, expected] of (options.expect ?? []).entries())
      declare(`expect/${at + 1}: ${expected.name}`, (known) => expectationEnd(expected.name, known));
    runner.test('gate: enough was shown', () => {
      if (report === undefined) throw new ConformanceError('the agent could not be judged');
      // Failed checks have tests of their own. A suite in which all is skipped must not look like a success.
      if (report.gate.exitCode === 4) throw new ConformanceError(`UNPROVEN: ${unprovenText(report)}`);
    });
  });
}
