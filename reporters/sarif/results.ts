import { createHash } from 'node:crypto';
import type { CheckResult, Report } from '../../src/report/index.js';
import { canParseUrl, printable } from '../../src/wire/index.js';
import { confirmationOf, type ShownFinding, scriptOf } from '../findings.js';
import { type Exchanges, exchangesById, exhibitOf, operationOf } from '../operation.js';
import { expectationOf, problemOf } from '../story.js';
import { findingRule, levelOf } from './rules.js';
import { sarifText } from './text.js';

const usualCard = '.well-known/agent-card.json';

/**
 * Code scanning needs a file of the repository, which an agent does not have. The path of its card stands for one, if
 * it is a plain path.
 */
function cardPath({ cardUrl }: Report['target']): string {
  const path = cardUrl !== undefined && canParseUrl(cardUrl) ? new URL(cardUrl).pathname.slice(1) : '';
  return /^[\w.-]+(\/[\w.-]+)*$/.test(path) && path.length <= 200 ? path : usualCard;
}

const originOf = (url: string): string => (canParseUrl(url) ? new URL(url).origin : url);

/**
 * The same defect of the same agent has the same fingerprints in every run. Code scanning of GitHub reads only the
 * second one. Without it, GitHub would use the line, which is the same for all results.
 */
function fingerprints(
  name: string,
  id: string,
  { profile, endpoint }: Report['target'],
): Readonly<Record<string, string>> {
  const hash = createHash('sha256')
    .update(JSON.stringify([id, profile, originOf(endpoint)]))
    .digest('hex');
  return { [`${name}/v1`]: hash, primaryLocationLineHash: `${hash.slice(0, 16)}:1` };
}

const place = (target: Report['target'], operation: string | undefined) => ({
  physicalLocation: { artifactLocation: { uri: cardPath(target) }, region: { startLine: 1 } },
  logicalLocations: [
    {
      name: operation ?? printable(target.endpoint, 300),
      fullyQualifiedName: `${printable(target.endpoint, 300)}${operation === undefined ? '' : ` ${operation}`}`,
      kind: 'resource',
    },
  ],
});

const sentence = (name: string, text: string | undefined): readonly string[] => (text ? [`${name}: ${text}`] : []);

function checkResult(check: CheckResult, report: Report, ruleIndex: number, exchanges: Exchanges) {
  const { id, level, baseline, requirements } = check;
  const exchange = exhibitOf(check, exchanges);
  const lines = [
    problemOf(check),
    ...sentence('Expected', expectationOf(check)),
    ...(check.actual === check.reason ? [] : sentence('Actual', check.actual)),
    ...sentence('Fix', check.advice),
    ...(baseline === 'expired' ? ['Its baseline entry has expired'] : []),
  ];
  return {
    ruleId: printable(id),
    ruleIndex,
    ...(check.verdict === 'not-offered'
      ? ({ kind: 'informational', level: 'none' } as const)
      : ({ kind: 'fail', level: levelOf(level) } as const)),
    message: { text: lines.map((line) => sarifText(line)).join('\n') || printable(id) },
    locations: [place(report.target, exchange && operationOf(exchange))],
    partialFingerprints: fingerprints('a2aTckCheck', id, report.target),
    ...(baseline === 'known'
      ? { suppressions: [{ kind: 'external', status: 'accepted', justification: 'a known failure of the baseline' }] }
      : {}),
    properties: {
      requirements: requirements.map((requirement) => printable(requirement)),
      exchanges: check.exchanges,
      ...(baseline === undefined ? {} : { baseline }),
      ...(check.cause === undefined ? {} : { cause: printable(check.cause) }),
      ...(check.curl === undefined ? {} : { curl: printable(check.curl, 20_000) }),
    },
  };
}

function findingResult(finding: ShownFinding, report: Report, ruleIndex: number) {
  const { id, title, detail, level, requirements, steps, seed } = finding;
  const lines = [title, ...(detail === '' ? [] : [detail]), `It was ${confirmationOf(finding)}`];
  return {
    ruleId: findingRule(finding).id,
    ruleIndex,
    kind: 'fail',
    level: levelOf(level),
    message: { text: lines.map((line) => sarifText(line)).join('\n') },
    locations: [place(report.target, undefined)],
    partialFingerprints: fingerprints('a2aTckFinding', `fuzz/${id}`, report.target),
    properties: {
      id: printable(id),
      requirements: requirements.map((requirement) => printable(requirement)),
      steps,
      seed,
      case: finding.case,
      script: scriptOf(finding),
    },
  };
}

/** Failed checks, of which known ones are suppressed, what is not offered as information, and findings. `rules`: ids, in order. */
export function resultsOf(report: Report, findings: readonly ShownFinding[], rules: readonly string[]) {
  const exchanges = exchangesById(report);
  const places = new Map(rules.map((id, index) => [id, index]));
  const indexOf = (id: string) => places.get(id) ?? -1;
  return [
    ...report.checks
      .filter(({ verdict }) => verdict === 'fail' || verdict === 'not-offered')
      .map((check) => checkResult(check, report, indexOf(printable(check.id)), exchanges)),
    ...findings.map((finding) => findingResult(finding, report, indexOf(findingRule(finding).id))),
  ];
}
