// Changes to an answer that must make a law fail. A law lists them beside itself where those that the proof tries on
// every answer do not show what it is about.

/** One change to an answer. */
export type Mutation =
  | {
      readonly kind: 'member';
      /** What it does: "drop status.timestamp". */
      readonly about: string;
      /** Names from the outside in, the last ones of the way to the place; places in lists are left out. */
      readonly path: readonly string[];
      /** The new value; undefined: the member is left out. `old` is undefined where there was none. */
      make(old: unknown): unknown;
    }
  | { readonly kind: 'header'; readonly about: string; readonly name: string; readonly value: string | undefined }
  | { readonly kind: 'text'; readonly about: string; make(text: string): string };

/** The member is left out, wherever the way to it ends with these names: "status.timestamp". */
export const drop = (path: string): Mutation => ({
  kind: 'member',
  about: `drop ${path}`,
  path: path.split('.'),
  make: () => undefined,
});

/** The member gets this value, also where it was not there; a function makes it of the old one. */
export const set = (path: string, value: unknown): Mutation => ({
  kind: 'member',
  about: `set ${path}`,
  path: path.split('.'),
  make: typeof value === 'function' ? (value as (old: unknown) => unknown) : () => value,
});

/** The answer comes with this header; undefined: without it. */
export const setHeader = (name: string, value?: string): Mutation => ({
  kind: 'header',
  about: value === undefined ? `drop header ${name}` : `header ${name}: ${value}`,
  name,
  value,
});

/** The text of the body is another one. */
export const rewrite = (about: string, make: (text: string) => string): Mutation => ({ kind: 'text', about, make });
