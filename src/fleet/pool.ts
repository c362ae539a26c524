import { createSemaphore } from '../model/index.js';

/**
 * Does the work for all items, at most `most` at a time; results in the order of the items. The work must not reject.
 */
export function pooled<T, R>(
  items: readonly T[],
  most: number,
  work: (item: T, at: number) => Promise<R>,
): Promise<readonly R[]> {
  const slots = createSemaphore(most);
  return Promise.all(items.map((item, at) => slots.withPermit(() => work(item, at))));
}
