import type { CheckResult, Report } from '../src/run/index.js';
import { isSteady, type ShownFinding } from './findings.js';
import { isFuzzOnly } from './wording.js';

export type Outcome = 'pass' | 'failure' | 'error' | 'skipped';

const counts = (level: CheckResult['level'], strict: boolean): boolean =>
  level === 'must' || (level === 'should' && strict);

/** A failure is what fails the gate; everything else that is no pass is skipped, and says why. */
export function outcomeOf(check: CheckResult, strict: boolean): Outcome {
  if (check.baseline === 'stale' || check.baseline === 'expired') return 'failure';
  if (check.verdict === 'pass') return 'pass';
  if (check.verdict === 'error') return 'error';
  return check.verdict === 'fail' && counts(check.level, strict) && check.baseline === undefined
    ? 'failure'
    : 'skipped';
}

/**
 * A finding that does not come each time, breaks no sentence, or is known, fails nothing. In a run of the fuzzer alone each
 * of them counts.
 */
export function findingOutcome(finding: ShownFinding, report: Report, strict: boolean): Outcome {
  if (isFuzzOnly(report)) return 'failure';
  return isSteady(finding) && finding.level !== undefined && counts(finding.level, strict) ? 'failure' : 'skipped';
}

/** Why a check has its outcome; empty for a pass. */
export function messageOf(check: CheckResult, outcome: Outcome): string {
  if (check.baseline === 'expired') return `baseline entry expired: ${check.reason}`;
  if (check.baseline === 'stale') return `baseline entry stale: ${check.reason}`;
  if (outcome !== 'skipped') return check.reason;
  if (check.baseline === 'known') return `known failure (baseline): ${check.reason}`;
  if (check.verdict === 'fail') return `${check.level.toUpperCase()} not met: ${check.reason}`;
  return `${check.verdict}: ${check.reason}`;
}
