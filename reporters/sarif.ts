import type { CheckResult, Report } from '../src/report/index.js';
import { printable } from '../src/wire/index.js';
import { isConfirmed, readFindings } from './findings.js';
import { causesOf } from './groups.js';
import { jsonText } from './json-text.js';
import { fromReport, type ReportContext, type Reporter } from './reporter.js';
import { resultsOf } from './sarif/results.js';
import { checkRule, findingRule, sentencesOf } from './sarif/rules.js';
import { sarifText } from './sarif/text.js';
import { gateWord, scopeTexts } from './wording.js';

// Static Analysis Results Interchange Format 2.1.0, https://docs.oasis-open.org/sarif/sarif/v2.1.0/

export const sarifSchema = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

/** A message that is not about a defect of the agent: an error of the kit, or a stale entry of the baseline. */
const notification = (check: CheckResult, level: 'error' | 'warning') => ({
  level,
  message: { text: sarifText(`${check.id}: ${check.reason}`) },
  associatedRule: { id: printable(check.id) },
});

function invocationOf(report: Report) {
  const { run, gate, checks } = report;
  const errors = checks.filter(({ verdict }) => verdict === 'error');
  const stale = checks.filter(({ baseline }) => baseline === 'stale');
  const start = Date.parse(run.startedAt);
  return {
    executionSuccessful: gate.exitCode !== 70,
    exitCode: gate.exitCode,
    exitCodeDescription: [`the gate ${gateWord(gate)}`, ...gate.reasons.map((reason) => printable(reason))].join('; '),
    startTimeUtc: new Date(start).toISOString(),
    endTimeUtc: new Date(start + Math.round(run.durationMs)).toISOString(),
    toolExecutionNotifications: [
      ...errors.map((check) => notification(check, 'error')),
      ...causesOf(report).map(({ fact, advice }) => ({
        level: 'warning' as const,
        message: { text: sarifText(advice === '' ? fact : `${fact}; ${advice}`) },
      })),
      ...scopeTexts(report).map((scopeText) => ({ level: 'note' as const, message: { text: sarifText(scopeText) } })),
    ],
    toolConfigurationNotifications: stale.map((check) => notification(check, 'warning')),
  };
}

/** Rules without duplicates: of the checks, then one for each oracle of the fuzzer that found something. */
function rulesOf(report: Report, context: ReportContext, findings: ReturnType<typeof readFindings>) {
  const sentences = sentencesOf(context, report.target.profile);
  const linkOf = (id: string) => context.sentence(report.target.profile, id)?.url;
  const all = [...report.checks.map((check) => checkRule(check, sentences, linkOf)), ...findings.map(findingRule)];
  return [...new Map(all.map((rule) => [rule.id, rule])).values()];
}

function log(report: Report, context: ReportContext) {
  const { kit, target, run, gate } = report;
  const findings = readFindings(report.findings).filter(isConfirmed);
  const rules = rulesOf(report, context, findings);
  return {
    $schema: sarifSchema,
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: kit.name, version: kit.version, rules } },
        automationDetails: { id: `a2a-tck/${printable(target.profile, 40)}/` },
        invocations: [invocationOf(report)],
        columnKind: 'utf16CodeUnits',
        results: resultsOf(
          report,
          findings,
          rules.map(({ id }) => id),
        ),
        properties: { endpoint: printable(target.endpoint), seed: run.seed, requests: run.requests, gate: gate.passed },
      },
    ],
  };
}

export const sarif: Reporter = {
  id: 'sarif',
  readers: 'code scanning',
  begin: fromReport((report, context) => `${jsonText(log(report, context), 1)}\n`),
};
