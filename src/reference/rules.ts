import { isObject, isString } from '../model/index.js';
import type { Problem } from './calls.js';

// Rules for the params of a call, in the terms of the wire. Unknown members are ignored.

export type Rule = (value: unknown, path: string) => readonly Problem[];
export const fits: readonly Problem[] = [];
export const wrong = (path: string, about: string): readonly Problem[] => [{ path, about, failure: 'InvalidParams' }];

export const being =
  (what: string, holds: (value: unknown) => boolean): Rule =>
  (value, path) =>
    holds(value) ? fits : wrong(path, `${path} must be ${what}`);

export const anything: Rule = () => fits;
export const aString = being('a string', isString);
export const aText = being('a string that is not empty', (value) => isString(value) && value !== '');
export const aBoolean = being('a boolean', (value) => typeof value === 'boolean');
export const anObject = being('an object', isObject);
export const aLength = being(
  'a non-negative integer',
  (value) => Number.isSafeInteger(value) && (value as number) >= 0,
);
export const oneOf = (...words: readonly string[]): Rule =>
  being(`one of ${words.join(', ')}`, (value) => isString(value) && words.includes(value));
/** What can be sent in an HTTP header (RFC 9110 §5.5). */
export const aHeaderValue = being('printable', (value) => isString(value) && /^[\t\x20-\x7e]*$/.test(value));

export const arrayOf =
  (item: Rule, least = 0): Rule =>
  (value, path) => {
    if (!Array.isArray(value)) return wrong(path, `${path} must be an array`);
    if (value.length < least) return wrong(path, `${path} must not be empty`);
    return value.flatMap((entry) => item(entry, path));
  };

/** Members marked with `?` may be left out; `isThere` says whether a value counts as one. */
export const shapeWhere =
  (isThere: (value: unknown) => boolean) =>
  (members: Readonly<Record<string, Rule>>): Rule =>
  (value, path) => {
    if (!isObject(value)) return wrong(path, `${path} must be an object`);
    return Object.entries(members).flatMap(([marked, rule]) => {
      const name = marked.replace('?', '');
      const at = path === 'params' ? name : `${path}.${name}`;
      if (Object.hasOwn(value, name) && isThere(value[name])) return rule(value[name], at);
      return marked === name ? wrong(at, `${at} is missing`) : fits;
    });
  };

/** Paths in canonical terms; the longest prefix that `names` knows is replaced. */
export function canonical(problems: readonly Problem[], names: Readonly<Record<string, string>>): readonly Problem[] {
  const prefixes = Object.entries(names).sort(([a], [b]) => b.length - a.length);
  return problems.map((problem) => {
    const { path } = problem;
    const found = prefixes.find(([wire]) => path === wire || path.startsWith(`${wire}.`));
    return found === undefined ? problem : { ...problem, field: path, path: found[1] + path.slice(found[0].length) };
  });
}
