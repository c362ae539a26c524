import { type Case, callsOf } from './case.js';
import { kindOf } from './tricks.js';

/** Cases that are chosen before the first is taken into account, for each that may send at once. */
const least = 32;
/** The same of those that wait. */
const most = 256;

/** It takes time that is not ours: a task or a stream is waited for, or a server that may wait for the rest of a request. */
export const isSlow = (one: Case): boolean =>
  one.steps.some(({ step }) => step !== 'call') ||
  callsOf(one).some(
    ({ operation, tricks = [] }) =>
      operation === 'stream' || operation === 'subscribe' || tricks.some((trick) => kindOf(trick)?.frame !== undefined),
  );

/**
 * Up to which case answers are taken into account when case `number` is chosen, both from 1. With one case at a time:
 * all before it. With several, some wait for tasks and streams of the agent while others send, and a slow one must not
 * hold up the rest: of those all but 256 for each that may send are known, of the others all but 32. It depends on the
 * cases and their numbers alone, never on time: that is why the same seed chooses the same cases.
 */
export function knownAt(number: number, concurrency: number, slow: boolean): number {
  const behind = concurrency <= 1 ? 1 : (slow ? most : least) * concurrency;
  return Math.max(0, number - behind);
}
