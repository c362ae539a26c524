import type { Shell } from '../../../reporters/index.js';
import type { Terminal } from '../terminal.js';

export interface ReportArguments {
  readonly report?: readonly string[];
  readonly json?: boolean;
  readonly badgeLink?: string;
  readonly strict?: boolean;
  readonly verbose?: boolean;
  /** For which shell the lines of requests are. Left out: posix. */
  readonly shell?: Shell | 'posix';
}

/** Renders a stored run again. Returns 0 whatever its gate says: it was judged then. */
export async function reportCommand(file: string, given: ReportArguments, terminal: Terminal): Promise<number> {
  const { readOutputs } = await import('../output.js');
  const outputs = readOutputs(given.report ?? [], given.json ?? false);
  const { readStored } = await import('../stored-report.js');
  const { readBadgeLink } = await import('../badge-link.js');
  const { publishReport } = await import('../rendering.js');
  const { sparingly } = await import('../memory.js');
  // The report of a hostile agent may have 10 MB, and each format may be as long.
  return sparingly(() => show());

  async function show(): Promise<number> {
    const { report: stored } = await readStored(file);
    const { inShell } = await import('../../../reporters/index.js');
    const shell = given.shell === 'powershell' ? given.shell : undefined;
    const report = shell === undefined ? stored : inShell(stored, shell);
    const manner = {
      verbose: given.verbose ?? false,
      // As the run was judged, unless --strict is given.
      strict: given.strict ?? report.gate.strict ?? false,
      ...readBadgeLink(given.badgeLink),
      ...(shell === undefined ? {} : { shell }),
    };
    await publishReport(report, outputs, manner, terminal);
    return 0;
  }
}
