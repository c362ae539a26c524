import { type Clock, sleep } from '../wire/index.js';

/** Keeps signed requests under the agent's rate limit: at most `limit` in any window. */
export interface Pacer {
  /**
   * Waits until one more request may be sent, and counts it. Callers are served in the order in which they came. False
   * if `until` fires before that: nothing is counted, and the request must not be sent.
   */
  turn(until?: AbortSignal): Promise<boolean>;
  /** Counts a request that was sent without waiting. */
  note(): void;
}

export interface PacerOptions {
  readonly clock: Clock;
  /** Requests in any window. */
  readonly limit: number;
  /** Milliseconds. */
  readonly windowMs: number;
  /** Called before each long wait. */
  readonly onWait?: (ms: number) => void;
  readonly signal?: AbortSignal;
  /** True when nothing is sent any more, so that waiting is useless. */
  readonly isOver?: () => boolean;
}

/** The agent counts a request when it arrives, which is later than it was sent; ms. */
const marginMs = 500;
/** Shorter waits are not reported, ms. */
const tellMs = 2000;

export function createPacer({ clock, limit, windowMs, onWait, signal, isOver }: PacerOptions): Pacer {
  let sent: number[] = [];
  let last: Promise<unknown> = Promise.resolve();
  const forget = (): void => {
    const now = clock.now();
    // A time in the future means that the clock was set back after the request was sent.
    sent = sent.map((at) => Math.min(at, now)).filter((at) => at > now - windowMs - marginMs);
  };
  const mustWait = (): boolean => {
    forget();
    return sent.length >= limit && signal?.aborted !== true && isOver?.() !== true;
  };
  async function wait(until: AbortSignal | undefined): Promise<boolean> {
    const ends = [signal, until].filter((abortSignal) => abortSignal !== undefined);
    while (mustWait()) {
      if (until?.aborted === true) return false;
      const ms = (sent.at(-limit) ?? 0) + windowMs + marginMs - clock.now() + 1;
      if (ms >= tellMs) onWait?.(ms);
      await sleep(clock, ms, ends.length > 1 ? AbortSignal.any(ends) : ends[0]);
    }
    sent.push(clock.now());
    return true;
  }
  return {
    turn(until) {
      const begin = () => wait(until);
      const own = last.then(begin, begin);
      last = own;
      return own;
    },
    note: () => void sent.push(clock.now()),
  };
}
