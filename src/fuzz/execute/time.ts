import { setMaxListeners } from 'node:events';
import type { FuzzPhase, FuzzStage } from '../../run/index.js';

// A campaign ends when its time is over, whatever is under way: an exchange, a wait, a confirmation.

export const timeIsOver = 'the time is over';
const overReason = new Error(timeIsOver);

/** The signal fired because the time is over, not because of an interruption. */
export const isOutOfTime = (signal: FuzzStage['signal']): boolean =>
  signal?.aborted === true && signal.reason === overReason;

/** The shorter of two limits of time, ms; infinite where there is none. */
export const shorter = (first: number | undefined, second: number | undefined): number =>
  Math.min(first ?? Number.POSITIVE_INFINITY, second ?? Number.POSITIVE_INFINITY);

/** Limits a phase to `timeMs` and the time of its stage. What is under way then is cut. */
export const inTime =
  (timeMs: number | undefined, phase: FuzzPhase): FuzzPhase =>
  async (stage) => {
    const limit = shorter(timeMs, stage.timeMs);
    if (limit === Number.POSITIVE_INFINITY) return phase(stage);
    const over = new AbortController();
    const stop = stage.clock.after(limit, () => over.abort(overReason));
    const within = (outer: AbortSignal | undefined): AbortSignal => {
      const signal = AbortSignal.any([over.signal, ...(outer === undefined ? [] : [outer])]);
      // Every waiting request adds a listener.
      setMaxListeners(0, signal);
      return signal;
    };
    const { client, signal } = stage;
    try {
      return await phase({
        ...stage,
        timeMs: limit,
        signal: within(signal),
        client: { ...client, signal: within(client.signal) },
      });
    } finally {
      stop();
    }
  };
