import type { FuzzStage } from '../run/index.js';
import { sleep } from '../wire/index.js';
import type { Attempt, Bench, Confirmed, Suspect } from './campaign-settings.js';
import type { Canary } from './canary.js';
import { type Case, callsOf } from './case.js';
import { findingOf } from './finding.js';
import { joined, requestsOf } from './joined.js';
import type { Symptom } from './oracle.js';
import { deathKeys } from './oracles/alive.js';
import { mutationName, mutationsOf } from './oracles/mutation.js';

// An agent that is gone for good cannot be asked again: what it died of is told as it was seen, and not as confirmed.

/** Of the requests before it, so many are named, and so many are in the case. */
const mostNamed = 8;
const mostRequests = 32;

/** An agent may answer the request that it dies of, ms. */
const dyingMs = 1000;
/** Who starts it again may be quick: it is looked after it so often, ms. */
const lookMs = 100;

export const isDeath = ({ bucket }: Pick<Symptom, 'bucket'>): boolean => bucket.startsWith('alive/dead');

/** Nobody saw which request it was. */
export const unseenDeath: Symptom = {
  oracle: 'alive',
  bucket: 'alive/dead',
  title: 'the agent answers nobody any more',
  detail: '',
  keys: [],
};

const failingBucket = 'alive/failing';

/** Nothing can be run again after it. */
export const isEnd = (symptom: Pick<Symptom, 'bucket'>): boolean =>
  isDeath(symptom) || symptom.bucket === failingBucket;

/** It answers everybody with this failure, a harmless request too. */
export const failingFor = (failure: string): Symptom => ({
  oracle: 'alive',
  bucket: failingBucket,
  title: 'the agent answers everybody with a failure of its own',
  detail: `a harmless request is answered with ${failure}, and was answered otherwise at first`,
  keys: [],
});

const changesIn = (one: Case): readonly string[] =>
  callsOf(one).flatMap((step) => (mutationsOf(step).length === 0 ? [] : [`${step.operation} (${mutationName(step)})`]));

/** The case with those before it that changed anything, as many as it takes to stay short. */
function withPast(own: Case, before: readonly Case[]): Case {
  let whole = own;
  const taken: Case[] = [];
  for (const one of before.toReversed()) {
    if (one.dialect !== own.dialect || changesIn(one).length === 0) continue;
    const grown = joined([one, ...taken], own);
    if (requestsOf(grown) > mostRequests) break;
    taken.unshift(one);
    whole = grown;
  }
  return whole;
}

/** The finding of a case after which nobody was answered any more, however often it was asked. */
export function deathOf(
  { bucket, symptom, before, case: own, number }: Suspect,
  seen: Attempt,
  stage: FuzzStage,
  kit: string,
): Confirmed {
  // Where a changed request itself came to nothing, it is the cause; else any of those before it may be.
  const isUnknown = bucket === unseenDeath.bucket || bucket === failingBucket;
  const whole = isUnknown ? withPast(own, before) : own;
  const names = [...before, own].flatMap(changesIn).slice(-mostNamed);
  const lost = seen.trace.sent.flatMap(({ step, exchange }) => (exchange.failure === undefined ? [] : step.operation));
  const last =
    names.length > 0
      ? `the last changed requests, in order: ${names.join(', ')}`
      : `none was changed${lost.length === 0 ? '' : `, and not answered were: ${lost.join(', ')}`}`;
  const told: Symptom = {
    ...symptom,
    detail: `${isUnknown && symptom.detail !== '' ? `${symptom.detail}; ` : ''}it did not come back, so that nothing could be run again; ${last}`,
  };
  const settled = { case: whole, symptom: told, times: 0, of: 0, shown: [seen] };
  return findingOf(settled, { case: own, bucket, symptom: told, before, number }, stage, kit);
}

/**
 * A bench for the case of an end: any death after it is the same one. Whichever request finds out gives it another name,
 * and where the last one is the deadly one and was answered, only who asks afterwards does.
 */
export const deathBench = (
  bucket: string,
  bench: Bench,
  canary: Canary,
  stage: Pick<FuzzStage, 'clock' | 'signal' | 'ledger' | 'target'>,
  waitMs = dyingMs,
): Bench => ({
  ...bench,
  async attempt(next, apartMs) {
    const attempt = await bench.attempt(next, apartMs);
    const { symptoms } = attempt;
    const named = symptoms.find(isDeath);
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
    const detail = 'it answered a harmless request before this case, and none after it';
    const keys = deathKeys(attempt.trace, stage);
    return { ...attempt, symptoms: [{ ...unseenDeath, bucket, detail, keys }, ...symptoms] };
  },
});
