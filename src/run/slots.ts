/** How an answer came: in time and right, neither, or so that the agent seems to have too much to do. */
export type Ease = 'easy' | 'neutral' | 'hard';

/** Places for work in flight. Whoever only waits for another gives the place up meanwhile. */
export interface Slots {
  /** Runs the work in a place of its own. */
  hold<T>(work: () => Promise<T>): Promise<T>;
  /** Awaits a promise without holding the place. */
  lend<T>(waiting: Promise<T>): Promise<T>;
  /** From now on half as many places, at least one. Who has one keeps it. */
  narrow(): void;
  /**
   * An answer came. While answers are easy there are more and more places, up to the width; half as many once one is
   * hard: first one more for each, and above the half of where it was hard one more for each round.
   */
  note(ease: Ease): void;
}

export interface SlotsOptions {
  /** Places in the beginning. Default: all. */
  readonly start?: number;
}

export function createSlots(width: number, { start = width }: SlotsOptions = {}): Slots {
  const most = Math.max(1, width);
  let places = Math.min(most, Math.max(1, start));
  let busy = 0;
  /** Where it was hard last. */
  let threshold = most;
  let easy = 0;
  /** Answers since it was hard: those that were under way then say nothing new. */
  let since = Number.POSITIVE_INFINITY;
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
  function narrow(): void {
    places = Math.max(1, Math.floor(places / 2));
    threshold = places;
    since = 0;
    easy = 0;
  }
  function widen(): void {
    if (places >= most) return;
    easy++;
    if (places >= threshold && easy < places) return;
    easy = 0;
    places++;
    while (busy < places && queue.length > 0) {
      busy++;
      queue.shift()?.();
    }
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
    narrow,
    note(ease) {
      since++;
      if (ease === 'easy') widen();
      else if (ease === 'hard' && since > 2 * places) narrow();
    },
  };
}
