import { isObject } from '../../model/index.js';
import type { CallStep, Value } from '../case/case.js';
import { withAt } from '../case/pointer.js';
import { escapeStep } from '../case/values.js';
import { placeOf } from './mutation.js';

// Fields of a request that can be made larger and smaller.

export interface Sizable {
  /** `/params/message/parts`, as places are written in buckets. */
  readonly place: string;
  /** Characters, items, members, levels, or a number. */
  readonly count: number;
  /** Bytes in the request, about. */
  readonly weight: number;
  /** It is a change to a valid request. */
  readonly changed: boolean;
  /** The step with `factor` times as much there, at least one. */
  scaled(factor: number): CallStep;
}

/** Smaller values cost nothing: a slow answer to them is the agent's own work. */
const least = { text: 256, list: 16, members: 16, depth: 8, number: 64 } as const;
/**
 * Objects whose members the schema does not name. Elsewhere members are not removed: without one of its own members a
 * message means something else.
 */
const isOpen = (at: string): boolean => /\/(metadata|data)(\/|$)/.test(at);
const ways = ['$text', '$list', '$nest'] as const;
/** At most so many values of one field are visited. */
const mostVisited = 5000;

interface Sized {
  readonly count: number;
  readonly isLarge: boolean;
  /** The count is that of members. */
  readonly isOfMembers?: true;
}

function countOf(value: Value): Sized | undefined {
  if (typeof value === 'string') return { count: value.length, isLarge: value.length >= least.text };
  if (typeof value === 'number') return { count: value, isLarge: value >= least.number };
  if (Array.isArray(value)) return { count: value.length, isLarge: value.length >= least.list };
  if (!isObject(value)) return undefined;
  for (const way of ways) {
    const made: unknown = value[way];
    const times: unknown = Array.isArray(made) ? made[1] : undefined;
    if (typeof times === 'number') return { count: times, isLarge: times >= least.depth };
  }
  const count = Object.keys(value).length;
  return { count, isLarge: count >= least.members, isOfMembers: true };
}

function scaledValue(value: Value, factor: number): Value {
  const of = (count: number): number => Math.max(1, Math.round(count * factor));
  if (typeof value === 'string') return value.slice(0, of(value.length));
  if (typeof value === 'number') return of(value);
  if (Array.isArray(value)) return value.slice(0, of(value.length));
  if (!isObject(value)) return value;
  for (const way of ways) {
    const made: unknown = value[way];
    if (Array.isArray(made)) return { [way]: [made[0] as Value, of(Number(made[1]))] };
  }
  const members = Object.entries(value as Readonly<Record<string, Value>>);
  return Object.fromEntries(members.slice(0, of(members.length)));
}

const weightOf = (value: Value, count: number): number => {
  if (typeof value === 'string') return count;
  // A number may ask for that many of something.
  if (typeof value === 'number') return Math.min(count, 2000);
  if (!Array.isArray(value) && isObject(value) && Array.isArray(value['$text']))
    return count * String(value['$text'][0]).length;
  return count * 16;
};

interface Large extends Omit<Sized, 'isLarge'> {
  readonly at: string;
  readonly value: Value;
}

function largeIn(root: Value): readonly Large[] {
  const found: Large[] = [];
  const left: { readonly at: string; readonly value: Value }[] = [{ at: '', value: root }];
  let visited = 0;
  for (let next = left.pop(); next !== undefined && visited < mostVisited; next = left.pop()) {
    visited++;
    const { at, value } = next;
    const sized = countOf(value);
    if (sized?.isLarge === true) found.push({ at, value, ...sized });
    if (Array.isArray(value)) {
      for (const [index, item] of value.slice(0, 200).entries()) left.push({ at: `${at}/${index}`, value: item });
    } else if (isObject(value)) {
      const members = Object.entries(value as Readonly<Record<string, Value>>).slice(0, 200);
      for (const [name, item] of members) {
        if (!name.startsWith('$')) left.push({ at: `${at}/${escapeStep(name)}`, value: item });
      }
    }
  }
  return found;
}

/** Changed places before valid ones, the largest first. */
export const byWeight = (a: Sizable, b: Sizable): number =>
  Number(b.changed) - Number(a.changed) || b.weight - a.weight;

export function sizablesOf(step: CallStep): readonly Sizable[] {
  const { params = null, edits = [] } = step;
  const plain = largeIn(params).filter(({ at, isOfMembers }) => isOpen(at) || isOfMembers !== true);
  const inParams = plain.map(({ at, value, count }) => ({
    place: `/params${placeOf(at)}`,
    count,
    weight: weightOf(value, count),
    changed: false,
    scaled: (factor: number): CallStep => ({
      ...step,
      params: withAt(params, at, scaledValue(value, factor)) ?? params,
    }),
  }));
  const inEdits = edits.flatMap((edit, index) => {
    const whole = edit.value ?? null;
    return largeIn(whole).map(({ at, value, count }) => ({
      place: placeOf(edit.at + at),
      count,
      weight: weightOf(value, count),
      changed: true,
      scaled: (factor: number): CallStep => ({
        ...step,
        edits: edits.with(index, { ...edit, value: withAt(whole, at, scaledValue(value, factor)) ?? whole }),
      }),
    }));
  });
  return [...inParams, ...inEdits].sort(byWeight);
}
