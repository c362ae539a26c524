/** Does the work for all items, at most `most` at a time; results in the order of the items. The work must not reject. */
export async function pooled<T, R>(
  items: readonly T[],
  most: number,
  work: (item: T, at: number) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = new Array(items.length);
  const waiting = [...items.entries()].reverse();
  const worker = async (): Promise<void> => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const [at, item] = next;
      results[at] = await work(item, at);
    }
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, worker));
  return results;
}
