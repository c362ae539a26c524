import { readFileSync } from 'node:fs';

// What the documents for the tests of the schemas are made of: full samples from fixtures/, and what becomes of them when
// one place is changed.

export interface Valid {
  readonly ref: string;
  readonly name: string;
  readonly document: unknown;
}
export interface Invalid extends Valid {
  readonly rule: string;
  readonly path: string;
}
export type Type = 'string' | 'boolean' | 'integer' | 'object' | 'array' | 'strings' | 'word';
/** A pointer into the sample; `!` in front: required. */
export type Place = readonly [pointer: string, type: Type, rule: string];
export interface Sample extends Valid {
  readonly places: readonly Place[];
}

export const rpc = (form: string): string => `rpc.schema.json#/$defs/${form}`;

/** Samples of `fixtures/a2a/<version>`. */
export function samplesIn(version: string) {
  const load = (name: string): unknown =>
    JSON.parse(readFileSync(new URL(`../fixtures/a2a/${version}/${name}.json`, import.meta.url), 'utf8'));
  const sample = (ref: string, name: string, places: readonly Place[] = []): Sample => ({
    ref,
    name: `the sample ${name}`,
    document: load(name),
    places,
  });
  return { load, sample };
}

/** Values that the place must not hold. No numbers for strings: the id of a request may be one. */
function wrong(type: Type): readonly unknown[] {
  if (type === 'word') return ['no-such-word', null];
  if (type === 'strings') return [[1], 'x', null];
  if (type === 'string') return [true, null];
  if (type === 'boolean') return ['true', null];
  if (type === 'integer') return [1.5, '1', null];
  if (type === 'array') return [{}, null];
  return ['x', [], null];
}

/** What null is in the place of an optional member: a value of the wrong type, or no value (ProtoJSON). */
export type Nulls = 'values' | 'unset';

function derived(sample: Sample, nulls: Nulls): { valid: Valid[]; invalid: Invalid[] } {
  const found = { valid: [] as Valid[], invalid: [] as Invalid[] };
  for (const [place, type, rule] of sample.places) {
    const required = place.startsWith('!');
    const path = required ? place.slice(1) : place;
    const without = {
      ref: sample.ref,
      name: `${sample.name} without ${path}`,
      document: changed(sample.document, path),
    };
    if (required) found.invalid.push({ ...without, rule, path });
    else found.valid.push(without);
    for (const value of wrong(type)) {
      // A list with one bad item is wrong at the item.
      const at = Array.isArray(value) && value.length === 1 ? `${path}/0` : path;
      const name = `${sample.name} with ${path} ${JSON.stringify(value)}`;
      const isUnset = nulls === 'unset' && value === null && !required;
      const broken = isUnset ? 'data.no-nulls' : rule;
      found.invalid.push({
        ref: sample.ref,
        name,
        document: changed(sample.document, path, value),
        rule: broken,
        path: at,
      });
    }
  }
  return found;
}

/** A copy in which the place holds another value, or nothing. */
export function changed(document: unknown, pointer: string, value?: unknown): unknown {
  const copy: unknown = structuredClone(document);
  const steps = pointer.split('/').slice(1);
  const last = steps.pop() ?? '';
  let at = copy as Record<string, unknown>;
  for (const step of steps) at = at[step] as Record<string, unknown>;
  if (!Object.hasOwn(at, last)) throw new Error(`the sample has no ${pointer}`);
  if (value === undefined) delete at[last];
  else at[last] = value;
  return copy;
}

export function bad(ref: string, name: string, document: unknown, rule: string, path: string): Invalid {
  return { ref, name, document: document === undefined ? undefined : JSON.parse(JSON.stringify(document)), rule, path };
}

export function varied(
  samples: readonly Sample[],
  moreValid: readonly Valid[],
  moreInvalid: readonly Invalid[],
  nulls: Nulls = 'values',
): { readonly valid: readonly Valid[]; readonly invalid: readonly Invalid[] } {
  const all = samples.map((sample) => derived(sample, nulls));
  return {
    valid: [...samples, ...all.flatMap((item) => item.valid), ...moreValid],
    invalid: [...all.flatMap((item) => item.invalid), ...moreInvalid],
  };
}

/** Every rule that a schema names, with repeats. */
export function* rulesIn(schema: unknown): Generator<string> {
  if (typeof schema !== 'object' || schema === null) return;
  for (const [name, value] of Object.entries(schema)) {
    if ((name === 'x-rule' || name === 'x-open') && typeof value === 'string') yield value;
    else yield* rulesIn(value);
  }
}
