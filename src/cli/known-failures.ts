import { existsSync } from 'node:fs';
import { openFile, writeWhole } from '../files/index.js';
import {
  type Baseline,
  type CheckResult,
  judgeGate,
  type Report,
  readBaseline,
  updatedBaseline,
} from '../report/index.js';
import type { Settings } from './settings.js';
import type { Terminal } from './terminal.js';

/** What of the settings of a run is about known failures. */
export type Known = Pick<Settings, 'baselineFile' | 'updatesBaseline' | 'strict'> & {
  readonly target: Pick<Settings['target'], 'minProof'>;
};

const what = 'the baseline';

/** The baseline that was asked for. With --update-baseline the file need not exist yet. */
export function findBaseline({ baselineFile, updatesBaseline }: Known): Baseline | undefined {
  if (baselineFile === undefined) return undefined;
  if (!updatesBaseline) return readBaseline(baselineFile);
  // Told before the run, which would be for nothing.
  openFile(baselineFile, { what }).discard();
  return existsSync(baselineFile) ? readBaseline(baselineFile) : { entries: [] };
}

function accepted(check: CheckResult): CheckResult {
  const { baseline, ...rest } = check;
  if (baseline === 'expired') return check;
  if (check.verdict === 'fail') return { ...rest, baseline: 'known' };
  return baseline === 'stale' ? { ...rest, reason: '' } : rest;
}

/**
 * Writes the failures into the baseline and returns the report judged with it: failures are known, and stale entries
 * are gone. Expired entries stay expired: only their owner may give them a later date.
 */
export function renewBaseline(
  report: Report,
  before: Baseline | undefined,
  settings: Known,
  terminal: Terminal,
): Report {
  const { baselineFile: file, strict } = settings;
  const { minProof } = settings.target;
  if (file === undefined) return report;
  if (report.run.cut !== undefined) {
    terminal.err(`a2a-tck: the baseline ${file} stays as it is: the run ended early\n`);
    return report;
  }
  const { checks: judged, findings: found, target } = report;
  writeWhole(file, updatedBaseline(judged, before ?? { entries: [] }, target.profile, found), { what });
  const checks = report.checks.map(accepted);
  const findings = report.findings.map((one) =>
    one.requirements.length === 0 || one.baseline === 'expired' ? one : { ...one, baseline: 'known' as const },
  );
  return {
    ...report,
    checks,
    findings,
    gate: judgeGate(checks, {
      strict,
      findings,
      minProof,
      messages: report.run.messages,
      causes: report.causes,
      readOnly: report.run.readOnly,
    }),
  };
}
