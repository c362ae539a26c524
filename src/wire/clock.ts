import type { StopSignal } from './exchange/exchange.js';

/** Time as an argument: real in production, virtual in the kill matrix and in tests, which then never really wait. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls back once after `ms`; calling the result cancels that. */
  after(ms: number, then: () => void): () => void;
  /** Virtual time stands still until the result is called: for the few things that run outside promises (zlib). */
  readonly hold?: () => () => void;
}

/** Longer delays make `setTimeout` fire at once. */
const longestDelay = 2 ** 31 - 1;

export const realClock: Clock = {
  now: () => Date.now(),
  after(ms, then) {
    const timer = setTimeout(then, Math.min(ms, longestDelay));
    return () => clearTimeout(timer);
  },
};

/** Resolves after `ms`, or at once when the signal fires. Never rejects. */
export function sleep(clock: Clock, ms: number, signal?: StopSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const stop = clock.after(ms, done);
    function done(): void {
      stop();
      signal?.removeEventListener('abort', done);
      resolve();
    }
    signal?.addEventListener('abort', done, { once: true });
  });
}

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly then: () => void;
}

/**
 * A clock that jumps: when nothing but timers is pending for a whole turn of the event loop, the earliest timer fires.
 * Works only if all other work consists of promises (the in-memory wire) or holds the clock: no sockets, no files.
 */
export function virtualClock(start = Date.UTC(2026, 0, 1)): Clock {
  let now = start;
  let order = 0;
  let pumping = false;
  let holds = 0;
  const timers = new Set<Timer>();
  function pump(): void {
    pumping = false;
    if (holds > 0) return;
    let next: Timer | undefined;
    for (const timer of timers) {
      if (next === undefined || timer.at < next.at || (timer.at === next.at && timer.order < next.order)) next = timer;
    }
    if (next === undefined) return;
    timers.delete(next);
    now = Math.max(now, next.at);
    next.then();
    schedule();
  }
  function schedule(): void {
    if (pumping || holds > 0 || timers.size === 0) return;
    pumping = true;
    // All promises that can settle do so before the next immediate; time moves only after that.
    setImmediate(pump);
  }
  return {
    now: () => now,
    after(ms, then) {
      const timer: Timer = { at: now + Math.max(0, ms), order: order++, then };
      timers.add(timer);
      schedule();
      return () => timers.delete(timer);
    },
    hold() {
      let held = true;
      holds++;
      return () => {
        if (!held) return;
        held = false;
        holds--;
        schedule();
      };
    },
  };
}
