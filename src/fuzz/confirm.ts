import type { Attempt, Bench, Suspect } from './campaign-settings.js';
import type { Case } from './case.js';
import { joined, raced, requestsOf } from './joined.js';
import { type Shows, showsIn } from './showing.js';

export interface Confirmation {
  /** What shows it alone: the case, or with some that ran before it. */
  readonly case: Case;
  readonly times: number;
  readonly of: number;
  /** The attempts that showed it. */
  readonly shown: readonly Attempt[];
  /** Why it was not run again. */
  readonly why?: string;
}

/** A case and what ran before it have at most so many requests together. */
const mostRequests = 32;
/** Requests that are sent at once, where it is not shown otherwise. */
const mostAtOnce = 8;

/** Counts how often a case shows it in `times` runs from scratch. */
export async function count(next: Case, shows: Shows, times: number, bench: Bench): Promise<Confirmation> {
  const shown: Attempt[] = [];
  let of = 0;
  while (of < times && !bench.isOver()) {
    const attempt = await bench.attempt(next);
    const does = shows(attempt);
    // What was not sent to its end shows nothing, and does not show it is mended.
    if (!does && (attempt.trace.isWithheld === true || (attempt.trace.sent.length === 0 && bench.isOver()))) {
      return { case: next, times: shown.length, of, shown, why: attempt.trace.cut ?? '' };
    }
    of++;
    if (does) shown.push(attempt);
  }
  return { case: next, times: shown.length, of, shown };
}

const fitting = (last: Case, others: readonly Case[]): readonly Case[] =>
  others.filter((one) => one.dialect === last.dialect && one.steps.length > 0);

/** A case with more and more of what ran before it: one case, two, four …, as long as that is little. */
function* histories(last: Case, before: readonly Case[]): Generator<Case> {
  const earlier = fitting(last, before);
  let taken = 0;
  for (let wanted = 1; taken < earlier.length; wanted *= 2) {
    const grown = Math.min(wanted, earlier.length);
    const whole = joined(earlier.slice(-grown), last);
    if (requestsOf(whole) > mostRequests) return;
    taken = grown;
    yield whole;
  }
}

/**
 * Runs a suspect again from scratch: what its oracle tried, then the case in which it was seen. Where it does not come
 * again alone, what ran before it is run before it, and at last what was under way with it is sent at once with the call
 * that showed it. `undefined`: it never came again, or not as it was wanted.
 */
export async function confirm(suspect: Suspect, bench: Bench, times: number): Promise<Confirmation | undefined> {
  const { symptom, case: own, bucket, before, beside = [], steadily = false } = suspect;
  const shows = showsIn(bucket, false);
  const tried = symptom.case ?? own;
  for (const alone of new Set([tried, own])) {
    const found = await count(alone, shows, times, bench);
    if (found.times > 0 && (found.times === found.of || !steadily)) return found;
  }
  if (steadily) return undefined;
  // Only what was tried: many oracles look once at what they met, and would not try it again.
  for (const whole of histories(tried, before)) {
    const found = await count(whole, shows, times, bench);
    if (found.times > 0) return found;
    if (bench.isOver()) return undefined;
  }
  const call = symptom.sent?.step;
  const race = call && raced(own, call, fitting(own, beside), mostAtOnce);
  const found = race && (await count(race, shows, times, bench));
  return found !== undefined && found.times > 0 ? found : undefined;
}
