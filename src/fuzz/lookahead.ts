/** Cases that are chosen before the first is taken into account, for each that may send at once. */
const least = 32;
const most = 256;

/**
 * Up to which case answers are taken into account when case `number` is chosen, both from 1. With one case at a time:
 * all before it. With several, some wait for tasks and streams of the agent while others send, so that a slow one must not
 * hold up the rest: half of the past counts, at least all but 32 and at most all but 256 cases for each that may send.
 * It depends on the number alone, never on time: that is why the same seed chooses the same cases.
 */
export function knownAt(number: number, concurrency: number): number {
  if (concurrency <= 1) return number - 1;
  const behind = Math.min(Math.max(least * concurrency, Math.floor(number / 2)), most * concurrency);
  return Math.max(0, number - behind);
}
