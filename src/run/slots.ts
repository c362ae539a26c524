/** Places for work in flight. Whoever only waits for another gives the place up meanwhile. */
export interface Slots {
  /** Runs the work in a place of its own. */
  hold<T>(work: () => Promise<T>): Promise<T>;
  /** Awaits a promise without holding the place. */
  lend<T>(waiting: Promise<T>): Promise<T>;
  /** From now on half as many places, at least one. Who has one keeps it. */
  narrow(): void;
}

export function createSlots(width: number): Slots {
  let places = Math.max(1, width);
  let busy = 0;
  const queue: (() => void)[] = [];
  function take(): Promise<void> {
    if (busy < places) {
      busy++;
      return Promise.resolve();
    }
    return new Promise((resolve) => queue.push(resolve));
  }
  function give(): void {
    const next = busy > places ? undefined : queue.shift();
    if (next === undefined) busy--;
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
    narrow() {
      places = Math.max(1, Math.floor(places / 2));
    },
  };
}
