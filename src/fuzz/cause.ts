import { causeOf } from './bucket.js';
import { type Case, callsOf, type Value } from './case.js';
import type { Symptom } from './oracle.js';
import { isMembers } from './values.js';

// What makes two symptoms one finding, once each was made small: what is left of the request is what it takes.

/** Oracles that tell of what breaks inside, wherever it was put. */
const inside = /^(alive\/\w+|error-class\/InternalError)/;

/** Members that may hold anything. */
const free = /^(metadata|data)$/;

function* within(value: Value, at = ''): Generator<readonly [name: string, at: string, value: Value]> {
  const entries = Array.isArray(value) ? [...value.entries()] : isMembers(value) ? Object.entries(value) : [];
  for (const [name, one] of entries as Iterable<readonly [string | number, Value]>) {
    const place = typeof name === 'number' ? `${at}/N` : `${at}/${name}`;
    yield [String(name), place, one];
    yield* within(one, place);
  }
}

/**
 * The cause of a symptom that `small` shows. A null in a list breaks the same loop in any list; what a valid request
 * brings along in a member that may hold anything breaks the same reader through any operation.
 */
export function settledCause(symptom: Symptom, small: Case): string {
  const known = causeOf(symptom);
  const [what] = inside.exec(symptom.bucket) ?? [];
  if (what === undefined) return known;
  const calls = callsOf(small);
  const values = calls.flatMap(({ params = null, edits = [] }): readonly (readonly [string, string, Value])[] => [
    ...within(params, '/params'),
    ...edits.flatMap(({ at, value = null }) => [
      ['', at.replaceAll(/\/\d+/g, '/N'), value] as const,
      ...within(value, at),
    ]),
  ]);
  if (values.some(([, at, value]) => value === null && /\/N$/.test(at))) return `${what} null in a list`;
  if (!symptom.bucket.endsWith(' valid')) return known;
  const held = values.find(([name]) => free.test(name));
  return held === undefined ? known : `${what} valid ${held[1]}`;
}
