import { type Draft, isObject } from '../model/index.js';

/**
 * Writes and reads one spelling. `encode` takes drafts and passes unknown parts through, so that malformed values keep
 * their defect. `decode` is lenient: it reads what it can and leaves out the rest, since only schemas judge the wire
 * form. It returns undefined only when nothing of the type can be recognised.
 */
export interface Codec<T> {
  encode(value: Draft<T>): unknown;
  decode(wire: unknown): T | undefined;
}

/** The same value on both sides, if `is` accepts it. */
export const same = <T>(is: (value: unknown) => value is T): Codec<T> => ({
  encode: (value) => value,
  decode: (wire) => (is(wire) ? wire : undefined),
});

export const text: Codec<string> = same((value): value is string => typeof value === 'string');
export const flag: Codec<boolean> = same((value): value is boolean => typeof value === 'boolean');
export const integer: Codec<number> = same((value): value is number => typeof value === 'number');
export const map: Codec<Record<string, unknown>> = same((value): value is Record<string, unknown> => isObject(value));
export const anything: Codec<unknown> = { encode: (value) => value, decode: (wire) => wire };

/** Members of other types are dropped when decoding. */
export const list = <T>(item: Codec<T>): Codec<readonly T[]> => ({
  encode: (value) => (Array.isArray(value) ? value.map((entry) => item.encode(entry as Draft<T>)) : value),
  decode: (wire) =>
    Array.isArray(wire)
      ? wire
          .map((entry) => item.decode(entry))
          .filter((entry): entry is NonNullable<typeof entry> => entry !== undefined)
      : undefined,
});

/** Closed vocabularies with another spelling on the wire; unknown words pass through when encoding. */
export const words = <T extends string>(table: Readonly<Record<T, string>>, otherwise?: T): Codec<T> => {
  const back = new Map<unknown, T>(Object.entries<string>(table).map(([ours, theirs]) => [theirs, ours as T]));
  return {
    encode: (value) => (typeof value === 'string' && Object.hasOwn(table, value) ? table[value as T] : value),
    decode: (wire) => back.get(wire) ?? otherwise,
  };
};

/** A member's name on the wire, and its codec. `orElse` stands in when a required member cannot be read. */
export interface Field<T> {
  readonly wire: string;
  readonly codec: Codec<T>;
  readonly orElse?: T;
}
export type Fields<T> = { readonly [Key in keyof T]-?: Field<NonNullable<T[Key]>> };

export const field = <T>(wire: string, codec: Codec<T>, orElse?: T): Field<T> =>
  orElse === undefined ? { wire, codec } : { wire, codec, orElse };

/**
 * An object. `constants` are wire members that every valid value carries (such as `kind`), unless a draft has a member
 * of that name itself, even an undefined one. Other members of a draft that are not in the type pass through.
 */
export function record<T extends object>(
  fields: Fields<T>,
  constants: Readonly<Record<string, unknown>> = {},
): Codec<T> & {
  readonly fields: Fields<T>;
} {
  const entries = Object.entries(fields) as [string, Field<unknown>][];
  const byName = new Map(entries);
  return {
    fields,
    encode(value) {
      if (!isObject(value)) return value;
      const out: Record<string, unknown> = {};
      for (const [name, constant] of Object.entries(constants)) if (!Object.hasOwn(value, name)) out[name] = constant;
      for (const [name, item] of Object.entries(value)) {
        if (item === undefined) continue;
        const known = byName.get(name);
        // defineProperty: a draft may carry `__proto__` on purpose.
        Object.defineProperty(out, known?.wire ?? name, {
          value: known === undefined ? item : known.codec.encode(item as Draft<unknown>),
          enumerable: true,
          configurable: true,
          writable: true,
        });
      }
      return out;
    },
    decode(wire) {
      if (!isObject(wire)) return undefined;
      const out: Record<string, unknown> = {};
      for (const [name, { wire: wireName, codec, orElse }] of entries) {
        const found = Object.hasOwn(wire, wireName) ? codec.decode(wire[wireName]) : undefined;
        if (found !== undefined) out[name] = found;
        else if (orElse !== undefined) out[name] = orElse;
      }
      return out as T;
    },
  };
}

/** A codec made of these two functions; `encode` must accept drafts. */
export const mapped = <T>(
  encode: (draft: Draft<T>) => unknown,
  decode: (wire: unknown) => T | undefined,
): Codec<T> => ({
  encode,
  decode,
});

/** No value on the wire but null. */
export const nothing: Codec<null> = {
  encode: () => null,
  decode: (wire) => (wire === null || wire === undefined ? null : undefined),
};
