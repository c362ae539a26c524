import type { CheckResult } from '../../src/report/index.js';
import { excerpt, printable, wrap } from '../../src/wire/index.js';
import type { Problem } from '../groups.js';
import type { Exchanges } from '../operation.js';
import type { ReportContext, Sentence } from '../reporter.js';
import { expectationOf, failureTextOf, problemOf } from '../story.js';
import { alikeText, nextStep } from '../wording.js';
import { commandText } from './command.js';
import type { Paint } from './paint.js';

const labelWidth = 11;
const indent = 2 + labelWidth;
/** Characters of the problem and of the expectation without --verbose. */
const longestFact = 260;
const mostAlike = 8;

function label(check: CheckResult): string {
  if (check.verdict === 'error') return 'ERROR';
  if (check.baseline === 'stale') return 'STALE';
  return check.baseline === 'expired' ? 'EXPIRED' : 'FAIL';
}

const storedAt = ({ exchanges }: CheckResult): string =>
  `it is "curl" in the JSON report, exchange ${exchanges.at(-1) ?? '?'}`;

const styleOf = ({ verdict, level, baseline }: CheckResult) =>
  verdict === 'fail' && baseline === undefined && level === 'should' ? 'yellow' : 'red';

const says = (id: string, found: Sentence | undefined, section: string): string =>
  found === undefined ? `${section} (${id})` : `${found.section}: ${found.statement} (${id})`;

/** What failures are shown with. */
export interface Shown {
  readonly context: ReportContext;
  readonly paint: Paint;
  readonly exchanges: Exchanges;
}

/**
 * One problem in full, after those in `before`: the fact, what was expected, the sentence and where it stands, and what to do.
 */
export function failureText(
  { check, alike, isOfCause }: Problem,
  before: readonly Problem[],
  profile: string,
  { context, paint, exchanges }: Shown,
): string {
  const { verbose, columns } = context;
  const flow = (text: string) => wrap(printable(verbose ? text : excerpt(text, longestFact)), indent, columns);
  const whole = (text: string) => wrap(printable(text), indent, columns);
  const line = (name: string, text: string) => `  ${paint('dim', name.padEnd(labelWidth))}${text}`;
  const style = styleOf(check);
  const lines = [
    `${paint(['bold', style], label(check))} ${paint('bold', `${check.level.toUpperCase()} ${printable(check.id)}`)}`,
    line('problem', paint(style, flow(problemOf(check)))),
  ];
  if (check.verdict !== 'error' && check.baseline !== 'stale') {
    // The problem says the rest of the story.
    const { request, sent } = failureTextOf(check, exchanges);
    lines.push(line('sent', flow(request ?? sent)));
    lines.push(line('expected', flow(expectationOf(check))));
    if (verbose && check.actual !== '' && check.actual !== check.reason) lines.push(line('actual', flow(check.actual)));
  }
  for (const id of check.requirements) {
    const found = context.sentence(profile, id);
    lines.push(line('sentence', whole(says(id, found, check.section))));
    if (found?.url !== undefined) lines.push(line('', paint('dim', found.url)));
  }
  if (check.advice !== undefined) lines.push(line('fix', whole(check.advice)));
  const next = nextStep(check);
  if (next !== undefined) lines.push(line('fix', next));
  if (check.curl !== undefined) {
    const same = before.find((other) => other.check.curl === check.curl)?.check.id;
    const shown = same === undefined ? commandText(check.curl, storedAt(check), context) : `as for ${printable(same)}`;
    lines.push(line('reproduce', shown));
  }
  if (alike.length > 0) {
    const names = alike.slice(0, verbose ? alike.length : mostAlike).map(({ id }) => printable(id));
    const rest = alike.length - names.length;
    const more = rest > 0 ? ` and ${rest} more` : '';
    lines.push(
      line('also', wrap(`${alikeText(alike.length, isOfCause)}: ${names.join(', ')}${more}`, indent, columns)),
    );
  }
  return `${lines.join('\n')}\n`;
}

/** Section and id of the sentence, as much as fits: "7.1 Tasks, A2A10-TASK-001", "7.1", or nothing. */
function place(check: CheckResult, profile: string, context: ReportContext, room: number): string {
  const [id] = check.requirements;
  const number = printable(check.section);
  const found = id === undefined ? undefined : context.sentence(profile, id)?.section;
  const texts = id === undefined ? [number] : [`${found ?? number}, ${id}`, `${number}, ${id}`, id, number];
  return texts.find((text) => text.length <= room) ?? '';
}

/**
 * Checks with one problem: their names with the sentence; what was sent, what came and what was wanted, a row each.
 */
export function shortFailureText(
  { check, alike }: Problem,
  profile: string,
  { context, paint, exchanges }: Shown,
): string {
  const width = Math.min(context.columns ?? 200, 200);
  const start = `${label(check)} ${check.level.toUpperCase()} `;
  const all = [check, ...alike].map(({ id }) => printable(id));
  const most = all.findIndex((_, at) => start.length + all.slice(0, at + 1).join(', ').length > width - 12);
  const shown = most < 0 ? all : all.slice(0, Math.max(1, most));
  const rest = all.length - shown.length;
  const names = `${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
  const where = place(check, profile, context, width - start.length - names.length - 2);
  const head = `${paint(['bold', styleOf(check)], label(check))} ${check.level.toUpperCase()} ${names}${where === '' ? '' : `  ${paint('dim', where)}`}`;
  if (check.verdict === 'error' || check.baseline === 'stale') {
    return `${head}\n  ${printable(excerpt(problemOf(check), width - 2))}\n`;
  }
  const { sent, actual: came, expected: wanted } = failureTextOf(check, exchanges);
  const row = (name: string, text: string) =>
    `  ${paint('dim', name.padEnd(labelWidth))}${printable(excerpt(text, width - labelWidth - 2))}\n`;
  return `${head}\n${row('sent', sent)}${row('actual', came)}${row('expected', wanted)}`;
}
