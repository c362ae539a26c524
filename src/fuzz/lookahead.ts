import type { Operation } from '../model/index.js';
import { type Case, callsOf } from './case.js';
import { kindOf } from './tricks.js';

/** Cases that are chosen before the first is taken into account, for each that may send at once. */
const least = 32;
/** And at most, of those that are slow. */
const most = 256;

/** Work may begin, or is waited for: a task, a stream, a server that waits for the rest of a request. */
export const isSlow = (one: Case): boolean =>
  one.steps.some(({ step }) => step !== 'call') ||
  callsOf(one).some(
    ({ operation, tricks = [] }) => works.has(operation) || tricks.some((trick) => kindOf(trick)?.frame !== undefined),
  );
const works: ReadonlySet<Operation> = new Set(['send', 'stream', 'subscribe']);

/**
 * Up to which case answers are taken into account when case `number` is chosen, both from 1. With one case at a time:
 * all before it. With several, some wait for tasks and streams of the agent while others send, and a slow one must not
 * hold up the rest: of those half of the past counts, at least all but 256 for each that may send, of the others all but
 * 32. It depends on the cases and their numbers alone, never on time: that is why the same seed chooses the same cases.
 */
export function knownAt(number: number, concurrency: number, slow: boolean): number {
  if (concurrency <= 1) return number - 1;
  const fewest = least * concurrency;
  const behind = slow ? Math.min(Math.max(fewest, Math.floor(number / 2)), most * concurrency) : fewest;
  return Math.max(0, number - behind);
}
