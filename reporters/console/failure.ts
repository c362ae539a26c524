import type { CheckResult } from '../../src/report/index.js';
import { printable } from '../../src/wire/index.js';
import type { ReportContext } from '../reporter.js';
import { nextStep } from '../wording.js';
import { type Paint, wrap } from './paint.js';

const longestCommand = 4000;
const labelWidth = 11;

function label(check: CheckResult): string {
  if (check.verdict === 'error') return 'ERROR';
  if (check.baseline === 'stale') return 'STALE';
  return check.baseline === 'expired' ? 'EXPIRED' : 'FAIL';
}

/** A shortened command would be another command, so a long one is not shown. */
function command(curl: string, exchange: string | undefined): string {
  if (curl.length <= longestCommand) return printable(curl, longestCommand * 4);
  return `too long to show (${curl.length} characters); it is "curl" in the JSON report, exchange ${printable(exchange ?? '?')}`;
}

/** One check that went wrong: the fact, the sentence, what was expected and what came, and what to do. */
export function failureText(check: CheckResult, profile: string, context: ReportContext, paint: Paint): string {
  const indent = 2 + labelWidth;
  const flow = (text: string, at: number) => wrap(printable(text), at, context.columns);
  const line = (name: string, text: string) => `  ${paint('dim', name.padEnd(labelWidth))}${text}`;
  const lines = [
    `${paint(['bold', 'red'], label(check))} ${paint('bold', `${check.level.toUpperCase()} ${printable(check.id)}`)}`,
    line('problem', paint('red', flow(check.reason, indent))),
  ];
  if (check.verdict !== 'error' && check.baseline !== 'stale') {
    if (check.expected !== '') lines.push(line('expected', flow(check.expected, indent)));
    if (check.actual !== '' && check.actual !== check.reason) lines.push(line('actual', flow(check.actual, indent)));
  }
  lines.push(line('story', flow(check.title, indent)));
  for (const id of check.requirements) {
    const sentence = context.sentence(profile, id);
    const says = sentence === undefined ? check.section : `${sentence.section}: ${sentence.statement}`;
    lines.push(line('sentence', flow(`${id}, ${says}`, indent)));
  }
  if (check.curl !== undefined) lines.push(line('reproduce', command(check.curl, check.exchanges.at(-1))));
  if (check.advice !== undefined) lines.push(line('fix', flow(check.advice, indent)));
  const next = nextStep(check);
  if (next !== undefined) lines.push(line('fix', next));
  return `${lines.join('\n')}\n`;
}
