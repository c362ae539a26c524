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
import { plural } from '../wire/index.js';
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
  // Said before the run, which would be for nothing.
  openFile(baselineFile, { what }).discard();
  return existsSync(baselineFile) ? readBaseline(baselineFile) : { entries: [] };
}

function accepted(check: CheckResult, strict: boolean): CheckResult {
  const { baseline, ...rest } = check;
  if (baseline === 'expired') return check;
  if (check.verdict === 'fail') {
    const isListed = baseline !== undefined || check.level === 'must' || strict;
    return isListed ? { ...rest, baseline: 'known' } : check;
  }
  return baseline === 'stale' ? { ...rest, reason: '' } : rest;
}

/** "the baseline a.yaml has 4 entries: 3 new, 1 taken out, for its check passes; …". */
function updateText(file: string, { entries, added, removed, leftOut }: ReturnType<typeof updatedBaseline>): string {
  const lines = [
    `${added} new`,
    ...(removed === 0 ? [] : [`${removed} taken out, whose checks pass`]),
    ...(leftOut === 0 ? [] : [`${plural(leftOut, 'failure')} of SHOULD left out (--strict writes them too)`]),
  ];
  return `${what} ${file} has ${plural(entries, 'entry', 'entries')}: ${lines.join('; ')}`;
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
    terminal.err(`a2a-tck: the baseline ${file} stays unchanged: the run ended early\n`);
    return report;
  }
  const updated = updatedBaseline({ ...report, strict }, before ?? { entries: [] }, report.target.profile);
  writeWhole(file, updated.text, { what });
  terminal.err(`a2a-tck: ${updateText(file, updated)}\n`);
  const checks = report.checks.map((check) => accepted(check, strict));
  const findings = report.findings.map((finding) => {
    const isListed = finding.level === 'must' || (strict && finding.level === 'should');
    return !isListed || finding.baseline === 'expired' ? finding : { ...finding, baseline: 'known' as const };
  });
  return {
    ...report,
    checks,
    findings,
    gate: judgeGate(checks, {
      strict,
      findings,
      expectations: report.expectations,
      minProof,
      messages: report.run.messages,
      causes: report.causes,
      readOnly: report.run.readOnly,
    }),
  };
}
