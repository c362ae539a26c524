/** Places for work in flight. Whoever only waits for another gives the place up meanwhile. */
export interface Slots {
  /** Runs the work in a place of its own. */
  hold<T>(work: () => Promise<T>): Promise<T>;
  /** Awaits a promise without holding the place. */
  lend<T>(waiting: Promise<T>): Promise<T>;
}

export function createSlots(width: number): Slots {
  let free = Math.max(1, width);
  const queue: (() => void)[] = [];
  function take(): Promise<void> {
    if (free > 0) {
      free--;
      return Promise.resolve();
    }
    return new Promise((resolve) => queue.push(resolve));
  }
  function give(): void {
    const next = queue.shift();
    if (next === undefined) free++;
    else next();
  }
  return {
    async hold(work) {
      await take();
      try {
        return await work();
      } finally {
        give();
      }
    },
    async lend(waiting) {
      give();
      try {
        return await waiting;
      } finally {
        await take();
      }
    },
  };
}
