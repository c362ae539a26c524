import type { CheckResult, ExpectationResult, Report } from '../src/report/index.js';
import { readFindings, type ShownFinding, scriptOf } from './findings.js';
import { causesOf } from './groups.js';
import { findingOutcome, messageOf, type Outcome, outcomeOf } from './outcome.js';
import { fromReport, type Reporter } from './reporter.js';
import { expectationOf, problemOf } from './story.js';
import { effectsOf, expectationName, gateWord, scopeTexts } from './wording.js';
import { attributes, xml } from './xml.js';

const seconds = (ms: number): string => (ms / 1000).toFixed(3);

const longestCommand = 20_000;

/** A shortened command would be another command, so a long one is not shown. */
const commandOf = ({ curl = '' }: CheckResult): string =>
  curl.length > longestCommand ? `too long to show (${curl.length} characters); it is in the JSON report` : curl;

function detailsOf(check: CheckResult): string {
  const lines = [
    ['requirements', check.requirements.join(', ')],
    ['section', check.section],
    ['problem', problemOf(check)],
    ['expected', expectationOf(check)],
    ['actual', check.actual],
    ['reproduce', commandOf(check)],
    ['fix', check.advice ?? ''],
    ['cause', check.cause ?? ''],
  ];
  return lines.flatMap(([name, value]) => (value ? [`${name}: ${xml(value, 2 * longestCommand)}`] : [])).join('\n');
}

function testcase(check: CheckResult, strict: boolean): string {
  const outcome = outcomeOf(check, strict);
  const about = { name: check.id, classname: `a2a-tck.${check.suite}`, time: seconds(check.durationMs) };
  const properties = { level: check.level, verdict: check.verdict, title: check.title };
  const propertyLines = Object.entries(properties).map(
    ([name, value]) => `        <property${attributes({ name, value })}/>`,
  );
  const lines = [`    <testcase${attributes(about)}>`, '      <properties>', ...propertyLines, '      </properties>'];
  const message = attributes({ message: messageOf(check, outcome) });
  if (outcome === 'skipped') lines.push(`      <skipped${message}/>`);
  else if (outcome !== 'pass') {
    const type = attributes({ type: check.baseline ?? check.level });
    lines.push(`      <${outcome}${message}${type}>${detailsOf(check)}</${outcome}>`);
  }
  return [...lines, '    </testcase>'].join('\n');
}

/** A finding of the fuzzer as a case: a failure if it fails the gate, else skipped with its title. */
function findingcase(finding: ShownFinding, failed: boolean): string {
  const { id, oracle, level, title, detail, requirements, confirmed, seed } = finding;
  const about = { name: id, classname: `a2a-tck.fuzz.${oracle}`, time: seconds(0) };
  const properties = { level: level ?? 'weakness', confirmed: `${confirmed.times}/${confirmed.of}`, seed };
  const propertyLines = Object.entries(properties).map(
    ([name, value]) => `        <property${attributes({ name, value })}/>`,
  );
  const message = attributes({ message: title });
  const text = [detail, requirements.join(', '), scriptOf(finding)]
    .filter((line) => line !== '')
    .map((line) => xml(line, 2 * longestCommand))
    .join('\n');
  const outcome = failed
    ? `      <failure${message}${attributes({ type: level ?? 'weakness' })}>${text}</failure>`
    : `      <skipped${message}/>`;
  return [
    `    <testcase${attributes(about)}>`,
    '      <properties>',
    ...propertyLines,
    '      </properties>',
    outcome,
    '    </testcase>',
  ].join('\n');
}

/** All findings as one suite; empty where nothing was fuzzed. */
function findingsuite(report: Report, strict: boolean) {
  const { fuzz, run } = report;
  const findings = readFindings(report.findings);
  const fails = (item: ShownFinding): boolean => findingOutcome(item, report, strict) === 'failure';
  const failures = findings.filter(fails).length;
  if (fuzz === undefined) return { text: [], tests: 0, failures: 0, skipped: 0 };
  const skipped = findings.length - failures;
  const time = seconds(fuzz.durationMs);
  const head = { name: 'fuzz', timestamp: run.startedAt, tests: findings.length, failures, errors: 0, skipped, time };
  const cases = findings.map((finding) => findingcase(finding, fails(finding)));
  const text = [[`  <testsuite${attributes(head)}>`, ...cases, '  </testsuite>'].join('\n')];
  return { text, tests: findings.length, failures, skipped };
}

/** What the user expects, each as a case: a failure if it does not hold, skipped if it was not decided. */
function expectationsuite({ expectations = [], run }: Report) {
  const of = (verdict: ExpectationResult['verdict']) =>
    expectations.filter((expectation) => expectation.verdict === verdict).length;
  const counted = { tests: expectations.length, failures: of('fail'), skipped: of('inconclusive') };
  if (expectations.length === 0) return { text: [], ...counted };
  const time = seconds(expectations.reduce((sum, { durationMs }) => sum + durationMs, 0));
  const { tests, failures, skipped } = counted;
  const head = { name: 'expectations', timestamp: run.startedAt, tests, failures, errors: 0, skipped, time };
  const cases = expectations.map((expectation) => {
    const { verdict, reason, expected, actual, durationMs } = expectation;
    const about = attributes({
      name: expectationName(expectation),
      classname: 'a2a-tck.expectations',
      time: seconds(durationMs),
    });
    if (verdict === 'pass') return `    <testcase${about}/>`;
    const message = attributes({ message: reason });
    const text = xml(`expected: ${expected.join('; ')}\nactual: ${actual}`, 2 * longestCommand);
    const propertyLines =
      verdict === 'fail'
        ? `<failure${message}${attributes({ type: 'expectation' })}>${text}</failure>`
        : `<skipped${message}/>`;
    return `    <testcase${about}>\n      ${propertyLines}\n    </testcase>`;
  });
  return { text: [[`  <testsuite${attributes(head)}>`, ...cases, '  </testsuite>'].join('\n')], ...counted };
}

/**
 * A gate can fail without a failed check, such as for too little proof: the CI system must see that too. If a check
 * failed, only an early end of the run is reported, as skipped.
 */
function gatesuite({ gate, run }: Report, isRed: boolean) {
  const failures = gate.passed || isRed ? 0 : 1;
  const skipped = failures === 0 && run.cut !== undefined ? 1 : 0;
  const tests = failures + skipped;
  if (tests === 0) return { text: [], tests, failures, skipped };
  const time = seconds(0);
  const head = { name: 'gate', timestamp: run.startedAt, tests, failures, errors: 0, skipped, time };
  const message = attributes({ message: `${gateWord(gate)}: ${gate.reasons.join('; ')}` });
  const text = [
    `  <testsuite${attributes(head)}>`,
    `    <testcase${attributes({ name: 'gate', classname: 'a2a-tck.gate', time })}>`,
    failures === 1 ? `      <failure${message}${attributes({ type: 'gate' })}/>` : `      <skipped${message}/>`,
    '    </testcase>',
    '  </testsuite>',
  ];
  return { text, tests, failures, skipped };
}

/** The causes, each as a skipped case. */
function causesuite(report: Report) {
  const causes = causesOf(report);
  if (causes.length === 0) return { text: [], tests: 0, skipped: 0 };
  const count = causes.length;
  const time = seconds(0);
  const head = {
    name: 'causes',
    timestamp: report.run.startedAt,
    tests: count,
    failures: 0,
    errors: 0,
    skipped: count,
  };
  const cases = causes.map((cause) => {
    const { id, fact, advice } = cause;
    const effects = effectsOf(cause).map(([name, text]) => ` (${name.toLowerCase()} ${text})`);
    const message = attributes({ message: `${fact}${advice === '' ? '' : `; ${advice}`}${effects.join('')}` });
    const about = attributes({ name: id, classname: 'a2a-tck.causes', time });
    return `    <testcase${about}>\n      <skipped${message}/>\n    </testcase>`;
  });
  const text = [[`  <testsuite${attributes({ ...head, time })}>`, ...cases, '  </testsuite>'].join('\n')];
  return { text, tests: count, skipped: count };
}

function counts(checks: readonly CheckResult[], strict: boolean) {
  const of = (outcome: Outcome) => checks.filter((check) => outcomeOf(check, strict) === outcome).length;
  const time = seconds(checks.reduce((sum, check) => sum + check.durationMs, 0));
  return { tests: checks.length, failures: of('failure'), errors: of('error'), skipped: of('skipped'), time };
}

function document(report: Report, strict: boolean): string {
  const { checks, run, kit } = report;
  const timestamp = run.startedAt;
  const scope = scopeTexts(report).map((value) => `      <property${attributes({ name: 'scope', value })}/>`);
  const properties = scope.length === 0 ? [] : ['    <properties>', ...scope, '    </properties>'];
  const suites = [...new Set(checks.map((check) => check.suite))].map((suite, at) => {
    const own = checks.filter((check) => check.suite === suite);
    const head = `  <testsuite${attributes({ name: suite, timestamp, ...counts(own, strict) })}>`;
    const suiteProperties = at === 0 ? properties : [];
    return [head, ...suiteProperties, ...own.map((check) => testcase(check, strict)), '  </testsuite>'].join('\n');
  });
  const found = findingsuite(report, strict);
  const own = counts(checks, strict);
  const causes = causesuite(report);
  const wanted = expectationsuite(report);
  const gate = gatesuite(report, own.failures + own.errors + found.failures + wanted.failures > 0);
  const about = {
    name: `${kit.name} ${kit.version}`,
    timestamp,
    ...own,
    tests: own.tests + found.tests + wanted.tests + causes.tests + gate.tests,
    failures: own.failures + found.failures + wanted.failures + gate.failures,
    skipped: own.skipped + found.skipped + wanted.skipped + causes.skipped + gate.skipped,
    time: seconds(run.durationMs),
  };
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes(about)}>`,
    ...suites,
    ...found.text,
    ...wanted.text,
    ...causes.text,
    ...gate.text,
    '</testsuites>',
    '',
  ].join('\n');
}

export const junit: Reporter = {
  id: 'junit',
  readers: 'CI systems',
  begin: fromReport((report, { strict }) => document(report, strict)),
};

/** An agent that was not judged, as one case with an error, so that a CI system sees it. */
export function unjudgedJunit(name: string, why: string, at: string): string {
  const head = { name: 'gate', timestamp: at, tests: 1, failures: 0, errors: 1, skipped: 0, time: seconds(0) };
  const { name: _, timestamp: __, ...sums } = head;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name: `a2a-tck ${name}`, ...sums })}>`,
    `  <testsuite${attributes(head)}>`,
    `    <testcase${attributes({ name: 'gate', classname: 'a2a-tck.gate', time: seconds(0) })}>`,
    `      <error${attributes({ message: why, type: 'gate' })}/>`,
    '    </testcase>',
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}
