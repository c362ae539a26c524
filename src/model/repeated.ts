/** The first item that is equal to an earlier one; undefined: none. */
export function repeatedIn<T>(list: readonly T[]): T | undefined {
  const had = new Set<T>();
  for (const one of list) {
    if (had.has(one)) return one;
    had.add(one);
  }
  return undefined;
}
