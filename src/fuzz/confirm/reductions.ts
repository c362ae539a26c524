import type { Value } from '../case/case.js';
import { isMembers, type Members } from '../case/values.js';

// Smaller values in place of one: each candidate changes one place only.

/** Smaller counts, the smallest first: half, three quarters, seven eighths. */
export const fewer = (times: number): readonly number[] =>
  [times >> 1, times - (times >> 2), times - (times >> 3)].filter(
    (value, at, all) => value >= 1 && value < times && all.indexOf(value) === at,
  );

const shortened = (text: string): readonly string[] => {
  if (text.length <= 8) return [];
  const half = text.length >> 1;
  // Never cuts between the halves of a surrogate pair.
  const cut = /[\uDC00-\uDFFF]/.test(text.charAt(half)) ? half + 1 : half;
  return ['a', text.slice(0, cut), text.slice(cut)];
};

const without = <T>(list: readonly T[], from: number, many: number): readonly T[] => [
  ...list.slice(0, from),
  ...list.slice(from + many),
];

/** Smaller candidates of `$text`, `$list` and `$nest`; none for other short forms; undefined for ordinary values. */
function repeated(value: Members): readonly Value[] | undefined {
  const names = Object.keys(value);
  const [name = ''] = names;
  if (names.length !== 1 || !/^\$(ref|text|list|nest|raw)$/.test(name)) return undefined;
  const made = value[name];
  if (!Array.isArray(made) || typeof made[1] !== 'number') return [];
  return fewer(made[1]).map((times) => ({ [name]: [made[0] as Value, times] }));
}

/** What is made smaller: only repetitions, or everything. */
export type Reach = 'repeated' | 'all';

/** Smaller values, the largest changes first. */
export function* smaller(value: Value, reach: Reach): Generator<Value> {
  if (typeof value === 'string') {
    if (reach === 'all') yield* shortened(value);
    return;
  }
  if (Array.isArray(value)) {
    const list = value as readonly Value[];
    if (reach === 'all') {
      if (list.length > 3) {
        const half = list.length >> 1;
        yield list.slice(0, half);
        yield list.slice(half);
      }
      if (list.length <= 32) for (const at of list.keys()) yield without(list, at, 1);
    }
    for (const [at, item] of list.entries()) for (const less of smaller(item, reach)) yield list.with(at, less);
    return;
  }
  if (!isMembers(value)) return;
  const made = repeated(value);
  if (made !== undefined) {
    yield* made;
    return;
  }
  if (reach === 'all') {
    for (const name of Object.keys(value)) {
      yield Object.fromEntries(Object.entries(value).filter(([other]) => other !== name));
    }
  }
  for (const [name, member] of Object.entries(value)) {
    // Different ids must not become the same: the case would mean something else.
    if (typeof member === 'string' && /id$/i.test(name)) continue;
    for (const less of smaller(member, reach)) yield { ...value, [name]: less };
  }
}
