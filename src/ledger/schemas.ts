import { _, Ajv2020, Name, str, type ValidateFunction } from 'ajv/dist/2020.js';
import { isGrpcTarget, isHttpUrl, isObject, isString, isUri, type JsonObject, memo } from '../model/index.js';
import { deepest, type Extent, extentOf, sampled, seenOf } from './bounds.js';
import { collect, escaped, type Finding, type Visits } from './findings.js';
import { type NullRemover, nullRemover } from './nulls.js';
import { fileOf, idOf, readSchemas, resolve, subschemas, unruled } from './schema-files.js';

export type { Finding } from './findings.js';
export { unruled } from './schema-files.js';

// The kit's own keywords connect the schemas to the requirement rows.
// `x-rule`: a violation at this place, or the absence of this member, belongs to the row with that key.
// `x-open`: members that `properties` does not name are allowed, and reported under that key.
// `x-nulls` at the root of a file: "unset" means that a null member counts as absent.
// This file loads ajv: import it only where documents are judged.

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
  has(ref: string): boolean;
}

/** Limits of what one inspector remembers. Larger documents rarely repeat, and cost memory. */
const mostRemembered = 2048;
const mostRememberedValues = 500;
const longestRemembered = 4096;

/** The same key for documents that no schema can tell apart; undefined: the document is not remembered. */
function keyOf(ref: string, document: unknown, { values, isBeyond }: Extent): string | undefined {
  if (values > mostRememberedValues || isBeyond) return undefined;
  const text = JSON.stringify(document);
  // `undefined` has no JSON text.
  return text === undefined || text.length > longestRemembered ? undefined : `${ref} ${text}`;
}

/**
 * An inspector for one folder below `schemas/`, e.g. `a2a/0.3.0`. References are relative to it:
 * `agent-card.schema.json`, `rpc.schema.json#/$defs/send.result`. Files are read at the first use, a schema is compiled
 * at its first use.
 */
export function createInspector(folder: string): Inspector {
  let opened: Opened | undefined;
  const open = () => {
    opened ??= openFolder(folder);
    return opened;
  };
  // `has` is called for each answer, always with the same few references.
  const had = new Map<string, boolean>();
  // Tasks are read many times, and refusals are mostly the same.
  const inspected = memo(
    keyOf,
    (ref: string, document: unknown, extent: Extent): Inspection => {
      const { validator, known, ruleOf, unset } = open();
      const id = idOf(folder, ref);
      const validate = validator(id);
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
    has(ref) {
      const known = had.get(ref) ?? resolve(open().schemas, idOf(folder, ref)) !== undefined;
      had.set(ref, known);
      return known;
    },
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
  readonly schemas: ReadonlyMap<string, JsonObject>;
  /** All member names in the schemas. */
  readonly known: ReadonlySet<string>;
  readonly validator: (id: string) => ValidateFunction;
  readonly ruleOf: (schema: unknown) => string | undefined;
  readonly unset: NullRemover;
}

function openFolder(folder: string): Opened {
  const schemas = readSchemas(folder);
  const ajv = newAjv();
  const known = new Set<string>();
  const homes = new Map<JsonObject, string>();
  const compiled = new Map<string, ValidateFunction>();
  for (const [id, schema] of schemas) {
    ajv.addSchema(schema, id);
    for (const part of subschemas(schema)) {
      homes.set(part, id);
      if (isObject(part['properties'])) for (const name of Object.keys(part['properties'])) known.add(name);
    }
  }
  const remove = nullRemover(schemas, homes);
  return {
    schemas,
    known,
    unset: (id, document) =>
      schemas.get(fileOf(id))?.['x-nulls'] === 'unset' ? remove(id, document) : { document, places: [] },
    validator: (id) => {
      const ready = compiled.get(id);
      if (ready !== undefined) return ready;
      const validate = resolve(schemas, id) && ajv.getSchema(id);
      if (validate === undefined) throw new Error(`no schema ${id}`);
      compiled.set(id, validate);
      return validate;
    },
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

/**
 * Validators make a new list of all errors so far for each invalid part of a document: ten thousand parts make ten
 * thousand lists. This adds new errors to the same list; nothing else uses the old one.
 */
const addingErrors = (code: string): string =>
  code.replaceAll(/vErrors\.concat\(([\w.]+)\)/g, '$1.reduce((all, one) => (all.push(one), all), vErrors)');

/** The name that validators give to the place of the document under validation. */
const instancePath = new Name('instancePath');

function newAjv(): Ajv2020 {
  // Our own schemas are checked against the meta schema by the tests, not at each start.
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    strict: true,
    allowUnionTypes: true,
    ownProperties: true,
    passContext: true,
    validateSchema: false,
    code: { process: addingErrors },
  });
  // Functions, not patterns: a pattern that counts in groups of four fails on a file of eight megabytes.
  ajv.addFormat('base64', (text: string) => text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text));
  ajv.addFormat('base64url', (text: string) => text.length % 4 !== 1 && /^[A-Za-z0-9_-]+$/.test(text));
  ajv.addFormat('http-url', isHttpUrl);
  ajv.addFormat('uri', isUri);
  ajv.addFormat('grpc-target', isGrpcTarget);
  ajv.addKeyword({
    keyword: 'x-rule',
    schemaType: 'string',
    // Before the inner schemas, so that the rules of one place are recorded from the outside in.
    before: '$ref',
    // Generated into the validators, because each place of each document runs it. `this` is the `Visits`.
    code({ gen, schema, it: { errorPath } }) {
      gen.code(_`this.keys.add(${schema})`);
      gen.if(_`this.rules !== undefined`, () => {
        gen.code(_`this.rules.push([${str`${instancePath}${errorPath}`}, ${schema}])`);
      });
    },
  });
  ajv.addKeyword({ keyword: 'x-nulls', schemaType: 'string' });
  ajv.addKeyword({
    keyword: 'x-open',
    schemaType: 'string',
    compile: (rule: string, schema) => {
      const named = isObject(schema['properties']) ? schema['properties'] : {};
      return function (this: Visits, data: unknown, at) {
        if (!isObject(data)) return true;
        this.keys.add(rule);
        for (const name of Object.keys(data)) {
          if (this.open.length >= 200) break;
          if (Object.hasOwn(named, name)) continue;
          const path = `${at?.instancePath ?? ''}/${escaped(name)}`;
          this.open.push({ rule, path, message: 'is no member that the schema defines', seen: seenOf(data[name]) });
        }
        return true;
      };
    },
  });
  return ajv;
}
