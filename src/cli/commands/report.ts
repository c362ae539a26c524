import { readFileSync } from 'node:fs';
import { TckError } from '../../model/tck-error.js';
import { causeOf } from '../cause.js';
import type { Terminal } from '../terminal.js';

export interface ReportArguments {
  readonly report?: readonly string[];
  readonly json?: boolean;
  readonly strict?: boolean;
  readonly verbose?: boolean;
}

/** Renders a stored run again. Its gate was judged then: whatever it said, showing it succeeds. */
export async function reportCommand(file: string, given: ReportArguments, terminal: Terminal): Promise<number> {
  const { readOutputs } = await import('../output.js');
  const outputs = readOutputs(given.report ?? [], given.json ?? false);
  let document: unknown;
  try {
    document = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new TckError(
      'usage',
      `${file} cannot be read: ${causeOf(error)}`,
      'it must be a report that --report json=<file> wrote',
    );
  }
  const { findDefect } = await import('../schema-check.js');
  const defect = findDefect('report', document);
  if (defect !== undefined) throw new TckError('usage', `${file} is no report of this kit: ${defect}`);
  const { readReport } = await import('../../../reporters/index.js');
  const { publishReport } = await import('../rendering.js');
  const manner = { verbose: given.verbose ?? false, strict: given.strict ?? false };
  publishReport(readReport(document as Parameters<typeof readReport>[0]), outputs, manner, terminal);
  return 0;
}
