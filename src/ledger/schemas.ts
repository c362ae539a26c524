import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { isObject, isString, type JsonObject, memo } from '../model/index.js';
import { deepest, type Extent, extentOf, sampled, seenOf } from './bounds.js';
import { collect, escaped, type Finding, type Visits } from './findings.js';
import { type NullRemover, nullRemover } from './nulls.js';
import { codeOf, formats } from './schema-code.js';
import { compiledFile, fileOf, idOf, readSchemas, resolve, subschemas, unruled } from './schema-files.js';
import { unknownMember } from './unknown-member.js';

export type { Finding } from './findings.js';
export { unruled } from './schema-files.js';

// The kit's own keywords connect the schemas to the requirement rows.
// `x-rule`: a violation at this place, or the absence of this member, belongs to the row with that key.
// `x-open`: members that `properties` does not name are allowed, and reported under that key.
// `x-nulls` at the root of a file: "unset" means that a null member counts as absent.

export interface Inspection {
  readonly findings: readonly Finding[];
  /** How many more places of each rule are broken than `findings` has. */
  readonly more: ReadonlyMap<string, number>;
  /** Keys that could be judged: their place was present in the document, or required and missing. */
  readonly visited: ReadonlySet<string>;
}

export interface Inspector {
  /** @throws Error when the folder has no such schema: the caller's mistake, never the document's. */
  inspect(ref: string, document: unknown): Inspection;
  /** Whether `inspect` knows the reference. */
  has(ref: string): boolean;
}

/** Limits of what one inspector remembers. Larger documents rarely repeat, and cost memory. */
const mostRemembered = 2048;
const mostRememberedValues = 500;
const longestRemembered = 4096;

/** The same key for documents that are the same to every schema; undefined: the document is not remembered. */
function keyOf(ref: string, document: unknown, { values, isBeyond }: Extent): string | undefined {
  if (values > mostRememberedValues || isBeyond) return undefined;
  const text = JSON.stringify(document);
  // `undefined` has no JSON text.
  return text === undefined || text.length > longestRemembered ? undefined : `${ref} ${text}`;
}

/**
 * An inspector for one folder below `schemas/`, e.g. `a2a/0.3.0`. References are relative to it:
 * `agent-card.schema.json`, `rpc.schema.json#/$defs/send.result`: a file, or a definition in it. Files are read at the
 * first use.
 */
export function createInspector(folder: string): Inspector {
  let opened: Opened | undefined;
  const open = () => {
    opened ??= openFolder(folder);
    return opened;
  };
  // Tasks are read many times, and refusals are mostly the same.
  const inspected = memo(
    keyOf,
    (ref: string, document: unknown, extent: Extent): Inspection => {
      const { validator, known, ruleOf, unset } = open();
      const id = idOf(folder, ref);
      const validate = validator(id);
      if (validate === undefined) throw new Error(`no schema ${id}`);
      const read = extent.hasNull ? unset(id, document) : { document, places: [] };
      const sample = sampled(read.document, extent.values, known);
      let visits: Visits = { keys: new Set(), open: [] };
      try {
        // Most documents are valid: the places of rules are only recorded for the others, in a second pass.
        if (!validate.call(visits, sample)) {
          visits = { rules: [], keys: new Set(), open: [] };
          validate.call(visits, sample);
        }
      } catch (cause) {
        // The engine for regular expressions fails on some texts of many megabytes.
        if (cause instanceof RangeError) return unreadable('too large to inspect', document);
        throw cause;
      }
      const { findings, more } = collect(validate.errors ?? [], visits, ruleOf, read.places);
      // The errors refer to the document and would keep it in memory.
      validate.errors = null;
      for (const { rule } of findings) visits.keys.add(rule);
      visits.keys.delete(unruled);
      return { findings, more, visited: visits.keys };
    },
    mostRemembered,
  );
  return {
    has: (ref) => open().validator(idOf(folder, ref)) !== undefined,
    inspect(ref, document) {
      const extent = extentOf(document);
      return extent.depth > deepest ? unreadable('nested too deep', document) : inspected(ref, document, extent);
    },
  };
}

const unreadable = (message: string, document: unknown): Inspection => ({
  findings: [{ rule: unruled, path: '', message, seen: seenOf(document) }],
  more: new Map(),
  visited: new Set(),
});

interface Opened {
  /** All member names in the schemas. */
  readonly known: ReadonlySet<string>;
  readonly validator: (id: string) => ValidateFunction | undefined;
  readonly ruleOf: (schema: unknown) => string | undefined;
  readonly unset: NullRemover;
}

/** The validators of a folder by the ids of their schemas. */
type Validators = Readonly<Record<string, ValidateFunction>>;
type MakeValidators = (
  at: (id: string) => JsonObject | undefined,
  valid: typeof formats,
  openMembers: typeof noteOpenMembers,
) => Validators;

const load = createRequire(import.meta.url);

/** The code of the build. The tests, which run from the sources, make it themselves. */
const makerOf = import.meta.url.endsWith('.ts')
  ? memo(
      (folder: string) => folder,
      (folder): MakeValidators => {
        const made: { exports?: MakeValidators } = {};
        new Function('module', 'require', codeOf(folder))(made, load);
        return made.exports as MakeValidators;
      },
      20,
    )
  : (folder: string): MakeValidators => load(fileURLToPath(compiledFile(folder))) as MakeValidators;

function openFolder(folder: string): Opened {
  const schemas = readSchemas(folder);
  const validators = makerOf(folder)((id) => resolve(schemas, id), formats, noteOpenMembers);
  const known = new Set<string>();
  const homes = new Map<JsonObject, string>();
  for (const [id, schema] of schemas) {
    for (const part of subschemas(schema)) {
      homes.set(part, id);
      if (isObject(part['properties'])) for (const name of Object.keys(part['properties'])) known.add(name);
    }
  }
  const remove = nullRemover(schemas, homes);
  return {
    known,
    unset: (id, document) =>
      schemas.get(fileOf(id))?.['x-nulls'] === 'unset' ? remove(id, document) : { document, places: [] },
    validator: (id) => (Object.hasOwn(validators, id) ? validators[id] : undefined),
    ruleOf: (schema) => {
      if (!isObject(schema)) return undefined;
      if (isString(schema['x-rule'])) return schema['x-rule'];
      const home = homes.get(schema);
      if (home === undefined || !isString(schema['$ref'])) return undefined;
      const target = resolve(schemas, new URL(schema['$ref'], home).href)?.['x-rule'];
      return isString(target) ? target : undefined;
    },
  };
}

/** Called by the validators for `x-open`, with the `properties` of its schema. */
function noteOpenMembers(visits: Visits, data: unknown, rule: string, properties: unknown, path: string): void {
  if (!isObject(data)) return;
  visits.keys.add(rule);
  const named = isObject(properties) ? properties : {};
  for (const name of Object.keys(data)) {
    if (visits.open.length >= 200) break;
    if (Object.hasOwn(named, name)) continue;
    visits.open.push({ rule, path: `${path}/${escaped(name)}`, message: unknownMember, seen: seenOf(data[name]) });
  }
}
