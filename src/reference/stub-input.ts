import { isObject, isString, member } from '../model/index.js';

// Reads foreign values into types, or refuses them with a sentence that names the place.

/** A value that a stub cannot hold. The message is for the user who gave it. */
export class StubInputError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'StubInputError';
  }
}

/** `where` names the value: `permissions[0].keys`. Throws `StubInputError`. */
export type Reader<T> = (value: unknown, where: string) => T;

const refuse = (where: string, what: string): never => {
  throw new StubInputError(`${where} ${what}`);
};

export const optional =
  <T>(reader: Reader<T>): Reader<T | undefined> =>
  (value, where) =>
    value === undefined ? undefined : reader(value, where);

/** An object with these members and no others, so that a misspelt one is noticed. */
export const object =
  <T>(members: { readonly [Name in keyof T]-?: Reader<T[Name]> }): Reader<T> =>
  (value, where) => {
    if (!isObject(value)) return refuse(where, 'must be an object');
    const known = Object.keys(members);
    const unknown = Object.keys(value).find((name) => !known.includes(name));
    if (unknown !== undefined) {
      return refuse(where, `has no member ${JSON.stringify(unknown.slice(0, 40))}; members: ${known.join(', ')}`);
    }
    const found: Record<string, unknown> = {};
    for (const [name, read] of Object.entries(members) as [string, Reader<unknown>][]) {
      const item = read(member(value, name), `${where}.${name}`);
      if (item !== undefined) found[name] = item;
    }
    return found as T;
  };

export const array =
  <T>(reader: Reader<T>, most: number): Reader<readonly T[]> =>
  (value, where) => {
    if (!Array.isArray(value)) return refuse(where, 'must be an array');
    if (value.length > most) return refuse(where, `has more than ${most} elements`);
    return value.map((item: unknown, at) => reader(item, `${where}[${at}]`));
  };

export const text =
  (most: number): Reader<string> =>
  (value, where) => {
    if (!isString(value)) return refuse(where, 'must be a string');
    return value.length > most ? refuse(where, `is longer than ${most} characters`) : value;
  };

export const whole =
  (least: number, most: number): Reader<number> =>
  (value, where) =>
    Number.isInteger(value) && Number(value) >= least && Number(value) <= most
      ? Number(value)
      : refuse(where, `must be a whole number from ${least} to ${most}`);

export const flag: Reader<boolean> = (value, where) =>
  typeof value === 'boolean' ? value : refuse(where, 'must be true or false');

export const oneOf =
  <const T extends string | number | boolean>(values: readonly T[]): Reader<T> =>
  (value, where) =>
    values.find((item) => item === value) ?? refuse(where, `must be one of ${values.join(', ')}`);

/** A text that also passes a test of its own; `what` ends the sentence that refuses it. */
export const textThat =
  (most: number, test: (value: string) => boolean, what: string): Reader<string> =>
  (value, where) => {
    const found = text(most)(value, where);
    return test(found) ? found : refuse(where, what);
  };
