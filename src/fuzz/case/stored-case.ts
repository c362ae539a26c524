import type { Case } from './case.js';
import { type CaseDocument, caseOf, documentOf, readCase } from './case-file.js';

/** A case as it stands in a file: `schemas/kit/fuzz-case.schema.json`. */
export interface StoredCase {
  /** Name of the file, for messages. */
  readonly name: string;
  readonly case: Case;
  /** What it showed when it was stored; absent for a case of a corpus, which showed nothing wrong. */
  readonly bucket?: string;
  readonly why?: string;
  readonly document: CaseDocument;
}

/**
 * Reads a stored case. `where` names the file in messages.
 * @throws TckError `config` for anything that is not a case
 */
export function readStoredCase(document: unknown, where: string): StoredCase {
  const read = readCase(document, where);
  const { bucket, why } = read;
  return {
    name: where,
    case: caseOf(read),
    ...(bucket === undefined ? {} : { bucket }),
    ...(why === undefined ? {} : { why }),
    document: read,
  };
}

/** The document of a case. `found`: what it shows. */
export const caseDocument = (
  fuzzCase: Case,
  kit: string,
  found: { bucket?: string; why?: string } = {},
): CaseDocument => documentOf(fuzzCase, { kit, ...found });
