type Optional<T> = { [Key in keyof T]: undefined extends T[Key] ? Key : never }[keyof T];

/** An object whose members that may be undefined are left out instead. */
export type Defined<T> = Omit<T, Optional<T>> & { readonly [Key in Optional<T>]?: Exclude<T[Key], undefined> };

/** The same object without its members that are undefined. */
export const defined = <T extends object>(members: T): Defined<T> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Defined<T>;
