import type { Terminal } from '../terminal.js';

export interface ReportArguments {
  readonly report?: readonly string[];
  readonly json?: boolean;
  readonly badgeLink?: string;
  readonly strict?: boolean;
  readonly verbose?: boolean;
}

/** Renders a stored run again. Its gate was judged then: whatever it said, showing it succeeds. */
export async function reportCommand(file: string, given: ReportArguments, terminal: Terminal): Promise<number> {
  const { readOutputs } = await import('../output.js');
  const outputs = readOutputs(given.report ?? [], given.json ?? false);
  const { readStored } = await import('../stored-report.js');
  const { readBadgeLink } = await import('../badge-link.js');
  const { publishReport } = await import('../rendering.js');
  const { sparingly } = await import('../memory.js');
  // The report of a hostile agent may have 10 MB, and each format is as long again.
  return sparingly(() => show());

  async function show(): Promise<number> {
    const { report } = await readStored(file);
    const manner = {
      verbose: given.verbose ?? false,
      // As it was judged, unless more is asked for.
      strict: given.strict ?? report.gate.strict ?? false,
      ...readBadgeLink(given.badgeLink),
    };
    await publishReport(report, outputs, manner, terminal);
    return 0;
  }
}
