import type { CheckResult, Report } from '../src/run/index.js';
import { isPrintable, printable } from '../src/wire/index.js';
import { fromReport, type Reporter } from './reporter.js';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Text for XML 1.0, where most control characters cannot stand even when escaped: they are shown instead (`\x1b`). */
const xml = (text: string): string =>
  (isPrintable(text) ? text : printable(text, Number.POSITIVE_INFINITY)).replace(
    /[&<>"']/g,
    (one) => entities[one] ?? '',
  );

const attributes = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${xml(String(value))}"`)
    .join('');

const seconds = (ms: number): string => (ms / 1000).toFixed(3);

type Outcome = 'pass' | 'failure' | 'error' | 'skipped';

/** A failure is what fails the gate; everything else that is no pass is skipped, and says why. */
function outcomeOf(check: CheckResult, strict: boolean): Outcome {
  if (check.baseline === 'stale' || check.baseline === 'expired') return 'failure';
  if (check.verdict === 'pass') return 'pass';
  if (check.verdict === 'error') return 'error';
  const counts = check.level === 'must' || (check.level === 'should' && strict);
  return check.verdict === 'fail' && counts && check.baseline === undefined ? 'failure' : 'skipped';
}

function messageOf(check: CheckResult, outcome: Outcome): string {
  if (outcome !== 'skipped') return check.reason;
  if (check.baseline === 'known') return `known failure (baseline): ${check.reason}`;
  if (check.verdict === 'fail') return `${check.level.toUpperCase()} not met: ${check.reason}`;
  return `${check.verdict}: ${check.reason}`;
}

function detailsOf(check: CheckResult): string {
  const lines = [
    ['requirements', check.requirements.join(', ')],
    ['section', check.section],
    ['expected', check.expected],
    ['came', check.actual],
    ['repeat', check.curl ?? ''],
    ['to do', check.advice ?? ''],
  ];
  return lines.flatMap(([name, value]) => (value ? [`${name}: ${xml(value)}`] : [])).join('\n');
}

function testcase(check: CheckResult, strict: boolean): string {
  const outcome = outcomeOf(check, strict);
  const about = { name: check.id, classname: `a2a-tck.${check.suite}`, time: seconds(check.durationMs) };
  const properties = { level: check.level, verdict: check.verdict, title: check.title };
  const told = Object.entries(properties).map(([name, value]) => `        <property${attributes({ name, value })}/>`);
  const lines = [`    <testcase${attributes(about)}>`, '      <properties>', ...told, '      </properties>'];
  const message = attributes({ message: messageOf(check, outcome) });
  if (outcome === 'skipped') lines.push(`      <skipped${message}/>`);
  else if (outcome !== 'pass') {
    const type = attributes({ type: check.baseline ?? check.level });
    lines.push(`      <${outcome}${message}${type}>${detailsOf(check)}</${outcome}>`);
  }
  return [...lines, '    </testcase>'].join('\n');
}

function counts(checks: readonly CheckResult[], strict: boolean): Readonly<Record<string, string | number>> {
  const of = (outcome: Outcome) => checks.filter((check) => outcomeOf(check, strict) === outcome).length;
  const time = seconds(checks.reduce((sum, check) => sum + check.durationMs, 0));
  return { tests: checks.length, failures: of('failure'), errors: of('error'), skipped: of('skipped'), time };
}

function document(report: Report, strict: boolean): string {
  const { checks, run, kit } = report;
  const timestamp = run.startedAt;
  const suites = [...new Set(checks.map((check) => check.suite))].map((suite) => {
    const own = checks.filter((check) => check.suite === suite);
    const head = `  <testsuite${attributes({ name: suite, timestamp, ...counts(own, strict) })}>`;
    return [head, ...own.map((check) => testcase(check, strict)), '  </testsuite>'].join('\n');
  });
  const about = {
    name: `${kit.name} ${kit.version}`,
    timestamp,
    ...counts(checks, strict),
    time: seconds(run.durationMs),
  };
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes(about)}>`,
    ...suites,
    '</testsuites>',
    '',
  ].join('\n');
}

export const junit: Reporter = {
  id: 'junit',
  about: 'JUnit XML for CI systems: failures are what fails the gate, all else that is no pass is skipped',
  begin: fromReport((report, { strict }) => document(report, strict)),
};
