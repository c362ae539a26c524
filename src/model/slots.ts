/**
 * How an answer came: in time and right, neither, or so that the agent seems to have too much to do. `roomy`: it took its
 * time, and took no longer than when less was asked at once.
 */
export type Ease = 'roomy' | 'easy' | 'neutral' | 'hard';

/** Places for work in flight. Whoever only waits for another gives the place up meanwhile. */
export interface Slots {
  /** Runs the work in a place of its own. */
  hold<T>(work: () => Promise<T>): Promise<T>;
  /** Awaits a promise without holding the place. */
  lend<T>(waiting: Promise<T>): Promise<T>;
  /** There are more than the width: the agent is slow, and takes many requests at once. */
  isRoomy(): boolean;
  /** From now on half as many places, at least one. Who has one keeps it. */
  narrow(): void;
  /**
   * An answer came. While answers are easy there are more and more places, up to the width; half as many once one is
   * hard: first one more for each, and above the half of where it was hard one more for each round. Roomy ones take the
   * places beyond the width, up to that of slow agents.
   */
  note(ease: Ease): void;
}

export interface SlotsOptions {
  /** Places in the beginning. Default: the width. */
  readonly start?: number;
  /** Places for an agent whose answers are slow, but no slower for more at once. Default: the width. */
  readonly slowWidth?: number;
}

export function createSlots(width: number, { start = width, slowWidth = width }: SlotsOptions = {}): Slots {
  const usual = Math.max(1, width);
  const most = Math.max(usual, slowWidth);
  let places = Math.min(usual, Math.max(1, start));
  let busy = 0;
  /** Where it was hard last. */
  let threshold = most;
  let easy = 0;
  /** Answers since it was hard: those that were under way then say nothing new. */
  let since = Number.POSITIVE_INFINITY;
  const queue: (() => void)[] = [];
  /** Those who had a place and lent it: they have the longest way behind them, and others wait for what they find. */
  const returning: (() => void)[] = [];
  const nextInLine = (): (() => void) | undefined => returning.shift() ?? queue.shift();
  function take(line: (() => void)[]): Promise<void> {
    if (busy < places) {
      busy++;
      return Promise.resolve();
    }
    return new Promise((resolve) => line.push(resolve));
  }
  function give(): void {
    const next = busy > places ? undefined : nextInLine();
    if (next === undefined) busy--;
    else next();
  }
  function narrow(): void {
    places = Math.max(1, Math.floor(places / 2));
    threshold = places;
    since = 0;
    easy = 0;
  }
  function widen(upTo: number): void {
    if (places >= upTo) return;
    easy++;
    if (places >= threshold && easy < places) return;
    easy = 0;
    places++;
    while (busy < places) {
      const next = nextInLine();
      if (next === undefined) break;
      busy++;
      next();
    }
  }
  return {
    async hold(work) {
      await take(queue);
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
        await take(returning);
      }
    },
    isRoomy: () => places > usual,
    narrow,
    note(ease) {
      since++;
      if (ease === 'roomy') widen(most);
      else if (ease === 'easy') widen(usual);
      else if (ease === 'hard' && since > 2 * places) narrow();
    },
  };
}
