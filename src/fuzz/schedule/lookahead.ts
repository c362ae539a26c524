import type { Operation } from '../../model/index.js';
import { type Case, callsOf } from '../case/case.js';
import { kindOf } from '../mutate/wire-mutations.js';

/** How many cases are chosen, per place, before the first is taken into account. */
const least = 32;
/** The same for slow cases, at most. */
const most = 256;

/** The case may begin work, or wait: a task, a stream, a server that waits for the rest of a request. */
export const isSlow = (fuzzCase: Case): boolean =>
  fuzzCase.steps.some(({ step }) => step !== 'call') ||
  callsOf(fuzzCase).some(
    ({ operation, tricks = [] }) => works.has(operation) || tricks.some((trick) => kindOf(trick)?.frame !== undefined),
  );
const works: ReadonlySet<Operation> = new Set(['send', 'stream', 'subscribe']);

/**
 * The last case whose answers are taken into account when case `number` is chosen, both from 1. With one case at a
 * time: all cases before it. With several, a slow case must not hold up the rest. Of slow cases the first half of the
 * past counts, at least all but the last 256 per place; of quick cases all but the last 32 per place. It depends on the
 * cases and their numbers alone, never on time, so that the same seed chooses the same cases.
 */
export function knownAt(number: number, concurrency: number, slow: boolean): number {
  if (concurrency <= 1) return number - 1;
  const fewest = least * concurrency;
  const behind = slow ? Math.min(Math.max(fewest, Math.floor(number / 2)), most * concurrency) : fewest;
  return Math.max(0, number - behind);
}
