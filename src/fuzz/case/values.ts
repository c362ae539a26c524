import { isObject, isString } from '../../model/index.js';
import type { Value } from './case.js';

// Turns values of a case into JSON text, and JSON values. Short forms are never written out first: nesting of 100,000
// levels is a repeated bracket.

/** An object, a short form or not. */
export type Members = { readonly [member: string]: Value };
export const isMembers = (value: unknown): value is Members => isObject(value);

/** What a reference stands for; undefined where the step began no such thing. */
export type Resolve = (ref: string) => string | undefined;

export type Special =
  | { readonly is: 'ref'; readonly ref: string }
  | { readonly is: 'text'; readonly unit: string; readonly times: number }
  | { readonly is: 'list'; readonly item: Value; readonly times: number }
  | { readonly is: 'nest'; readonly opening: '[' | '{'; readonly times: number }
  | { readonly is: 'raw'; readonly json: string };

const counted = (value: unknown): readonly [unknown, number] | undefined =>
  Array.isArray(value) && value.length === 2 && Number.isSafeInteger(value[1]) && value[1] >= 0
    ? [value[0], value[1] as number]
    : undefined;

/** The short form that an object is; undefined for an ordinary value. */
export function specialOf(value: Value): Special | undefined {
  if (!isObject(value)) return undefined;
  let name: string | undefined;
  for (const key in value) {
    if (name !== undefined) return undefined;
    name = key;
  }
  if (name?.charCodeAt(0) !== 36) return undefined;
  const inner = value[name];
  if (name === '$ref') return isString(inner) ? { is: 'ref', ref: inner } : undefined;
  if (name === '$raw') return isString(inner) ? { is: 'raw', json: inner } : undefined;
  const pair = counted(inner);
  if (pair === undefined) return undefined;
  const [what, times] = pair;
  if (name === '$text') return isString(what) ? { is: 'text', unit: what, times } : undefined;
  if (name === '$list') return { is: 'list', item: what as Value, times };
  if (name === '$nest') return what === '[' || what === '{' ? { is: 'nest', opening: what, times } : undefined;
  return undefined;
}

/** How many levels the deepest `$nest` in a value has; 0: there is none. */
export function nestsIn(value: Value): number {
  if (typeof value !== 'object' || value === null) return 0;
  const special = specialOf(value);
  if (special?.is === 'nest') return special.times;
  return Math.max(0, ...Object.values(value).map((item: Value) => nestsIn(item)));
}

/** Stands for an unknown id, so that the request keeps its shape. */
export const unresolvedId = (ref: string): string => `unresolved-${ref.replaceAll('.', '-')}`;

/** An unknown context is left out: a request without a context is always right. */
export function isLeftOut(value: Value, resolve: Resolve): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const special = specialOf(value);
  return special?.is === 'ref' && special.ref.endsWith('.context') && resolve(special.ref) === undefined;
}
/** In the place of a member that is left out. */
const leftOut = Symbol('left out');

const nested = (opening: '[' | '{', times: number): string => {
  if (opening === '[') return '['.repeat(times) + ']'.repeat(times);
  return times === 0 ? '{}' : `${'{"n":'.repeat(times - 1)}{}${'}'.repeat(times - 1)}`;
};

/** Raw members to be put into the object at a pointer, in front of or behind its own. */
export interface Injection {
  readonly at: string;
  /** JSON text of members without braces: `"id":1,"id":2`. */
  readonly members: string;
  readonly where: 'first' | 'last';
}

/** A pointer step. */
export const escapeStep = (name: string): string =>
  name.includes('~') || name.includes('/') ? name.replaceAll('~', '~0').replaceAll('/', '~1') : name;

/** Longer texts are not written out. */
const mostWritten = 65_536;

/**
 * The value that a parser reads from the JSON text, with short forms written out; itself if it has none. undefined if
 * only the text shows it: numbers that JSON lacks, raw text, long texts, repeated lists, nesting.
 */
export function writtenOut(value: Value, resolve: Resolve): Value | undefined {
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0) ? value : undefined;
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return itemsOut(value, resolve);
  const special = specialOf(value);
  return special === undefined ? membersOut(value as Members, resolve) : specialOut(special, resolve);
}

function itemsOut(list: readonly Value[], resolve: Resolve): Value | undefined {
  let made: Value[] | undefined;
  for (let at = 0; at < list.length; at++) {
    const entry = list[at] as Value;
    const item = writtenOut(entry, resolve);
    if (item === undefined) return undefined;
    if (item !== entry) made ??= list.slice(0, at);
    made?.push(item);
  }
  return made ?? list;
}

function membersOut(members: Members, resolve: Resolve): Value | undefined {
  const names = Object.keys(members);
  let made: Record<string, Value> | undefined;
  for (let at = 0; at < names.length; at++) {
    const name = names[at] as string;
    const item = members[name] as Value;
    const member = isLeftOut(item, resolve) ? leftOut : writtenOut(item, resolve);
    if (member === undefined) return undefined;
    if (member !== item)
      made ??= Object.fromEntries(names.slice(0, at).map((known) => [known, members[known] as Value]));
    if (made === undefined || member === leftOut) continue;
    // An assignment would set the prototype and make no member.
    if (name === '__proto__') return undefined;
    made[name] = member as Value;
  }
  return made ?? members;
}

function specialOut(special: Special, resolve: Resolve): Value | undefined {
  if (special.is === 'ref') return resolve(special.ref) ?? unresolvedId(special.ref);
  if (special.is !== 'text' || special.unit.length * special.times > mostWritten) return undefined;
  // Repeated lone surrogates would form characters.
  return /\p{Cs}/u.test(special.unit) ? undefined : special.unit.repeat(special.times);
}

/** The JSON text of a value. */
export function print(value: Value, resolve: Resolve, injections: readonly Injection[] = []): string {
  if (injections.length > 0) return printed(value, resolve, injections, '');
  // Most values have no short forms, and then the engine prints them much faster.
  const text = JSON.stringify(value);
  return text.includes('"$') ? printed(value, resolve, injections, '') : text;
}

function printed(value: Value, resolve: Resolve, injections: readonly Injection[], at: string): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  // Paths are built only if there are injections.
  const below = (step: string | number): string => (injections.length === 0 ? '' : `${at}/${escapeStep(String(step))}`);
  if (Array.isArray(value)) {
    let items = '';
    for (let index = 0; index < value.length; index++) {
      items += `${index === 0 ? '[' : ','}${printed(value[index], resolve, injections, below(index))}`;
    }
    return items === '' ? '[]' : `${items}]`;
  }
  const special = specialOf(value);
  if (special !== undefined) return printSpecial(special, resolve);
  const members: string[] = [];
  for (const name of Object.keys(value)) {
    const item = (value as Members)[name] as Value;
    if (isLeftOut(item, resolve)) continue;
    members.push(`${JSON.stringify(name)}:${printed(item, resolve, injections, below(name))}`);
  }
  for (const injection of injections) {
    if (injection.at !== at) continue;
    if (injection.where === 'first') members.unshift(injection.members);
    else members.push(injection.members);
  }
  return `{${members.join(',')}}`;
}

function printSpecial(special: Special, resolve: Resolve): string {
  switch (special.is) {
    case 'ref':
      return JSON.stringify(resolve(special.ref) ?? unresolvedId(special.ref));
    case 'text':
      // Escaped once: the text is long.
      return `"${JSON.stringify(special.unit).slice(1, -1).repeat(special.times)}"`;
    case 'list': {
      const item = print(special.item, resolve);
      return special.times === 0 ? '[]' : `[${`${item},`.repeat(special.times - 1)}${item}]`;
    }
    case 'nest':
      return nested(special.opening, special.times);
    case 'raw':
      return special.json;
  }
}

/** Characters that `print` makes at most, found without printing. */
export function sizeOf(value: Value): number {
  if (isString(value)) return value.length * 6 + 2;
  if (value === null || typeof value !== 'object') return 25;
  if (Array.isArray(value)) return value.reduce((sum: number, item: Value) => sum + sizeOf(item) + 1, 2);
  const special = specialOf(value);
  switch (special?.is) {
    case 'ref':
      return 300;
    case 'text':
      return (JSON.stringify(special.unit).length - 2) * special.times + 2;
    case 'list':
      return (sizeOf(special.item) + 1) * special.times + 2;
    case 'nest':
      return 6 * special.times + 2;
    case 'raw':
      return special.json.length;
    default: {
      let sum = 2;
      for (const name of Object.keys(value)) sum += name.length * 6 + 3 + sizeOf((value as Members)[name] as Value);
      return sum;
    }
  }
}

/** References that a value makes, in order. */
export function refsOf(value: Value): readonly string[] {
  const found: string[] = [];
  collectRefs(value, found);
  return found;
}

function collectRefs(value: Value, found: string[]): void {
  if (value === null || typeof value !== 'object') return;
  const special = specialOf(value);
  if (special?.is === 'ref') found.push(special.ref);
  else if (special?.is === 'list') collectRefs(special.item, found);
  else if (special === undefined) for (const inner of Object.values(value)) collectRefs(inner, found);
}

/** The value with each part replaced for which `change` returns another one, from the outside in. */
export function mapValue(value: Value, change: (value: Value) => Value | undefined): Value {
  const changed = change(value);
  if (changed !== undefined) return changed;
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((item: Value) => mapValue(item, change));
  const special = specialOf(value);
  if (special?.is === 'list') return { $list: [mapValue(special.item, change), special.times] };
  if (special !== undefined) return value;
  // fromEntries defines members, so `__proto__` stays a plain one.
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapValue(member, change)]));
}
