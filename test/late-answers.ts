import { type Carrier, type Clock, sleep } from '../src/wire/index.js';

/** A network in which requests take so long, in turns, ms. */
export const taking =
  (...tookMs: readonly number[]) =>
  (carrier: Carrier, clock: Clock): Carrier => {
    let count = 0;
    return async (request, signal) => {
      await sleep(clock, tookMs[count++ % tookMs.length] ?? 0);
      return carrier(request, signal);
    };
  };
