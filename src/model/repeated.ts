/** The first item that is equal to an earlier one; undefined: none. */
export function repeatedIn<T>(list: readonly T[]): T | undefined {
  const had = new Set<T>();
  for (const item of list) {
    if (had.has(item)) return item;
    had.add(item);
  }
  return undefined;
}

/** The first item of each key, in order. Keys are the same where a Set takes them for the same. */
export function firstOfEach<T>(list: readonly T[], keyOf: (item: T) => unknown): readonly T[] {
  const had = new Set<unknown>();
  return list.filter((item) => !had.has(keyOf(item)) && had.add(keyOf(item)));
}
