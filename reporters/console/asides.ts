import type { CheckResult } from '../../src/report/index.js';
import { plural, printable } from '../../src/wire/index.js';
import { known, notDone, openByReason } from '../groups.js';
import type { ReportContext } from '../reporter.js';
import { type Paint, wrap } from './paint.js';

const mostReasons = 6;
const mostNames = 3;

function names(checks: readonly CheckResult[], all: boolean): string {
  const ids = checks.map((check) => printable(check.id));
  return all || ids.length <= mostNames
    ? ids.join(', ')
    : `${ids.slice(0, mostNames).join(', ')} and ${ids.length - mostNames} more`;
}

export function inconclusiveText(checks: readonly CheckResult[], context: ReportContext, paint: Paint): string {
  const groups = openByReason(checks);
  if (groups.length === 0) return '';
  const open = groups.reduce((sum, [, group]) => sum + group.length, 0);
  const shown = context.verbose ? groups : groups.slice(0, mostReasons);
  const lines = shown.map(([reason, group]) => {
    const text = context.verbose ? printable(reason) : printable(reason, 220);
    return `  ${String(group.length).padStart(3)}  ${wrap(`${text} ${paint('dim', `[${names(group, context.verbose)}]`)}`, 7, context.columns)}`;
  });
  const rest = groups.length - shown.length;
  return [
    `${paint(['bold', 'yellow'], 'INCONCLUSIVE')} ${plural(open, 'check')}, which neither passed nor failed:`,
    ...lines,
    ...(rest > 0 ? [`       and ${plural(rest, 'more reason')}: --verbose shows all`] : []),
    '',
  ].join('\n');
}

/** Failures that do not fail the gate: those of the baseline, and of MAY sentences. */
export function toleratedText(checks: readonly CheckResult[], context: ReportContext, paint: Paint): string {
  const list = (title: string, chosen: readonly CheckResult[]) =>
    chosen.length === 0
      ? ''
      : `${paint(['bold', 'yellow'], title)} ${wrap(names(chosen, context.verbose || chosen.length <= 12), 2, context.columns)}\n`;
  return list('KNOWN (baseline)', known(checks)) + list('MAY, not done', notDone(checks));
}
