import { type Clock, sleep } from '../wire/index.js';

/** Keeps signed requests under the agent's limit: no more than so many in any minute. */
export interface Pacer {
  /** Waits until one more may be sent, and counts it. Those who wait are served in the order in which they came. */
  turn(): Promise<void>;
  /** Counts one that was sent without waiting. */
  note(): void;
}

export interface PacerOptions {
  readonly clock: Clock;
  /** Requests in any window. */
  readonly limit: number;
  /** Milliseconds. */
  readonly windowMs: number;
  /** Told before each long wait. */
  readonly onWait?: (ms: number) => void;
  readonly signal?: AbortSignal;
  /** Nothing is sent any more, so that nobody has to wait. */
  readonly isOver?: () => boolean;
}

/** The agent counts when a request arrives, which is later than it was sent. */
const marginMs = 500;
/** Shorter waits are nobody's concern. */
const tellMs = 2000;

export function createPacer({ clock, limit, windowMs, onWait, signal, isOver }: PacerOptions): Pacer {
  let sent: number[] = [];
  let last: Promise<void> = Promise.resolve();
  const forget = (): void => {
    const now = clock.now();
    // What seems to lie ahead was sent before the clock was set back.
    sent = sent.map((at) => Math.min(at, now)).filter((at) => at > now - windowMs - marginMs);
  };
  const mustWait = (): boolean => {
    forget();
    return sent.length >= limit && signal?.aborted !== true && isOver?.() !== true;
  };
  async function wait(): Promise<void> {
    while (mustWait()) {
      const ms = (sent.at(-limit) ?? 0) + windowMs + marginMs - clock.now() + 1;
      if (ms >= tellMs) onWait?.(ms);
      await sleep(clock, ms, signal);
    }
    sent.push(clock.now());
  }
  return {
    turn() {
      last = last.then(wait, wait);
      return last;
    },
    note: () => void sent.push(clock.now()),
  };
}
