import type { CheckResult } from '../../src/report/index.js';
import { excerpt, plural, printable, wrap } from '../../src/wire/index.js';
import { failedAfterSet, known, notOffered, openByReason } from '../groups.js';
import type { ReportContext } from '../reporter.js';
import type { Paint } from './paint.js';

const mostReasons = 5;
const mostNames = 3;
/** Characters of a reason without --verbose: its end, what to do, is not cut off. */
const longestReason = 400;

function names(checks: readonly CheckResult[], all: boolean): string {
  const ids = checks.map((check) => printable(check.id));
  return all || ids.length <= mostNames
    ? ids.join(', ')
    : `${ids.slice(0, mostNames).join(', ')} and ${ids.length - mostNames} more`;
}

/** The commonest reasons; with --verbose all of them, and the names of the checks. */
export function inconclusiveText(checks: readonly CheckResult[], context: ReportContext, paint: Paint): string {
  const groups = openByReason(checks);
  if (groups.length === 0) return '';
  const { verbose, columns } = context;
  const open = groups.reduce((sum, [, group]) => sum + group.length, 0);
  const shown = verbose ? groups : groups.slice(0, mostReasons);
  const lines = shown.map(([reason, group]) => {
    const count = String(group.length).padStart(3);
    if (!verbose) return `  ${count}  ${wrap(printable(excerpt(reason, longestReason)), 7, columns)}`;
    return `  ${count}  ${wrap(`${printable(reason)} ${paint('dim', `[${names(group, true)}]`)}`, 7, columns)}`;
  });
  const rest = groups.length - shown.length;
  return [
    `${paint(['bold', 'yellow'], 'INCONCLUSIVE')} ${plural(open, 'check')}, which neither passed nor failed:`,
    ...lines,
    ...(rest > 0 ? [`       and ${plural(rest, 'more reason')}`] : []),
    ...(verbose ? [] : [paint('dim', '       --verbose shows every reason and its checks')]),
    '',
  ].join('\n');
}

/** What fails nothing: failures of the baseline, and what the agent does not offer. */
export function toleratedText(checks: readonly CheckResult[], context: ReportContext, paint: Paint): string {
  const list = (title: string, chosen: readonly CheckResult[]) =>
    chosen.length === 0
      ? ''
      : `${title} ${wrap(names(chosen, context.verbose || chosen.length <= 12), 2, context.columns)}\n`;
  const shown = context.verbose ? notOffered(checks).filter(({ advice }) => advice !== undefined) : [];
  const advices = shown.map(({ id, advice }) => `  ${wrap(`${printable(id)}: ${advice}`, 4, context.columns)}\n`);
  return [
    list(paint(['bold', 'yellow'], 'KNOWN (baseline)'), known(checks)),
    list(paint(['bold', 'yellow'], 'FAILED, ADDED AFTER YOUR SET'), failedAfterSet(checks)),
    list(paint('bold', 'NOT OFFERED (MAY)'), notOffered(checks)),
    ...advices,
  ].join('');
}
