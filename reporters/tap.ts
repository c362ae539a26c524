import type { CheckResult, ExpectationResult, Report } from '../src/report/index.js';
import { printable, printableLines } from '../src/wire/index.js';
import { confirmationOf, rankOf, readFindings, type ShownFinding, scriptOf } from './findings.js';
import { causesOf } from './groups.js';
import { jsonText } from './json-text.js';
import { findingOutcome, messageOf, outcomeOf } from './outcome.js';
import { fromReport, type ReportContext, type Reporter } from './reporter.js';
import { expectationCount, expectationName, gateWord, scopeTexts } from './wording.js';

// TAP 14, https://testanything.org/tap-version-14-specification.html

/** One line, escaped so that no directive begins and no escape ends in it. */
const plain = (text: string, limit = 1000): string => printable(text, limit).replace(/[\\#]/g, '\\$&');

const longest = 30_000;

/** A diagnostic in YAML. Its values are JSON on one line, which is YAML too and cannot end the block. */
function diagnostic(values: Readonly<Record<string, unknown>>): readonly string[] {
  const lines = Object.entries(values).flatMap(([name, value]) => {
    if (value === undefined || value === '') return [];
    const shown = typeof value === 'string' ? printableLines(value.slice(0, longest)) : value;
    return [`  ${name}: ${jsonText(shown)}`];
  });
  return lines.length === 0 ? [] : ['  ---', ...lines, '  ...'];
}

interface Point {
  readonly ok: boolean;
  readonly name: string;
  readonly directive?: string;
  readonly details: readonly string[];
}

function checkPoint(check: CheckResult, { sentence }: ReportContext, profile: string, strict: boolean): Point {
  const { id, title, level, verdict, baseline, requirements } = check;
  const outcome = outcomeOf(check, strict);
  const name = `${plain(id)} - ${plain(title)}`;
  if (outcome === 'pass') return { ok: true, name, details: [] };
  const message = messageOf(check, outcome);
  const isTolerated = outcome === 'skipped';
  if (isTolerated && verdict !== 'fail') return { ok: true, name, directive: `SKIP ${plain(message)}`, details: [] };
  const statements = requirements.map((row) => `${row}: ${sentence(profile, row)?.statement ?? check.section}`);
  const details = diagnostic({
    message: check.reason,
    severity: verdict === 'error' ? 'error' : level,
    verdict,
    baseline,
    sentence: statements.map((statement) => printable(statement)),
    expected: check.expected,
    actual: check.actual,
    advice: check.advice,
    curl: check.curl,
    exchanges: check.exchanges.length === 0 ? undefined : check.exchanges,
  });
  return {
    ok: false,
    name,
    // A failed check is always `not ok`. TODO makes the harness tolerate it if the gate does.
    ...(isTolerated ? { directive: `TODO ${plain(message)}` } : {}),
    details,
  };
}

function findingPoint(finding: ShownFinding, report: Report, strict: boolean): Point {
  const { id, title, oracle, detail, level, requirements, steps, seed } = finding;
  const isTolerated = findingOutcome(finding, report, strict) !== 'failure';
  const confirmed = confirmationOf(finding);
  return {
    ok: false,
    name: `fuzz ${plain(id)} - ${plain(title)}`,
    ...(isTolerated ? { directive: `TODO ${rankOf(finding)}, ${confirmed}` } : {}),
    details: diagnostic({
      message: detail,
      severity: level,
      oracle,
      confirmed,
      requirements: requirements.map((requirement) => printable(requirement)),
      steps,
      seed,
      case: finding.case,
      script: scriptOf(finding),
    }),
  };
}

function expectationPoint(expectationResult: ExpectationResult): Point {
  const { verdict, reason, expected, actual, exchanges } = expectationResult;
  const name = `expect ${plain(expectationName(expectationResult))}${expectationCount(expectationResult)}`;
  if (verdict === 'pass') return { ok: true, name, details: [] };
  if (verdict === 'inconclusive') return { ok: true, name, directive: `SKIP ${plain(reason)}`, details: [] };
  const details = { message: reason, expected: expected.map((line) => printable(line)), actual, exchanges };
  return { ok: false, name, details: diagnostic(details) };
}

function document(report: Report, context: ReportContext): string {
  const { kit, target, run, gate, checks } = report;
  const { strict } = context;
  const points = [
    ...checks.map((check) => checkPoint(check, context, target.profile, strict)),
    ...readFindings(report.findings).map((finding) => findingPoint(finding, report, strict)),
    ...(report.expectations ?? []).map(expectationPoint),
  ];
  const isRed = points.some(({ ok, directive }) => !ok && directive === undefined);
  // A gate can fail without a failed check, such as for too little proof: the harness must see that too.
  if (!gate.passed && !isRed)
    points.push({ ok: false, name: `gate - ${gateWord(gate)}: ${plain(gate.reasons.join('; '))}`, details: [] });
  const lines = points.flatMap(({ ok, name, directive, details }, index) => [
    `${ok ? 'ok' : 'not ok'} ${index + 1} - ${name}${directive === undefined ? '' : ` # ${directive}`}`,
    ...details,
  ]);
  return [
    'TAP version 14',
    `# ${plain(`${kit.name} ${kit.version}`)}: ${plain(target.profile)} at ${plain(target.endpoint)}, seed ${run.seed}`,
    `1..${points.length}`,
    ...lines,
    ...scopeTexts(report).map((scopeText) => `# ${plain(scopeText)}`),
    ...causesOf(report).map(
      ({ fact, advice }) => `# cause: ${plain(fact)}${advice === '' ? '' : `; ${plain(advice)}`}`,
    ),
    `# gate ${gateWord(gate)}, exit ${gate.exitCode}${gate.reasons.map((reason) => `; ${plain(reason)}`).join('')}`,
    '',
  ].join('\n');
}

export const tap: Reporter = {
  id: 'tap',
  readers: 'CI systems',
  begin: fromReport(document),
};
