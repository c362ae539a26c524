import type { ExpectationResult, Report } from '../../src/report/index.js';
import { printable, wrap } from '../../src/wire/index.js';
import type { ReportContext } from '../reporter.js';
import { expectationCount, expectationName } from '../wording.js';
import type { Paint } from './paint.js';

const styles = { pass: 'green', fail: 'red', inconclusive: 'yellow' } as const;
const labelWidth = 11;

function rowText(expectationResult: ExpectationResult, { columns, verbose }: ReportContext, paint: Paint): string {
  const line = (name: string, text: string): string =>
    `  ${paint('dim', name.padEnd(labelWidth))}${wrap(printable(text, 1000), 2 + labelWidth, columns)}\n`;
  const head = `  ${paint(styles[expectationResult.verdict], expectationResult.verdict.padEnd(14))}${printable(expectationName(expectationResult), 160)}${expectationCount(expectationResult)}\n`;
  if (expectationResult.verdict === 'pass' && !verbose) return head;
  return [
    head,
    ...(expectationResult.reason === '' ? [] : [line('problem', expectationResult.reason)]),
    line('expected', expectationResult.expected.join('; ')),
    ...(expectationResult.actual === '' ? [] : [line('actual', expectationResult.actual)]),
  ].join('');
}

/** What the user expects beside the protocol, each in a line, and more of those that do not hold. */
export function expectationsText({ expectations = [] }: Report, context: ReportContext, paint: Paint): string {
  if (expectations.length === 0) return '';
  const rows = expectations.map((expectation) => rowText(expectation, context, paint));
  return `${paint('bold', 'Your expectations')}\n${rows.join('')}`;
}
