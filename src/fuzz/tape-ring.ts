import type { Exchange, Tape } from '../wire/index.js';

/** A tape for campaigns without end: it keeps the last few exchanges, and counts all. */
export interface TapeRing extends Tape {
  /** Requests that were sent so far. */
  readonly count: number;
}

export function createTapeRing(capacity = 16): TapeRing {
  const exchanges: Exchange[] = [];
  let count = 0;
  return {
    nextId: () => `x${++count}`,
    add(exchange) {
      exchanges.push(exchange);
      if (exchanges.length > capacity) exchanges.shift();
    },
    exchanges,
    find: (id) => exchanges.find((one) => one.id === id),
    get count() {
      return count;
    },
  };
}
