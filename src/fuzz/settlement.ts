import type { Clock } from '../wire/index.js';
import type { Attempt, Bench, Suspect } from './campaign-settings.js';
import { type Case, isFollowing } from './case.js';
import { type Confirmation, confirm, count } from './confirm.js';
import type { Symptom } from './oracle.js';
import { showing, showsIn, showsInTime } from './showing.js';
import { type ShrinkLimits, type StepJudge, shrink } from './shrink.js';

export interface SettlementOptions {
  /** Runs from scratch that confirm it. */
  readonly confirmations: number;
  readonly shrinking: ShrinkLimits;
  readonly clock: Clock;
  /** Whether a step is as right or as wrong by the schema as it was: a smaller one must say the same. */
  readonly judgeStep: StepJudge;
  /** Restarts the agent, where that can be done. */
  readonly renew?: () => Promise<void>;
}

/** A symptom that came again from scratch, as small as it could be made. */
export interface Settled {
  readonly case: Case;
  readonly symptom: Symptom;
  /** Runs of the smallest case that showed it, of so many. */
  readonly times: number;
  readonly of: number;
  /** Those runs, at least one; their exchanges are what a script is made of. */
  readonly shown: readonly Attempt[];
  /** It never came on a restarted agent, whatever was run before it: its script may not show it there. */
  readonly isNeverFresh?: true;
  /** It does not come where the requests are apart: a script may be too slow for it. */
  readonly isHasty?: true;
}

type Smallest = Confirmation & Pick<Settled, 'isHasty'>;

/** A shell takes so long from one request to the next, ms. */
const leisureMs = 50;

/** A bench on which the steps of a case are apart; undefined where what was confirmed does not show so. */
async function atLeisure(
  { case: found, times, of }: Confirmation,
  bucket: string,
  bench: Bench,
): Promise<Bench | undefined> {
  if (!found.steps.some(isFollowing)) return bench;
  const slow: Bench = { ...bench, attempt: (next) => bench.attempt(next, leisureMs) };
  const again = await count(found, showsIn(bucket, false), times < of ? of : 1, slow);
  return again.times > 0 || bench.isOver() ? slow : undefined;
}

/** Runs a suspect again, makes it small, and runs what is left again. */
async function smallest(suspect: Suspect, bench: Bench, options: SettlementOptions): Promise<Smallest | undefined> {
  const { confirmations } = options;
  const { bucket, atLeisure: mustBeSlow = false } = suspect;
  const first = await confirm(suspect, bench, confirmations);
  if (first === undefined) return undefined;
  const isFlaky = first.times < first.of;
  // What needs no probe stays so: a script has none.
  const isAlone = first.shown.every((attempt) => showing(bucket, attempt)?.case === undefined);
  const shows = showsIn(bucket, isAlone);
  const slow = await atLeisure(first, bucket, bench);
  if (slow === undefined && mustBeSlow) return undefined;
  const pace = slow ?? bench;
  const small = await shrink(first.case, showsInTime(shows, first.shown), isFlaky, pace, options);
  const last = small === first.case ? first : await count(small, shows, confirmations, pace);
  // A smaller case that shows it less often is the worse one.
  const best = last.of === 0 || last.times * first.of < first.times * last.of ? first : last;
  return slow === undefined ? { ...best, isHasty: true } : best;
}

/** A bench on which the agent knows nothing of the attempts before. */
const renewing = (bench: Bench, renew: () => Promise<void>): Bench => ({
  ...bench,
  async attempt(next, apartMs) {
    // The canary tells when it stays away.
    await renew().catch(() => undefined);
    return bench.attempt(next, apartMs);
  },
});

/**
 * Confirms a suspect and makes it small. `undefined`: it never came again. Where the agent can be restarted, the last runs
 * begin on an agent that knows nothing; what does not show there is made small once more on such agents. Deterministic
 * for a deterministic agent, but for the limit of time.
 */
export async function settleFinding(
  suspect: Suspect,
  bench: Bench,
  options: SettlementOptions,
): Promise<Settled | undefined> {
  const { confirmations, renew } = options;
  const { bucket } = suspect;
  const found = await smallest(suspect, bench, options);
  if (found === undefined || renew === undefined) return found && settled(found, bucket);
  const fresh = renewing(bench, renew);
  const again = await count(found.case, showsIn(bucket, false), confirmations, fresh);
  if (again.times > 0) return settled({ ...again, ...hasteOf(found) }, bucket);
  const small = await smallest(suspect, fresh, options);
  if (small !== undefined) return settled(small, bucket);
  const last = settled(found, bucket);
  // Where nothing could be tried any more, nobody knows.
  return last === undefined || bench.isOver() ? last : { ...last, isNeverFresh: true };
}

const hasteOf = ({ isHasty }: Smallest): Pick<Settled, 'isHasty'> => (isHasty ? { isHasty } : {});

function settled(small: Smallest, bucket: string): Settled | undefined {
  const { case: found, times, of, shown } = small;
  const symptom = shown[0] && showing(bucket, shown[0]);
  return symptom && { case: found, symptom, times, of, shown, ...hasteOf(small) };
}
