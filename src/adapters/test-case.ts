import type { Requirement } from '../ledger/index.js';
import { type CheckResult, failsGate, type Report } from '../report/index.js';
import { printable } from '../wire/index.js';

/** How a test ends: it passes, is skipped with a reason, or fails with a text for people. */
export type TestEnd =
  | { readonly kind: 'pass' }
  | { readonly kind: 'skip'; readonly note: string }
  | { readonly kind: 'fail'; readonly message: string };

const longest = 4000;

function details(check: CheckResult, rows: readonly Requirement[]): string {
  const cited = rows.filter(({ id }) => check.requirements.includes(id));
  const lines: readonly (readonly [name: string, text: string | undefined])[] = [
    ['expected', check.expected],
    ['actual', check.actual === check.reason ? '' : check.actual],
    ...cited.map(({ id, section, statement }) => ['sentence', `${id}, ${section}: ${statement}`] as const),
    ['fix', check.advice],
    ['reproduce', check.curl],
  ];
  return lines
    .flatMap(([name, text = '']) => (text === '' ? [] : [`\n  ${name.padEnd(9)} ${printable(text, longest)}`]))
    .join('');
}

/** Why a run has shown too little, the cause first. */
export const unprovenText = ({ gate }: Report): string => printable(gate.reasons.join('; '), longest);

/**
 * A check that fails the gate fails its test, and so does an error of the kit. Any other check that did not pass is
 * skipped with its reason. Where the run judged several interfaces, the text is that of the first that fails.
 */
export function testEnd(id: string, report: Report, rows: readonly Requirement[], strict: boolean): TestEnd {
  const ends = report.checks
    .filter((check) => check.id === id || (check.interface !== undefined && check.id === `${id}@${check.interface}`))
    .map((check) => endOf(check, rows, strict));
  const [end] = ends;
  if (end !== undefined) return ends.find(({ kind }) => kind === 'fail') ?? end;
  const { cut } = report.run;
  const why = cut === undefined ? `${report.target.profile} does not have it` : `the run ended early: ${cut}`;
  return { kind: 'skip', note: printable(why) };
}

/** A row of the user's own; of several interfaces, the first that does not hold. */
export function expectationEnd(name: string, { expectations = [] }: Report): TestEnd {
  const rows = expectations.filter((row) => row.name === name);
  const shownRow = rows.find(({ verdict }) => verdict === 'fail') ?? rows.find(({ verdict }) => verdict !== 'pass');
  if (shownRow === undefined) return rows.length > 0 ? { kind: 'pass' } : { kind: 'skip', note: 'it was not asked' };
  const where = shownRow.interface === undefined ? '' : `${shownRow.interface}: `;
  const reason = printable(`${where}${shownRow.reason}`, longest);
  if (shownRow.verdict !== 'fail') return { kind: 'skip', note: `inconclusive: ${reason}` };
  const lines = [
    `expected  ${shownRow.expected.join('; ')}`,
    ...(shownRow.actual === '' ? [] : [`actual    ${shownRow.actual}`]),
  ];
  return { kind: 'fail', message: [reason, ...lines.map((line) => `  ${printable(line, longest)}`)].join('\n') };
}

function endOf(check: CheckResult, rows: readonly Requirement[], strict: boolean): TestEnd {
  const reason = `${check.interface === undefined ? '' : `${check.interface}: `}${printable(check.reason, longest)}`;
  if (check.verdict === 'error') return { kind: 'fail', message: `the kit itself failed: ${reason}` };
  if (failsGate(check, strict)) {
    const entry = check.baseline === undefined ? '' : `, its baseline entry is ${check.baseline}`;
    return { kind: 'fail', message: `${check.level.toUpperCase()} not met${entry}: ${reason}${details(check, rows)}` };
  }
  if (check.verdict === 'pass') return { kind: 'pass' };
  if (check.verdict !== 'fail') return { kind: 'skip', note: `${check.verdict}: ${reason}` };
  const word = check.baseline === 'known' ? 'known failure' : `${check.level.toUpperCase()} not met`;
  return { kind: 'skip', note: `${word}: ${reason}` };
}
