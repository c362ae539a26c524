import { readWithin } from '../files/index.js';
import { TckError } from '../model/tck-error.js';
import type { Report } from '../report/index.js';
import { causeOf } from './cause.js';

export interface StoredReport {
  readonly report: Report;
  /** The unchanged content of the file. */
  readonly bytes: Uint8Array;
}

/** Bytes. The kit writes no report of half this size. */
const longest = 64 * 1024 * 1024;

/** Reads a report that `--report json=<file>` wrote. Throws `TckError('usage')` for anything else. */
export async function readStored(file: string): Promise<StoredReport> {
  let bytes: Uint8Array;
  let document: unknown;
  try {
    bytes = readWithin(file, longest);
    document = JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    throw new TckError(
      'usage',
      `${file} cannot be read: ${causeOf(error)}`,
      'it must be a report that --report json=<file> wrote',
    );
  }
  const { findDefect } = await import('./schema-check.js');
  const defect = findDefect('report', document);
  if (defect !== undefined) throw new TckError('usage', `${file} is not a report of this kit: ${defect}`);
  const { readReport } = await import('../../reporters/index.js');
  return { report: readReport(document as Parameters<typeof readReport>[0]), bytes };
}
