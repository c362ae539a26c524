import type { Cause, CheckResult, PaymentReport } from '../../src/report/index.js';
import { excerpt, plural } from '../../src/wire/index.js';
import { confirmationOf, rankOf, type ShownFinding } from '../findings.js';
import type { Problem } from '../groups.js';
import type { ReportContext } from '../reporter.js';
import { expectationOf, problemOf } from '../story.js';
import { alikeText, effectsOf, nextStep, piecesOf } from '../wording.js';
import { block, code, paragraph, prose, spaced } from './text.js';

const longestCommand = 4000;
const mostNames = 40;

/** A shortened command would be another command, so a long one is not shown. */
function command(text: string): string {
  const left = `It is too long to show (${text.length} characters); it is in the JSON report.`;
  return text.length > longestCommand ? left : block(text, 'sh');
}

const folded = (summary: string, ...parts: readonly string[]): string =>
  [
    '<details>',
    `<summary>${summary}</summary>`,
    '',
    parts.filter((part) => part !== '').join('\n\n'),
    '',
    '</details>',
  ].join('\n');

const item = (name: string, text: string): readonly string[] => (text === '' ? [] : [`- **${name}** ${text}`]);

/** A sentence of a ledger, or advice of a check: members between backticks stay code. */
const sentenceText = (sentence: string): string =>
  piecesOf(sentence.slice(0, 2000))
    .map(({ text, isCode }) => (isCode ? code(text) : spaced(text)))
    .join('');

function signOf({ verdict, baseline }: CheckResult): string {
  if (verdict === 'error') return '⚠ ERROR of the kit';
  return baseline === 'stale' || baseline === 'expired' ? `✗ ${baseline.toUpperCase()}` : '✗ FAIL';
}

/** A cause as a section. */
export function causeSection(cause: Cause): string {
  const { fact, advice, curl } = cause;
  return [
    `### ? CAUSE ${prose(fact, 600)}`,
    '',
    ...(advice === '' ? [] : item('Fix', prose(advice, 600))),
    ...effectsOf(cause).flatMap(([name, text]) => item(name, text)),
    '',
    curl === undefined ? '' : folded('Reproduce', command(curl)),
    '',
  ].join('\n');
}

/** A check that failed: the fact, the sentence, what to do. What came and the command are folded. */
export function troubleSection(problem: Problem, profile: string, { sentence }: ReportContext): string {
  const { check, alike, isOfCause } = problem;
  const { id, level, reason, actual, requirements, advice, curl } = check;
  const sentences = requirements.flatMap((row) => {
    const found = sentence(profile, row);
    if (found === undefined) return item('Sentence', `${prose(check.section)}, ${code(row)}`);
    const place = found.url === undefined ? prose(found.section) : `[${prose(found.section)}](${found.url})`;
    return item('Sentence', `${sentenceText(found.statement)} ${place}, ${code(row)}`);
  });
  const isShown = check.verdict !== 'error' && check.baseline !== 'stale';
  const next = nextStep(check);
  return [
    `### ${signOf(check)} ${level.toUpperCase()} ${code(id)}`,
    '',
    ...item('Problem', prose(problemOf(check), 500)),
    ...(isShown ? item('Expected', sentenceText(excerpt(expectationOf(check), 500))) : []),
    ...sentences,
    ...(advice === undefined ? [] : item('Fix', sentenceText(advice))),
    ...(next === undefined ? [] : item('Fix', next)),
    ...(alike.length === 0 ? [] : item('Also', `${alikeText(alike.length, isOfCause)}: ${names(alike)}`)),
    '',
    folded(
      'Reproduce',
      actual === '' || actual === reason ? '' : `Actual: ${paragraph(actual, 500)}`,
      curl === undefined ? '' : command(curl),
    ),
    '',
  ].join('\n');
}

export function findingSection(finding: ShownFinding): string {
  const { id, title, detail, oracle, requirements, steps, seed, script } = finding;
  const facts = [plural(steps, 'request'), `seed ${seed}`, `case ${finding.case}`];
  return [
    `### ✗ FINDING ${rankOf(finding)} ${code(id)}`,
    '',
    ...item('Problem', prose(title, 500)),
    ...item('Detail', prose(detail, 500)),
    ...item(
      'Judged by',
      [code(oracle), ...requirements.slice(0, 20).map((row) => code(row))].filter(Boolean).join(', '),
    ),
    ...item('Confirmed', `${confirmationOf(finding)}, ${facts.join(', ')}`),
    '',
    script === '' ? '' : folded('Reproduce', command(script)),
    '',
  ].join('\n');
}

function names(checks: readonly CheckResult[]): string {
  const shown = checks.slice(0, mostNames).map(({ id }) => code(id, 120));
  const rest = checks.length - shown.length;
  return `${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** Failures that the gate lets through, each with its reason. */
export function toleratedSection(title: string, checks: readonly CheckResult[]): string {
  if (checks.length === 0) return '';
  const lines = checks
    .slice(0, mostNames)
    .map(({ id, level, reason }) => `- ${level.toUpperCase()} ${code(id)}: ${prose(reason, 200)}`);
  const rest = checks.length - lines.length;
  return `${folded(title, [...lines, ...(rest > 0 ? [`- and ${rest} more`] : [])].join('\n'))}\n`;
}

type Open = readonly (readonly [string, readonly CheckResult[]])[];

export function openSection(groups: Open, most: number): string {
  if (groups.length === 0) return '';
  const count = groups.reduce((sum, [, group]) => sum + group.length, 0);
  const lines = groups
    .slice(0, most)
    .map(([reason, group]) => `- ${paragraph(reason, 400)} (${group.length}: ${names(group)})`);
  const rest = groups.length - lines.length;
  const more = rest > 0 ? [`- and ${plural(rest, 'more reason')}`] : [];
  return `${folded(`Inconclusive: ${plural(count, 'check')}, shown neither way`, [...lines, ...more].join('\n'))}\n`;
}

const fates = {
  outstanding: 'can still be cashed',
  receipted: 'was signed, and the agent says that it is settled',
  planned: 'would have been signed',
} as const;

export function paymentSection(payments: readonly PaymentReport[]): string {
  const lines = payments.slice(0, mostNames).map(({ state, amount, asset, network, payTo, nonce, expires }) => {
    const what = `${code(amount)} of ${code(asset)} on ${code(network)} to ${code(payTo)}`;
    const fate = fates[state];
    return `- ${what} ${fate}: nonce ${code(nonce)}, until ${code(expires)}`;
  });
  return lines.length === 0 ? '' : ['### Payments', '', ...lines, ''].join('\n');
}
