import { existsSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { TckError } from '../model/tck-error.js';
import {
  type Baseline,
  type CheckResult,
  judgeGate,
  type Report,
  readBaseline,
  updatedBaseline,
} from '../report/index.js';
import { causeOf } from './cause.js';
import { makeFolder } from './folder.js';
import type { Settings } from './settings.js';
import type { Terminal } from './terminal.js';

/** What of the settings of a run is about known failures. */
export type Known = Pick<Settings, 'baselineFile' | 'updatesBaseline' | 'strict'> & {
  readonly target: Pick<Settings['target'], 'minProof'>;
};

/** The baseline that was asked for. With --update-baseline the file need not exist yet. */
export function findBaseline({ baselineFile, updatesBaseline }: Known): Baseline | undefined {
  if (baselineFile === undefined) return undefined;
  return updatesBaseline && !existsSync(baselineFile) ? { entries: [] } : readBaseline(baselineFile);
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
  try {
    makeFolder(dirname(resolve(file)));
    writeFileSync(
      file,
      updatedBaseline(report.checks, before ?? { entries: [] }, report.target.profile, report.findings),
    );
  } catch (error) {
    throw new TckError('config', `the baseline ${file} cannot be written: ${causeOf(error)}`);
  }
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
