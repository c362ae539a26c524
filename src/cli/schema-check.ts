import { readFileSync } from 'node:fs';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { schemaErrorText, stepsOf } from '../model/index.js';

/** This file loads ajv: import it only when a file is to be judged. */

const folder = new URL('../../schemas/kit/', import.meta.url);

type SchemaName = 'config' | 'report' | 'fleet' | 'tape';

/** Compiled once: a merge reads many reports. */
const validators = new Map<SchemaName, ValidateFunction>();
function validatorFor(name: SchemaName): ValidateFunction {
  const known = validators.get(name);
  if (known !== undefined) return known;
  // A tape is made of exchanges as a report has them.
  const file = name === 'tape' ? 'report' : name;
  const schema = JSON.parse(readFileSync(new URL(`${file}.schema.json`, folder), 'utf8')) as { readonly $id: string };
  const ajv = new Ajv2020({ verbose: true, allowUnionTypes: true, allErrors: file !== 'report' }).addSchema(schema);
  const made = ajv.compile({ $ref: name === 'tape' ? `${schema.$id}#/$defs/tape` : schema.$id });
  validators.set(name, made);
  return made;
}

const words = { whole: 'the whole file', member: 'key', describes: true };

/** A defect of a document. */
export interface Defect {
  /** Where it is: names of members, and numbers of entries. An unknown key is named itself. */
  readonly path: readonly string[];
  /** One sentence. */
  readonly text: string;
}

const pathOf = (error: ErrorObject): readonly string[] => [
  ...stepsOf(error.instancePath),
  ...(error.keyword === 'additionalProperties' ? [String(error.params['additionalProperty'])] : []),
];

/** All defects of a document by `schemas/kit/<name>.schema.json`, one for each place. */
export function findDefects(name: SchemaName, document: unknown): readonly Defect[] {
  const validate = validatorFor(name);
  if (validate(document)) return [];
  const errors = validate.errors ?? [];
  // The combining keywords only say that something inside them failed.
  const own = errors.filter(({ keyword }) => keyword !== 'anyOf' && keyword !== 'oneOf');
  const byPlace = new Map<string, Defect>();
  for (const error of own.length > 0 ? own : errors) {
    const path = pathOf(error);
    const place = JSON.stringify(error.keyword === 'required' ? [...path, error.params['missingProperty']] : path);
    if (!byPlace.has(place)) byPlace.set(place, { path, text: schemaErrorText(error, words) });
  }
  return byPlace.size > 0 ? [...byPlace.values()] : [{ path: [], text: 'the document does not fit its schema' }];
}

/** The first defect, as one sentence; undefined if there is none. */
export const findDefect = (name: SchemaName, document: unknown): string | undefined =>
  findDefects(name, document)[0]?.text;
