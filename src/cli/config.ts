import { readFileSync } from 'node:fs';
import { isObject, isString, type JsonObject } from '../model/index.js';
import { TckError } from '../model/tck-error.js';
import { causeOf } from './cause.js';
import type { CliOptions } from './cli-options.js';

const hint =
  'it takes the options of a2a-tck run by the same names, and behaviours; see schemas/kit/config.schema.json';
const camel = (name: string): string => name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
const listed = new Set([
  'suite',
  'check',
  'report',
  'header',
  'query-env',
  'second-header',
  'second-query-env',
  'allow-origin',
  'x402-allow-network',
  'x402-asset',
]);

/** Short forms: a string in place of a behaviour with that text, and in place of a list of one. */
function plain(name: string, value: unknown): unknown {
  if (name === 'behaviours' && isObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([goal, one]) => [goal, isString(one) ? { text: one } : one]));
  }
  return listed.has(name) && isString(value) ? [value] : value;
}

/** The options of a document that fits its schema. */
export function givenOf(document: JsonObject): CliOptions {
  const entries = Object.entries(document).filter(([name]) => name !== '$schema');
  return Object.fromEntries(entries.map(([name, value]) => [camel(name), plain(name, value)])) as CliOptions;
}

/** YAML or JSON in a file. Throws `TckError('config')` for a file that cannot be read. */
export async function readDocument(option: string, file: string): Promise<unknown> {
  const { parse } = await import('yaml');
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'there is no such file' : causeOf(error);
    throw new TckError('config', `${option} ${file} cannot be read: ${why}`);
  }
  try {
    return parse(text, { prettyErrors: false });
  } catch (error) {
    // After a colon the parser quotes the file, so the message is cut there.
    throw new TckError('config', `${file} is neither YAML nor JSON: ${causeOf(error).replace(/: .*/, '')}`);
  }
}

/**
 * Reads YAML or JSON. Throws `TckError('config')` for a file that cannot be read, or with unknown keys or wrong types.
 */
export async function readConfig(file: string): Promise<CliOptions> {
  const document = await readDocument('--config', file);
  const { findDefect } = await import('./schema-check.js');
  const defect = findDefect('config', document ?? {});
  if (defect !== undefined) throw new TckError('config', `${file}: ${defect}`, hint);
  return givenOf((document ?? {}) as JsonObject);
}
