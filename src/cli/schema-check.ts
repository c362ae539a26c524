import { readFileSync } from 'node:fs';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { isObject, isString, strings } from '../model/index.js';
import { suggestion } from './nearest.js';

/** This file loads ajv: import it only when a file is to be judged. */

const folder = new URL('../../schemas/kit/', import.meta.url);

const place = (pointer: string): string =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.');

/** Values are not quoted: they may be secrets. */
function sentence({ keyword, params, instancePath, message, parentSchema }: ErrorObject): string {
  const where = place(instancePath);
  const at = where === '' ? '' : `"${where}" `;
  if (keyword === 'additionalProperties') {
    const key = String(params['additionalProperty']);
    const known = isObject(parentSchema?.['properties']) ? Object.keys(parentSchema['properties']) : [];
    return `unknown key "${where === '' ? key : `${where}.${key}`}" (${suggestion(key, known, `known: ${known.join(', ')}`)})`;
  }
  if (keyword === 'enum') return `${at}must be one of ${strings(params['allowedValues']).join(', ')}`;
  if (keyword === 'const') return `${at}must be ${JSON.stringify(params['allowedValue'])}`;
  if (keyword === 'required') return `"${where === '' ? '' : `${where}.`}${params['missingProperty']}" is missing`;
  const hint = where !== '' && isString(parentSchema?.['description']) ? ` (${parentSchema['description']})` : '';
  return `${where === '' ? 'the whole file ' : at}${message ?? 'is wrong'}${hint}`;
}

type SchemaName = 'config' | 'report' | 'fleet';

/** Compiled once: a merge reads many reports. */
const validators = new Map<SchemaName, ValidateFunction>();
function validatorFor(name: SchemaName): ValidateFunction {
  const known = validators.get(name);
  if (known !== undefined) return known;
  const schema = JSON.parse(readFileSync(new URL(`${name}.schema.json`, folder), 'utf8')) as object;
  const made = new Ajv2020({ verbose: true, allowUnionTypes: true }).compile(schema);
  validators.set(name, made);
  return made;
}

/** The first defect of a document by `schemas/kit/<name>.schema.json`, as one sentence; undefined if there is none. */
export function findDefect(name: SchemaName, document: unknown): string | undefined {
  const validate = validatorFor(name);
  if (validate(document)) return undefined;
  const errors = validate.errors ?? [];
  // The combining keywords only say that something inside them failed.
  const first = errors.find((error) => error.keyword !== 'anyOf' && error.keyword !== 'oneOf') ?? errors[0];
  return first === undefined ? 'the document does not fit its schema' : sentence(first);
}
