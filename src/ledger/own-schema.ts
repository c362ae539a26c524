import type { AnySchemaObject } from 'ajv';
import type { JsonObject } from '../model/index.js';
import { deepest, extentOf, sampled, seenOf } from './bounds.js';
import { collect, type Finding, type Visits } from './findings.js';
import { newAjv } from './schema-code.js';
import { subschemas, unruled } from './schema-files.js';

/** Judges values by one schema, at most 200 findings each. */
export type OwnInspector = (value: unknown) => readonly Finding[];

/**
 * Compiles a schema that is not in `schemas/`, JSON Schema 2020-12 with the formats and limits of the kit. Throws an
 * Error that names the fault of the schema.
 */
export function ownInspector(schema: JsonObject): OwnInspector {
  const validate = newAjv().compile(schema as AnySchemaObject);
  const known = new Set([...subschemas(schema)].flatMap(({ properties }) => Object.keys(properties ?? {})));
  return (value) => {
    const { depth, values } = extentOf(value);
    if (depth > deepest) return unreadable('nested too deep', value);
    const visits: Visits = { keys: new Set(), open: [] };
    try {
      if (validate.call(visits, sampled(value, values, known))) return [];
      return collect(validate.errors ?? [], visits, () => undefined).findings;
    } catch (cause) {
      // The engine for regular expressions fails on some texts of many megabytes.
      if (cause instanceof RangeError) return unreadable('too large to inspect', value);
      throw cause;
    } finally {
      // The errors refer to the document and would keep it in memory.
      validate.errors = null;
    }
  };
}

const unreadable = (message: string, value: unknown): readonly Finding[] => [
  { rule: unruled, path: '', message, seen: seenOf(value) },
];
