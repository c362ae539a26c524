import type { FuzzStage } from '../../run/index.js';
import { sleep } from '../../wire/index.js';
import { type Case, callsOf } from '../case/case.js';
import { joined, requestsOf } from '../case/joined.js';
import type { Canary } from '../execute/canary.js';
import { findingOf } from '../report/finding.js';
import type { Attempt, Bench, Confirmed, Suspect } from '../schedule/campaign-settings.js';
import { deathKeys } from './alive.js';
import { mutationName, mutationsOf } from './mutation.js';
import type { Symptom } from './oracle.js';

// An agent that does not come back cannot be asked again: its failure is reported as it was seen, not as confirmed.

/** How many earlier changed requests are named, and how many requests the case has at most. */
const mostNamed = 8;
const mostRequests = 32;

/** How long an agent may take to go down after an answer, ms. */
const dyingMs = 1000;
/** How often to look for an agent that is down: it may be restarted quickly, ms. */
const lookMs = 100;

export const isCrash = ({ bucket }: Pick<Symptom, 'bucket'>): boolean => bucket.startsWith('alive/dead');

/** The agent went down, and it is unknown which request was the cause. */
export const unseenCrash: Symptom = {
  oracle: 'alive',
  bucket: 'alive/dead',
  title: 'the agent no longer answers',
  detail: '',
  keys: [],
};

const failingBucket = 'alive/failing';

/** After such a symptom nothing can be run again. */
export const isEnd = (symptom: Pick<Symptom, 'bucket'>): boolean =>
  isCrash(symptom) || symptom.bucket === failingBucket;

/** The symptom of an agent that answers each request with this failure, a harmless one too. */
export const failingFor = (failure: string): Symptom => ({
  oracle: 'alive',
  bucket: failingBucket,
  title: 'the agent answers every request with an error of its own',
  detail: `a harmless request is answered with ${failure}; at first it was not`,
  keys: [],
});

const changesIn = (fuzzCase: Case): readonly string[] =>
  callsOf(fuzzCase).flatMap((call) =>
    mutationsOf(call).length === 0 ? [] : [`${call.operation} (${mutationName(call)})`],
  );

/** The case joined with earlier cases that have changed requests, up to `mostRequests` requests. */
function withPast(own: Case, before: readonly Case[]): Case {
  let whole = own;
  const taken: Case[] = [];
  for (const fuzzCase of before.toReversed()) {
    if (fuzzCase.dialect !== own.dialect || changesIn(fuzzCase).length === 0) continue;
    const grown = joined([fuzzCase, ...taken], own);
    if (requestsOf(grown) > mostRequests) break;
    taken.unshift(fuzzCase);
    whole = grown;
  }
  return whole;
}

/** The finding of a case after which the agent no longer answered, or only with failures. */
export function crashReport(
  { bucket, symptom, before, case: own, number }: Suspect,
  seen: Attempt,
  stage: FuzzStage,
  kit: string,
): Confirmed {
  // A changed request that was not answered is the cause; otherwise any changed request before may be.
  const isUnknown = bucket === unseenCrash.bucket || bucket === failingBucket;
  const whole = isUnknown ? withPast(own, before) : own;
  const names = [...before, own].flatMap(changesIn).slice(-mostNamed);
  const lost = seen.trace.sent.flatMap(({ step, exchange }) => (exchange.failure === undefined ? [] : step.operation));
  const last =
    names.length > 0
      ? `the last changed requests, in order: ${names.join(', ')}`
      : `no request was changed${lost.length === 0 ? '' : `; requests without an answer: ${lost.join(', ')}`}`;
  const symptomWithTrace: Symptom = {
    ...symptom,
    detail: `${isUnknown && symptom.detail !== '' ? `${symptom.detail}; ` : ''}the agent did not come back, so nothing could be run again; ${last}`,
  };
  const settled = { case: whole, symptom: symptomWithTrace, times: 0, of: 0, shown: [seen] };
  return findingOf(settled, { case: own, bucket, symptom: symptomWithTrace, before, number }, stage, kit);
}

/**
 * A bench for an agent that goes down. Each such symptom gets the same bucket: its name depends on the request that
 * finds out. If the last request causes it and was answered, only a later request finds out, so the canary is asked.
 */
export const crashBench = (
  bucket: string,
  bench: Bench,
  canary: Canary,
  stage: Pick<FuzzStage, 'clock' | 'signal' | 'ledger' | 'target'>,
  waitMs = dyingMs,
): Bench => ({
  ...bench,
  async attempt(next, how) {
    const attempt = await bench.attempt(next, how);
    const { symptoms } = attempt;
    const named = symptoms.find(isCrash);
    if (named !== undefined) return { ...attempt, symptoms: [{ ...named, bucket }, ...symptoms] };
    if (bench.isOver()) return attempt;
    if (bucket === failingBucket) {
      const failure = await canary.failing();
      return failure === undefined ? attempt : { ...attempt, symptoms: [failingFor(failure), ...symptoms] };
    }
    const { clock, signal } = stage;
    const end = clock.now() + waitMs;
    let isAway = await canary.isAway();
    while (!isAway && clock.now() < end) {
      await sleep(clock, Math.min(lookMs, end - clock.now()), signal);
      isAway = await canary.isAway();
    }
    if (!isAway && !(await canary.isGone())) return attempt;
    const detail = 'the agent answered a harmless request before this case, but not after it';
    const keys = deathKeys(attempt.trace, stage);
    return { ...attempt, symptoms: [{ ...unseenCrash, bucket, detail, keys }, ...symptoms] };
  },
});
