import { readFileSync } from 'node:fs';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { ajv2020, schemaErrorText, TckError } from '../../model/index.js';
import { kindOf } from '../mutate/wire-mutations.js';
import type { Case } from './case.js';
import { callsOf } from './case.js';
import { excessOf } from './weight.js';

// Cases as documents. They may come from any user, so the kit checks them before it sends a request.

export const caseSchema = 'a2a-tck-fuzz-case/1';

/** A case with notes for readers: `schemas/kit/fuzz-case.schema.json`. */
export interface CaseDocument extends Case {
  readonly schema: typeof caseSchema;
  /** Version of the kit that wrote it. */
  readonly kit?: string;
  /** The bucket of the finding that it shows. */
  readonly bucket?: string;
  /** One line for people. */
  readonly why?: string;
}

/** The document of a case. */
export const documentOf = (
  { dialect, steps }: Case,
  about: Pick<CaseDocument, 'kit' | 'bucket' | 'why'> = {},
): CaseDocument => ({ schema: caseSchema, ...about, dialect, steps });

/** The case of a document. */
export const caseOf = ({ dialect, steps }: CaseDocument): Case => ({ dialect, steps });

/** Deeper values than this need `$nest`. */
const deepest = 100;
const hint = 'see schemas/kit/fuzz-case.schema.json; `a2a-tck fuzz` writes such files';

const words = { whole: 'the document', member: 'member' };

let validate: ValidateFunction | undefined;
function defectOf(document: unknown): string | undefined {
  if (validate === undefined) {
    const file = new URL('../../../schemas/kit/fuzz-case.schema.json', import.meta.url);
    const { Ajv2020 } = ajv2020();
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, ownProperties: true });
    validate = ajv.compile(JSON.parse(readFileSync(file, 'utf8')) as object);
  }
  if (validate(document)) return undefined;
  // An `if` error only repeats the error of its branch.
  const error = (validate.errors ?? []).find(({ keyword }) => keyword !== 'if');
  return error === undefined ? 'the document does not fit its schema' : schemaErrorText(error, words);
}

/** Level by level, without recursion: the document may nest as deep as a parser reads. */
function isTooDeep(document: unknown): boolean {
  let level: readonly unknown[] = [document];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepest) return true;
    level = level.flatMap((item): unknown[] => (typeof item === 'object' && item !== null ? Object.values(item) : []));
  }
  return false;
}

/**
 * Reads a document that may come from any user. `where` names it in messages.
 * @throws TckError `config` that names the defect and its place.
 */
export function readCase(document: unknown, where: string): CaseDocument {
  const wrong = (defect: string): never => {
    throw new TckError('config', `${where}: ${defect}`, hint);
  };
  if (isTooDeep(document)) wrong(`values are nested deeper than ${deepest}`);
  const defect = defectOf(document);
  if (defect !== undefined) wrong(defect);
  const read = document as CaseDocument;
  const names = new Set<string>();
  for (const step of callsOf(read)) {
    const unknown = (step.tricks ?? []).find((trick) => kindOf(trick) === undefined);
    if (unknown !== undefined) wrong(`unknown trick "${unknown.trick.slice(0, 60)}" in this version of the kit`);
    if (step.as !== undefined && names.has(step.as)) wrong(`two steps are named "${step.as}"`);
    if (step.as !== undefined) names.add(step.as);
  }
  const excess = excessOf(read);
  if (excess !== undefined) wrong(excess);
  return read;
}
