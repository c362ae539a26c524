import { type Case, callsOf, type Value } from '../case/case.js';
import { isMembers } from '../case/values.js';
import type { Symptom } from '../oracles/oracle.js';
import { causeOf } from '../report/bucket.js';

// Decides which symptoms are one finding once their cases are shrunk: what is left of a request causes the symptom.

/** Buckets of failures inside the agent, which any place of a request may cause. */
const inside = /^(alive\/\w+|error-class\/InternalError)/;

/** Members that may hold anything. */
const free = /^(metadata|data)$/;

function* within(value: Value, at = ''): Generator<readonly [name: string, at: string, value: Value]> {
  const entries = Array.isArray(value) ? [...value.entries()] : isMembers(value) ? Object.entries(value) : [];
  for (const [name, member] of entries as Iterable<readonly [string | number, Value]>) {
    const place = typeof name === 'number' ? `${at}/N` : `${at}/${name}`;
    yield [String(name), place, member];
    yield* within(member, place);
  }
}

/**
 * The cause of a symptom, read from its shrunk case `small`. A null in any list has the same cause: it breaks the same
 * loop. A valid request with the same metadata or data member has the same cause through any operation: it breaks the
 * same reader.
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
