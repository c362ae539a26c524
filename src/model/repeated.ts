/** The first item that is equal to an earlier one; undefined: none. */
export function repeatedIn<T>(list: readonly T[]): T | undefined {
  const had = new Set<T>();
  for (const item of list) {
    if (had.has(item)) return item;
    had.add(item);
  }
  return undefined;
}
