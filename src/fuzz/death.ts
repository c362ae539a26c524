import type { FuzzStage } from '../run/index.js';
import type { Attempt, Confirmed, Suspect } from './campaign-settings.js';
import { type Case, callsOf } from './case.js';
import { findingOf } from './finding.js';
import { joined, requestsOf } from './joined.js';
import type { Symptom } from './oracle.js';
import { mutationName, mutationsOf } from './oracles/mutation.js';

// An agent that is gone for good cannot be asked again: what it died of is told as it was seen, and not as confirmed.

/** Of the requests before it, so many are named, and so many are in the case. */
const mostNamed = 8;
const mostRequests = 32;

export const isDeath = ({ bucket }: Symptom): boolean => bucket.startsWith('alive/dead');

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
  const whole = bucket === 'alive/dead' ? withPast(own, before) : own;
  const names = [...before, own].flatMap(changesIn).slice(-mostNamed);
  const last = names.length === 0 ? 'none was changed' : names.join(', ');
  const told: Symptom = {
    ...symptom,
    detail: `it did not come back, so that nothing could be run again; the last changed requests, in order: ${last}`,
  };
  const settled = { case: whole, symptom: told, times: 0, of: 0, shown: [seen] };
  return findingOf(settled, { case: own, bucket, symptom: told, before, number }, stage, kit);
}

/** Nobody saw which request it was. */
export const unseenDeath: Symptom = {
  oracle: 'alive',
  bucket: 'alive/dead',
  title: 'the agent answers nobody any more',
  detail: '',
  keys: [],
};
