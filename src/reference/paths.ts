import { isObject } from '../model/index.js';

// Values changed at a path: members with dots, `*` for every element of an array.

/** The value with the member at `path` changed where there is one; undefined takes it away. */
export function edited(value: unknown, path: string, change: (old: unknown) => unknown): unknown {
  return at(value, steps(path), change, false);
}
/** The value without the member at `path`. */
export const without = (value: unknown, path: string): unknown => edited(value, path, () => undefined);
/** The value with the member at `path` set, also where it had none. */
export const set = (value: unknown, path: string, member: unknown): unknown =>
  at(value, steps(path), () => member, true);

/** An empty path is the value itself. */
const steps = (path: string): readonly string[] => (path === '' ? [] : path.split('.'));

function at(value: unknown, path: readonly string[], change: (old: unknown) => unknown, create: boolean): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return change(value);
  if (name === '*') return Array.isArray(value) ? value.map((item) => at(item, rest, change, create)) : value;
  if (!isObject(value) || (!Object.hasOwn(value, name) && !(create && rest.length === 0))) return value;
  const { [name]: old, ...others } = value;
  const next = at(old, rest, change, create);
  return next === undefined ? others : { ...value, [name]: next };
}
