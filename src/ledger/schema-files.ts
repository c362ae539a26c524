import { readdirSync, readFileSync } from 'node:fs';
import { isObject, isString, type JsonObject } from '../model/index.js';

/** The rule of a place that no requirement row speaks about. */
export const unruled = 'unruled';

/** dist/ keeps the layout of the sources, so this holds for both. */
const root = new URL('../../schemas/', import.meta.url);
const idRoot = 'a2a-tck:///schemas/';

/** Where the build stores the validators of a folder: see `codeOf`. */
export const compiledFile = (folder: string): URL => new URL(`compiled/${folder}.cjs`, root);

/** The id by which validators know a schema. `folder`: below `schemas/`; `ref`: file and fragment, as in a reference. */
export const idOf = (folder: string, ref: string): string => `${idRoot}${folder}/${ref}`;

/** The schema files of a folder and all files that they refer to, by `$id`. */
export function readSchemas(folder: string): ReadonlyMap<string, JsonObject> {
  const found = new Map<string, JsonObject>();
  const wanted = readdirSync(new URL(`${folder}/`, root))
    .filter((name) => name.endsWith('.schema.json'))
    .sort()
    .map((name) => idOf(folder, name));
  for (let id = wanted.pop(); id !== undefined; id = wanted.pop()) {
    if (found.has(id)) continue;
    const schema: unknown = JSON.parse(readFileSync(new URL(id.slice(idRoot.length), root), 'utf8'));
    if (!isObject(schema) || schema['$id'] !== id) throw new Error(`the $id of this file is not ${id}`);
    found.set(id, schema);
    for (const part of subschemas(schema)) {
      if (isString(part['$ref'])) wanted.push(fileOf(new URL(part['$ref'], id).href));
    }
  }
  return found;
}

export const fileOf = (id: string): string => id.split('#', 1)[0] ?? id;

/** The schema that an absolute reference names, or undefined. */
export function resolve(schemas: ReadonlyMap<string, JsonObject>, id: string): JsonObject | undefined {
  const [file = '', pointer = ''] = id.split('#', 2);
  let at: unknown = schemas.get(file);
  for (const step of pointer.split('/').slice(1)) {
    const name = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
    at = isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  }
  return isObject(at) ? at : undefined;
}

/**
 * Every object inside a schema, the schema itself first. Objects such as `properties` are included: none of their
 * members is taken for a keyword.
 */
export function* subschemas(schema: unknown): Generator<JsonObject> {
  if (isObject(schema)) yield schema;
  if (typeof schema === 'object' && schema !== null) {
    for (const inner of Object.values(schema)) yield* subschemas(inner);
  }
}
