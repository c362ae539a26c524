import type { CheckResult } from '../../src/run/index.js';
import { printable } from '../../src/wire/index.js';
import type { ReportContext } from '../reporter.js';
import { type Paint, plural, wrap } from './paint.js';

const mostReasons = 6;
const mostNames = 3;

function names(checks: readonly CheckResult[], all: boolean): string {
  const ids = checks.map((check) => printable(check.id));
  return all || ids.length <= mostNames
    ? ids.join(', ')
    : `${ids.slice(0, mostNames).join(', ')} and ${ids.length - mostNames} more`;
}

/** What could not be shown, by reason, the commonest first: each reason says what would be needed. */
export function inconclusiveText(checks: readonly CheckResult[], context: ReportContext, paint: Paint): string {
  const open = checks.filter((check) => check.verdict === 'inconclusive');
  if (open.length === 0) return '';
  const byReason = new Map<string, CheckResult[]>();
  for (const check of open) {
    const group = byReason.get(check.reason) ?? [];
    byReason.set(check.reason, [...group, check]);
  }
  const groups = [...byReason].sort(([, a], [, b]) => b.length - a.length);
  const shown = context.verbose ? groups : groups.slice(0, mostReasons);
  const lines = shown.map(([reason, group]) => {
    const text = context.verbose ? printable(reason) : printable(reason, 220);
    return `  ${String(group.length).padStart(3)}  ${wrap(`${text} ${paint('dim', `[${names(group, context.verbose)}]`)}`, 7, context.columns)}`;
  });
  const rest = groups.length - shown.length;
  return [
    `${paint(['bold', 'yellow'], 'INCONCLUSIVE')} ${plural(open.length, 'check')}, shown neither way and counted as neither:`,
    ...lines,
    ...(rest > 0 ? [`       and ${plural(rest, 'more reason')}: --verbose shows all`] : []),
    '',
  ].join('\n');
}

/** Failures that the gate does not mind: those of the baseline, and MAY sentences. */
export function toleratedText(checks: readonly CheckResult[], context: ReportContext, paint: Paint): string {
  const list = (title: string, chosen: readonly CheckResult[]) =>
    chosen.length === 0
      ? ''
      : `${paint(['bold', 'yellow'], title)} ${wrap(names(chosen, context.verbose || chosen.length <= 12), 2, context.columns)}\n`;
  const failed = checks.filter((check) => check.verdict === 'fail');
  const known = list(
    'KNOWN (baseline)',
    failed.filter((check) => check.baseline === 'known'),
  );
  return (
    known +
    list(
      'MAY, not done',
      failed.filter((check) => check.level === 'may' && check.baseline === undefined),
    )
  );
}
