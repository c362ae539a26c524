import type { Case } from '../case/case.js';
import { joined, raced, requestsOf } from '../case/joined.js';
import type { Attempt, Bench, Suspect } from '../schedule/campaign-settings.js';
import { type Shows, showsIn } from './showing.js';

export interface Confirmation {
  /** The case that shows the symptom, if needed together with others that ran before it. */
  readonly case: Case;
  readonly times: number;
  readonly of: number;
  /** The attempts that showed the symptom. */
  readonly shown: readonly Attempt[];
  /** Why the case was not sent to its end. */
  readonly why?: string;
}

/** Limit of requests in a case joined with cases before it. */
const mostRequests = 32;
/** Limit of requests sent at once, if the symptom does not come otherwise. */
const mostAtOnce = 8;

/** Counts how often a case shows the symptom in `times` runs. */
export async function count(next: Case, shows: Shows, times: number, bench: Bench): Promise<Confirmation> {
  const shown: Attempt[] = [];
  let of = 0;
  while (of < times && !bench.isOver()) {
    const attempt = await bench.attempt(next);
    const does = shows(attempt);
    // A case that was not sent to its end shows nothing, not even that the symptom is gone.
    if (!does && (attempt.trace.isWithheld === true || (attempt.trace.sent.length === 0 && bench.isOver()))) {
      return { case: next, times: shown.length, of, shown, why: attempt.trace.cut ?? attempt.trace.unsent ?? '' };
    }
    of++;
    if (does) shown.push(attempt);
  }
  return { case: next, times: shown.length, of, shown };
}

const fitting = (last: Case, others: readonly Case[]): readonly Case[] =>
  others.filter((fuzzCase) => fuzzCase.dialect === last.dialect && fuzzCase.steps.length > 0);

/** The case joined with one, two, four … of the cases before it, up to `mostRequests`. */
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
 * Runs a suspect again: first the case of its oracle, then the case that showed the symptom. If neither shows it, the
 * cases before it are run before it, and at last the calls of cases under way at the same time are sent at once with
 * the call that showed it. `undefined`: the symptom did not come again, or not as it was wanted.
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
  // Only with the case of the oracle: many oracles probe a thing once, and would not probe it again.
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
