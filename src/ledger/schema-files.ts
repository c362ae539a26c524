import { existsSync, readdirSync, readFileSync } from 'node:fs';
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

/** A folder that is made from another one: what its `delta.json` holds. */
interface Delta {
  readonly extends: string;
  /** For each file that differs a merge patch (RFC 7396); a file that is not in the other folder is whole. */
  readonly files: Readonly<Record<string, unknown>>;
}

function deltaOf(folder: string): Delta | undefined {
  const file = new URL(`${folder}/delta.json`, root);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Delta) : undefined;
}

/** RFC 7396. */
function merged(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const kept = Object.entries(isObject(target) ? target : {}).filter(([name]) => !Object.hasOwn(patch, name));
  const put = Object.entries(patch).filter(([, value]) => value !== null);
  const before = isObject(target) ? target : {};
  return Object.fromEntries([...kept, ...put.map(([name, value]) => [name, merged(before[name], value)])]);
}

/** The names of the schema files of a folder. */
export function filesOf(folder: string): readonly string[] {
  const { extends: base, files } = deltaOf(folder) ?? {};
  if (base !== undefined) return [...new Set([...filesOf(base), ...Object.keys(files ?? {})])].sort();
  return readdirSync(new URL(`${folder}/`, root))
    .filter((name) => name.endsWith('.schema.json'))
    .sort();
}

/** `path`: folder and file below `schemas/`. */
function schemaAt(path: string): unknown {
  const [, folder = '', name = ''] = /^(.*)\/([^/]*)$/.exec(path) ?? [];
  const delta = deltaOf(folder);
  if (delta === undefined) return JSON.parse(readFileSync(new URL(path, root), 'utf8'));
  const base = filesOf(delta.extends).includes(name) ? schemaAt(`${delta.extends}/${name}`) : {};
  return merged(base, { ...(delta.files[name] ?? {}), $id: idOf(folder, name) });
}

/** The schema files of a folder and all files that they refer to, by `$id`. */
export function readSchemas(folder: string): ReadonlyMap<string, JsonObject> {
  const found = new Map<string, JsonObject>();
  const wanted = filesOf(folder).map((name) => idOf(folder, name));
  for (let id = wanted.pop(); id !== undefined; id = wanted.pop()) {
    if (found.has(id)) continue;
    const schema = schemaAt(id.slice(idRoot.length));
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
