import type { ErrorObject } from 'ajv/dist/2020.js';
import { isObject, isString, strings } from './json.js';
import { stepsOf } from './json-places.js';
import { suggestion } from './nearest.js';

/** The words in which a document of a user is spoken of. */
export interface DocumentWords {
  /** The document itself: "the file". */
  readonly whole: string;
  /** What its members are: "key", "option". */
  readonly member: string;
  /** Whether a defect adds what the schema says of the member. */
  readonly describes?: boolean;
}

/**
 * An error of ajv as one sentence that names the place, and for an unknown name the nearest known one if ajv was
 * `verbose`. Values are not quoted: they may be secrets.
 */
export function schemaErrorText(error: ErrorObject, { whole, member, describes = false }: DocumentWords): string {
  const { keyword, params, message, parentSchema } = error;
  const steps = stepsOf(error.instancePath);
  const quoted = (...more: readonly string[]): string => `"${[...steps, ...more].join('.')}"`;
  if (keyword === 'additionalProperties') {
    const name = String(params['additionalProperty']);
    const properties = parentSchema?.['properties'];
    const known = isObject(properties) ? Object.keys(properties) : [];
    const hint = known.length === 0 ? '' : ` (${suggestion(name, known, `known: ${known.join(', ')}`)})`;
    return `unknown ${member} ${quoted(name)}${hint}`;
  }
  if (keyword === 'required') return `the ${member} ${quoted(String(params['missingProperty']))} is missing`;
  const subject = steps.length === 0 ? whole : `the ${member} ${quoted()}`;
  if (keyword === 'enum') return `${subject} must be one of ${strings(params['allowedValues']).join(', ')}`;
  if (keyword === 'const') return `${subject} must be ${JSON.stringify(params['allowedValue'])}`;
  const description = parentSchema?.['description'];
  const hint = describes && steps.length > 0 && isString(description) ? ` (${description})` : '';
  return `${subject} ${message ?? 'is wrong'}${hint}`;
}
