import { isObject, type JsonObject, strings } from '../../model/index.js';

// Schemas that only say which members an object has, evaluated on the names alone.

/** Whether an object with these members fits; all other keywords count as satisfied. */
export function holds(schema: unknown, present: ReadonlySet<string>): boolean {
  if (typeof schema === 'boolean') return schema;
  if (!isObject(schema)) return true;
  const { not, anyOf, allOf, if: condition, then, else: otherwise } = schema;
  if (!strings(schema['required']).every((name) => present.has(name))) return false;
  if (not !== undefined && holds(not, present)) return false;
  if (Array.isArray(anyOf) && !anyOf.some((item) => holds(item, present))) return false;
  if (Array.isArray(allOf) && !allOf.every((item) => holds(item, present))) return false;
  if (condition === undefined) return true;
  return holds(holds(condition, present) ? (then ?? true) : (otherwise ?? true), present);
}

/** Names that the schema asks for or forbids. */
export function mentionedIn(schema: JsonObject): readonly string[] {
  const inner = Object.entries(schema).flatMap(([name, value]) => {
    if (name === 'properties') return [];
    return Array.isArray(value) ? value : [value];
  });
  return [...strings(schema['required']), ...inner.filter(isObject).flatMap(mentionedIn)];
}

/** All subsets, smaller ones first; with more than eight names only subsets of two at most. */
export function subsetsOf(names: readonly string[]): readonly (readonly string[])[] {
  const all: (readonly string[])[] = [[]];
  for (const name of names) {
    const most = names.length > 8 ? 2 : names.length;
    all.push(...all.filter((item) => item.length < most).map((item) => [...item, name]));
  }
  return all.sort((a, b) => a.length - b.length);
}
