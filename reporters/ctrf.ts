import { createHash } from 'node:crypto';
import type { CheckResult, ExpectationResult, Report } from '../src/report/index.js';
import { printable, printableLines } from '../src/wire/index.js';
import { confirmationOf, rankOf, readFindings, type ShownFinding, scriptOf } from './findings.js';
import { causesOf } from './groups.js';
import { jsonText } from './json-text.js';
import { findingOutcome, messageOf, type Outcome, outcomeOf } from './outcome.js';
import { fromReport, type ReportContext, type Reporter } from './reporter.js';
import { expectationCount, expectationName, gateWord, scopeTexts } from './wording.js';

// Common Test Report Format, https://ctrf.io/docs/specification/overview

type Status = 'passed' | 'failed' | 'skipped' | 'pending' | 'other';

/** `other`: the check did not pass, but does not fail the gate, because it was not shown or is tolerated. */
function statusOf(check: CheckResult, outcome: Outcome): Status {
  if (outcome === 'pass') return 'passed';
  if (outcome !== 'skipped') return 'failed';
  return check.verdict === 'not-applicable' || check.verdict === 'not-offered' ? 'skipped' : 'other';
}

/** Members without a text are left out. */
const shown = (texts: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(texts).flatMap(([name, text]) => (text ? [[name, printableLines(text.slice(0, 30_000))]] : [])),
  );

const detail = (name: string, text: string | undefined): readonly string[] =>
  text ? [`${name}: ${printable(text)}`] : [];

function traceOf(check: CheckResult, sentence: ReportContext['sentence'], profile: string): string {
  const statements = check.requirements.flatMap((row) => {
    const found = sentence(profile, row);
    return detail('sentence', found === undefined ? row : `${row}, ${found.section}: ${found.statement}`);
  });
  const rest = [...detail('expected', check.expected), ...detail('actual', check.actual)];
  return [...statements, ...rest, ...detail('fix', check.advice)].join('\n');
}

function checkTest(check: CheckResult, { sentence, strict }: ReportContext, profile: string) {
  const { id, suite, level, verdict, baseline, requirements, exchanges } = check;
  const outcome = outcomeOf(check, strict);
  const isPass = outcome === 'pass';
  const message = isPass ? undefined : messageOf(check, outcome);
  const trace = isPass || verdict === 'not-applicable' ? undefined : traceOf(check, sentence, profile);
  return {
    testId: printable(id),
    name: printable(check.title) || printable(id),
    status: statusOf(check, outcome),
    duration: Math.round(check.durationMs),
    suite: [printable(suite)],
    rawStatus: verdict,
    tags: [level, ...(baseline === undefined ? [] : [`baseline-${baseline}`])],
    type: 'conformance',
    ...shown({ message, snippet: isPass ? undefined : check.curl }),
    // The line breaks are ours, and each line is made printable above.
    ...(trace ? { trace } : {}),
    extra: {
      id: printable(id),
      level,
      requirements: requirements.map((requirement) => printable(requirement)),
      exchanges,
    },
  };
}

function findingTest(finding: ShownFinding, report: Report, strict: boolean) {
  const { id, oracle, title, detail: found, requirements, confirmed, steps, seed } = finding;
  return {
    testId: printable(`fuzz/${id}`),
    name: printable(title),
    status: findingOutcome(finding, report, strict) === 'failure' ? ('failed' as const) : ('other' as const),
    duration: 0,
    suite: ['fuzz'],
    rawStatus: 'finding',
    tags: [rankOf(finding).toLowerCase()],
    type: 'fuzz',
    ...shown({ message: `${found || title} (${confirmationOf(finding)})`, snippet: scriptOf(finding) }),
    extra: {
      oracle: printable(oracle),
      requirements: requirements.map((requirement) => printable(requirement)),
      confirmed,
      steps,
      seed,
    },
  };
}

const expectationStatus = { pass: 'passed', fail: 'failed', inconclusive: 'other' } as const;

function expectationTest(expectationResult: ExpectationResult) {
  const { verdict, reason, expected, actual, durationMs, held, answered, runs, least, exchanges } = expectationResult;
  const name = printable(expectationName(expectationResult));
  return {
    testId: `expect/${name}`,
    name: `${name}${expectationCount(expectationResult)}`,
    status: expectationStatus[verdict],
    duration: Math.round(durationMs),
    suite: ['expectations'],
    rawStatus: verdict,
    tags: [],
    type: 'expectation',
    ...shown({ message: reason }),
    ...(verdict === 'pass'
      ? {}
      : { trace: [...expected.flatMap((line) => detail('expected', line)), ...detail('actual', actual)].join('\n') }),
    extra: { held, answered, runs, least, exchanges },
  };
}

const gateTest = (gate: Report['gate']) => ({
  testId: 'gate',
  name: 'gate',
  status: 'failed' as const,
  duration: 0,
  suite: ['gate'],
  type: 'gate',
  ...shown({ message: `${gateWord(gate)}: ${gate.reasons.join('; ')}` }),
});

/** A UUID that is the same for the same run, so that rendering it again changes nothing. */
function reportId({ target, run }: Report): string {
  const hex = createHash('sha256')
    .update(JSON.stringify([target, run]))
    .digest('hex');
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`];
  return [...parts, hex.slice(20, 32)].join('-');
}

function document(report: Report, context: ReportContext) {
  const { kit, target, run, gate, checks } = report;
  const shownTests = [
    ...checks.map((check) => checkTest(check, context, target.profile)),
    ...readFindings(report.findings).map((finding) => findingTest(finding, report, context.strict)),
    ...(report.expectations ?? []).map(expectationTest),
  ];
  // As in TAP: a gate can fail without a failed check.
  const isRed = shownTests.some(({ status }) => status === 'failed');
  const tests = gate.passed || isRed ? shownTests : [...shownTests, gateTest(gate)];
  const causes = causesOf(report).map(({ id, fact, advice, checks, failures }) => ({
    id: printable(id),
    fact: printable(fact),
    advice: printable(advice),
    checks: checks.length,
    ...(failures === undefined ? {} : { failures: failures.length }),
  }));
  const count = (status: Status) => tests.filter((test) => test.status === status).length;
  const start = Date.parse(run.startedAt);
  const summary = {
    tests: tests.length,
    passed: count('passed'),
    failed: count('failed'),
    skipped: count('skipped'),
    pending: count('pending'),
    other: count('other'),
    suites: new Set(tests.flatMap(({ suite }) => suite)).size,
    start,
    stop: start + Math.round(run.durationMs),
    duration: Math.round(run.durationMs),
    extra: {
      gate: { ...gate, reasons: gate.reasons.map((reason) => printable(reason)) },
      levels: report.summary,
      causes,
      scope: scopeTexts(report).map((scopeText) => printable(scopeText)),
    },
  };
  const agent = {
    appName: target.agent.name ?? '',
    appVersion: target.agent.version,
    testEnvironment: target.endpoint,
  };
  return {
    reportFormat: 'CTRF',
    specVersion: '0.0.0',
    reportId: reportId(report),
    timestamp: new Date(start + Math.round(run.durationMs)).toISOString(),
    generatedBy: kit.name,
    results: {
      tool: { name: kit.name, version: kit.version },
      summary,
      tests,
      environment: { ...shown(agent), extra: { profile: target.profile, seed: run.seed, requests: run.requests } },
    },
  };
}

export const ctrf: Reporter = {
  id: 'ctrf',
  readers: 'CI systems',
  begin: fromReport((report, context) => `${jsonText(document(report, context), 1)}\n`),
};
