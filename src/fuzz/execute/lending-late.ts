import type { Clock } from '../../wire/index.js';

/** An agent that takes longer than this to answer mostly works, or waits for something, ms. */
const lateMs = 250;

/**
 * Awaits answers; a late one gives its place up, so that others may send meanwhile. At most `most` do so at once: a
 * slow agent must not get more and more requests.
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
