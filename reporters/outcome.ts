import { type CheckResult, failsGate, findingFailsGate, type Report } from '../src/report/index.js';
import type { ShownFinding } from './findings.js';
import { isFuzzOnly } from './wording.js';

export type Outcome = 'pass' | 'failure' | 'error' | 'skipped';

/** `failure` if the check fails the gate. Any other check that did not pass is `skipped`, but for errors of the kit. */
export function outcomeOf(check: CheckResult, strict: boolean): Outcome {
  if (failsGate(check, strict)) return 'failure';
  return check.verdict === 'pass' || check.verdict === 'error' ? check.verdict : 'skipped';
}

/**
 * A finding fails nothing if it is flaky, breaks no sentence, or is known. In a run of the fuzzer alone every finding
 * is a failure, unless the time ended before the kit could confirm it.
 */
export function findingOutcome(finding: ShownFinding, report: Report, strict: boolean): Outcome {
  return (isFuzzOnly(report) && finding.unconfirmed === undefined) || findingFailsGate(finding, strict)
    ? 'failure'
    : 'skipped';
}

/** Why a check has its outcome; empty for a pass. */
export function messageOf(check: CheckResult, outcome: Outcome): string {
  if (check.afterSet === true && outcome === 'skipped') return `added after the set: ${check.reason}`;
  if (check.baseline === 'expired') return `baseline entry expired: ${check.reason}`;
  if (check.baseline === 'stale') return `baseline entry stale: ${check.reason}`;
  if (outcome !== 'skipped') return check.reason;
  if (check.baseline === 'known') return `known failure (baseline): ${check.reason}`;
  if (check.verdict === 'fail') return `${check.level.toUpperCase()} not met: ${check.reason}`;
  return `${check.verdict === 'not-offered' ? 'not offered' : check.verdict}: ${check.reason}`;
}
