/**
 * How an answer came. `easy`: in time; `hard`: the agent seems to be overloaded; `neutral`: neither; `roomy`: slow, but
 * no slower than with fewer requests at once.
 */
export type Ease = 'roomy' | 'easy' | 'neutral' | 'hard';

/** Places for work in flight. Work that only waits for other work gives up its place meanwhile. */
export interface Semaphore {
  /** Runs the work in a place of its own. `next`: before work that has not begun, since other work waits for it. */
  withPermit<T>(work: () => Promise<T>, line?: 'next'): Promise<T>;
  /** Awaits a promise without holding the place. */
  withoutPermit<T>(waiting: Promise<T>): Promise<T>;
  /** Whether there are more places than the width: the agent is slow, and takes many requests at once. */
  isRoomy(): boolean;
  /** Halves the number of places, to at least one. Work that has a place keeps it. */
  halve(): void;
  /** From now on there is one place only, whatever the answers are. Work that has a place keeps it. */
  single(): void;
  /**
   * Adjusts the places to an answer. A hard one halves them. An easy one adds one, up to the width; above half of the
   * places at the last hard answer it takes a whole round of easy ones to add one. Roomy ones add places in the same
   * way, up to `slowWidth`.
   */
  note(ease: Ease): void;
}

export interface SemaphoreOptions {
  /** Places in the beginning. Default: the width. */
  readonly start?: number;
  /** Places for an agent that is slow, but not slower with more requests at once. Default: the width. */
  readonly slowWidth?: number;
}

export function createSemaphore(width: number, { start = width, slowWidth = width }: SemaphoreOptions = {}): Semaphore {
  let usual = Math.max(1, width);
  let most = Math.max(usual, slowWidth);
  let places = Math.min(usual, Math.max(1, start));
  let busy = 0;
  /** Half of the places at the last hard answer. */
  let threshold = most;
  let easy = 0;
  /** Answers since the last hard one: requests that were under way then say nothing new. */
  let since = Number.POSITIVE_INFINITY;
  const queue: (() => void)[] = [];
  /** Work that lent its place comes first: it has the least left to do, and other work waits for its result. */
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
    async withPermit(work, line) {
      await take(line === 'next' ? returning : queue);
      try {
        return await work();
      } finally {
        give();
      }
    },
    async withoutPermit(waiting) {
      give();
      try {
        return await waiting;
      } finally {
        await take(returning);
      }
    },
    isRoomy: () => places > usual,
    halve: narrow,
    single() {
      usual = 1;
      most = 1;
      places = 1;
    },
    note(ease) {
      since++;
      if (ease === 'roomy') widen(most);
      else if (ease === 'easy') widen(usual);
      else if (ease === 'hard' && since > 2 * places) narrow();
    },
  };
}
