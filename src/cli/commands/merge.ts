import type { Terminal } from '../terminal.js';
import type { ReportArguments } from './report.js';

/** Makes one report of all parts of a run. Returns the exit code that the whole run would have had. */
export async function mergeCommand(
  files: readonly string[],
  given: ReportArguments & { readonly minProof?: number },
  terminal: Terminal,
): Promise<number> {
  const { readOutputs } = await import('../output.js');
  const outputs = readOutputs(given.report ?? [], given.json ?? false);
  const { readBadgeLink } = await import('../badge-link.js');
  const { strict = false, minProof, verbose = false } = given;
  const badge = readBadgeLink(given.badgeLink);
  const { readStored } = await import('../stored-report.js');
  const parts = [];
  for (const file of files) parts.push((await readStored(file)).report);
  const { merged } = await import('../../report/index.js');
  const report = merged(parts, { strict, ...(minProof === undefined ? {} : { minProof }) });
  const { publishReport } = await import('../rendering.js');
  await publishReport(report, outputs, { verbose, strict: report.gate.strict ?? false, ...badge }, terminal);
  return report.gate.exitCode;
}
