import { isObject, memo } from '../../model/index.js';
import type { Edit, Value } from './case.js';
import { escapeStep, specialOf } from './values.js';

// JSON pointers (RFC 6901) into values of a case.

/** The steps of a pointer, unescaped; cached, because places are mostly the same few. */
export const stepsOf = memo(
  (pointer: string) => (pointer.length > 200 ? undefined : pointer),
  (pointer: string): readonly string[] =>
    pointer === ''
      ? []
      : pointer
          .slice(1)
          .split('/')
          .map((step) => (step.includes('~') ? step.replaceAll('~1', '/').replaceAll('~0', '~') : step)),
  4096,
);

export const pointerTo = (steps: readonly (string | number)[]): string =>
  steps.map((step) => `/${escapeStep(String(step))}`).join('');

export const parentOf = (pointer: string): string => pointer.slice(0, pointer.lastIndexOf('/'));

/** The value at a pointer; undefined where there is none. */
export function valueAt(value: Value, pointer: string): Value | undefined {
  let at: Value | undefined = value;
  for (const step of stepsOf(pointer)) {
    if (at === undefined || at === null || typeof at !== 'object') return undefined;
    const special = specialOf(at);
    if (special?.is === 'list') at = Number(step) < special.times ? special.item : undefined;
    else if (special !== undefined) return undefined;
    else if (Array.isArray(at)) at = (at as readonly Value[])[Number(step)];
    else at = Object.hasOwn(at, step) ? (at as { readonly [member: string]: Value })[step] : undefined;
  }
  return at;
}

/** The value with one place set, or removed where `made` is undefined; undefined where the place has no parent. */
export function withAt(value: Value, pointer: string, made: Value | undefined): Value | undefined {
  return changed(value, stepsOf(pointer), 0, made);
}

function changed(value: Value, steps: readonly string[], depth: number, made: Value | undefined): Value | undefined {
  const step = steps[depth];
  if (step === undefined) return made;
  const isLast = depth === steps.length - 1;
  if (Array.isArray(value)) {
    const list = value as readonly Value[];
    const index = step === '-' ? list.length : Number(step);
    if (!Number.isInteger(index) || index < 0 || index > list.length) return undefined;
    if (isLast && made === undefined) return index < list.length ? list.filter((_, at) => at !== index) : undefined;
    if (isLast) return [...list.slice(0, index), made as Value, ...list.slice(index + 1)];
    const inner = list[index];
    const next = inner === undefined ? undefined : changed(inner, steps, depth + 1, made);
    return next === undefined ? undefined : list.with(index, next);
  }
  if (!isObject(value) || specialOf(value as Value) !== undefined) return undefined;
  const members = value as { readonly [member: string]: Value };
  const has = Object.hasOwn(members, step);
  if (isLast && made === undefined) {
    if (!has) return undefined;
    return Object.fromEntries(Object.entries(members).filter(([name]) => name !== step));
  }
  const inner = has ? members[step] : undefined;
  const next = isLast ? made : inner === undefined ? undefined : changed(inner, steps, depth + 1, made);
  if (next === undefined) return undefined;
  // An object spread would lose a new member named `__proto__`.
  return has
    ? Object.fromEntries(Object.entries(members).map(([name, member]) => [name, name === step ? next : member]))
    : Object.fromEntries([...Object.entries(members), [step, next]]);
}

export interface Edited {
  readonly value: Value;
  /** Edits that found their place. */
  readonly applied: readonly Edit[];
}

/** Applies edits in order. One that finds no place, because an earlier one took it away, changes nothing. */
export function applyEdits(value: Value, edits: readonly Edit[]): Edited {
  let edited = value;
  const applied: Edit[] = [];
  for (const edit of edits) {
    const next = withAt(edited, edit.at, edit.op === 'remove' ? undefined : (edit.value ?? null));
    if (next === undefined) continue;
    edited = next;
    applied.push(edit);
  }
  return { value: edited, applied };
}

/** Edits that no later one has taken back. */
export function lasting({ value, applied }: Edited): readonly Edit[] {
  if (applied.length === 1) return applied;
  return applied.filter(({ at, op, value: made }) => {
    const found = valueAt(value, at);
    if (op === 'set') return found === (made ?? null);
    return found === undefined && valueAt(value, parentOf(at)) !== undefined;
  });
}
