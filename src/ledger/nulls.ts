import { isObject, isString, type JsonObject } from '../model/index.js';
import { escaped } from './findings.js';
import { resolve } from './schema-files.js';

// ProtoJSON: null is accepted for every field and means its default, so a null member counts as not set. This does not
// hold inside arrays and maps, nor where null is a value: such a schema has the type null.

export interface WithoutNulls {
  readonly document: unknown;
  /** JSON pointers of members that were null; at most 200. */
  readonly places: readonly string[];
}

const mostPlaces = 200;
const besides = ['allOf', 'anyOf', 'oneOf'] as const;
const branches = ['if', 'then', 'else'] as const;

/** Removes the null members that the schemas name; it changes nothing inside parts that they leave open. */
export type NullRemover = (id: string, document: unknown) => WithoutNulls;

export function nullRemover(
  schemas: ReadonlyMap<string, JsonObject>,
  homes: ReadonlyMap<JsonObject, string>,
): NullRemover {
  const known = new Map<JsonObject, readonly JsonObject[]>();
  /** All schemas that apply to the same place: the schema itself, those it refers to, and its branches. */
  function layers(schema: JsonObject): readonly JsonObject[] {
    const ready = known.get(schema);
    if (ready !== undefined) return ready;
    const found = new Set<JsonObject>();
    const waiting: unknown[] = [schema];
    for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) {
      if (!isObject(item) || found.has(item)) continue;
      found.add(item);
      const home = homes.get(item);
      if (isString(item['$ref']) && home !== undefined)
        waiting.push(resolve(schemas, new URL(item['$ref'], home).href));
      for (const name of besides) if (Array.isArray(item[name])) waiting.push(...(item[name] as readonly unknown[]));
      for (const name of branches) if (item[name] !== undefined) waiting.push(item[name]);
    }
    const all = [...found];
    known.set(schema, all);
    return all;
  }

  const takesNull = (places: readonly unknown[]): boolean =>
    places
      .filter(isObject)
      .flatMap(layers)
      .some(({ type }) => Array.isArray(type) && type.includes('null'));

  return (id, document) => {
    const places: string[] = [];
    const path: string[] = [];

    function clean(value: unknown, at: readonly JsonObject[]): unknown {
      // Each schema once: those that several branches name would double at each level.
      const all = [...new Set(at.flatMap(layers))];
      if (Array.isArray(value)) {
        const items = all.map(({ items: inner }) => inner).filter(isObject);
        return items.length === 0 ? value : value.map((inner, index) => below(String(index), inner, items));
      }
      if (!isObject(value) || all.length === 0) return value;
      const kept: [string, unknown][] = [];
      for (const name of Object.keys(value)) {
        const inner = value[name];
        const named = all.flatMap(({ properties }) =>
          isObject(properties) && Object.hasOwn(properties, name) ? [properties[name]] : [],
        );
        if (inner === null && named.length > 0 && !takesNull(named)) {
          if (places.length < mostPlaces)
            places.push(`${path.map((step) => `/${escaped(step)}`).join('')}/${escaped(name)}`);
          continue;
        }
        const others = named.length > 0 ? [] : all.map(({ additionalProperties }) => additionalProperties);
        kept.push([name, below(name, inner, [...named, ...others].filter(isObject))]);
      }
      // fromEntries defines members, so `__proto__` stays a plain one.
      return Object.fromEntries(kept);
    }
    function below(step: string, value: unknown, at: readonly JsonObject[]): unknown {
      if (typeof value !== 'object' || value === null || at.length === 0) return value;
      path.push(step);
      const cleaned = clean(value, at);
      path.pop();
      return cleaned;
    }

    const schema = resolve(schemas, id);
    return { document: schema === undefined ? document : clean(document, [schema]), places };
  };
}
