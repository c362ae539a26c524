import type { Report } from '../../src/run/index.js';
import { printable } from '../../src/wire/index.js';
import { duration, type Paint, plural } from './paint.js';

const levels = ['must', 'should', 'may'] as const;
const columns = ['pass', 'fail', 'inconclusive', 'notApplicable', 'error'] as const;
const heads = ['pass', 'fail', 'inconclusive', 'not applicable', 'error'] as const;
const styles = ['green', 'red', 'yellow', 'dim', 'magenta'] as const;

const widthOf = (at: number): number => (heads[at]?.length ?? 0) + 3;

function table({ summary }: Report, paint: Paint): readonly string[] {
  const row = (level: (typeof levels)[number]) =>
    columns.map((column, at) => {
      const count = summary[level][column];
      const text = String(count).padStart(widthOf(at));
      return count === 0 ? paint('dim', text) : paint(styles[at] ?? 'dim', text);
    });
  return [
    paint('dim', `        ${heads.map((head, at) => head.padStart(widthOf(at))).join('')}`),
    ...levels.map((level) => `  ${level.toUpperCase().padEnd(6)}${row(level).join('')}`),
  ];
}

/** What a pass is worth: the share of the applicable MUST checks that reached pass or fail. */
function proof({ summary: { must } }: Report): string {
  const applicable = must.pass + must.fail + must.inconclusive + must.error;
  const shown = must.pass + must.fail;
  const percent = applicable === 0 ? 0 : Math.floor((100 * shown) / applicable);
  return `${shown} of ${applicable} applicable MUST checks were shown either way (${percent} %)`;
}

/** What a passed gate let through. */
function failures({ checks }: Report): string {
  const known = checks.filter((check) => check.baseline === 'known').length;
  const should = checks.filter((check) => check.level === 'should' && check.verdict === 'fail').length;
  const must = known === 0 ? 'no MUST failed' : `nothing failed but ${plural(known, 'known failure')}`;
  return should === 0 || known > 0 ? must : `${must}, ${should} SHOULD did`;
}

function verdict(report: Report, paint: Paint): string {
  const { gate } = report;
  const reasons = gate.reasons.map((reason) => printable(reason)).join('; ');
  const exit = paint('dim', `exit ${gate.exitCode}`);
  if (gate.exitCode === 0)
    return `${paint(['bold', 'green'], 'PASSED')}  ${failures(report)}; ${proof(report)}, ${exit}`;
  if (gate.exitCode === 1) return `${paint(['bold', 'red'], 'FAILED')}  ${reasons}, ${exit}`;
  if (gate.exitCode === 4)
    return `${paint(['bold', 'yellow'], 'TOO LITTLE PROVEN')}  ${reasons}; ${proof(report)}, ${exit}`;
  return `${paint(['bold', 'magenta'], 'KIT ERROR')}  ${reasons}, ${exit}`;
}

/** What a person reads in five seconds; the last line is the verdict. */
export function summaryText(report: Report, paint: Paint): string {
  const { run, target } = report;
  const facts = [
    plural(run.requests, 'request'),
    plural(run.tasks, 'task'),
    duration(run.durationMs),
    `seed ${run.seed}`,
    `${printable(target.profile, 40)} at ${printable(target.endpoint, 200)}`,
  ];
  return [...table(report, paint), `  ${paint('dim', facts.join(', '))}`, '', verdict(report, paint), ''].join('\n');
}
