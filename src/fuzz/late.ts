import type { Clock } from '../wire/index.js';

/** Who answers later than this mostly works, or waits for something, ms. */
const lateMs = 250;

/**
 * Awaits answers; one that is late gives its place up, so that others may send meanwhile. No more than `most` at once do:
 * an agent that takes its time for everything is not asked for ever more of it.
 */
export function lendingLate(
  clock: Clock,
  most: number,
  lend: <T>(waiting: Promise<T>) => Promise<T>,
): <T>(answer: Promise<T>) => Promise<T> {
  let lent = 0;
  return async (answer) => {
    const isLate = await new Promise<boolean>((resolve) => {
      const stop = clock.after(lateMs, () => resolve(true));
      const over = (): void => {
        stop();
        resolve(false);
      };
      answer.then(over, over);
    });
    if (!isLate || lent >= most) return answer;
    lent++;
    try {
      return await lend(answer);
    } finally {
      lent--;
    }
  };
}
