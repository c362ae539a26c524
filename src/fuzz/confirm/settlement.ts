import type { Clock } from '../../wire/index.js';
import { type Case, isFollowing } from '../case/case.js';
import type { Symptom } from '../oracles/oracle.js';
import type { Attempt, Bench, Suspect } from '../schedule/campaign-settings.js';
import { type Confirmation, confirm, count } from './reruns.js';
import { type Shows, showing, showsIn, showsInTime } from './showing.js';
import { type ShrinkLimits, type StepJudge, shrink } from './shrink.js';

export interface SettlementOptions {
  /** Runs from scratch that confirm it. */
  readonly confirmations: number;
  readonly shrinking: ShrinkLimits;
  readonly clock: Clock;
  /** Whether a step fits the schema: the answer must be the same for a smaller step. */
  readonly judgeStep: StepJudge;
  /** Restarts the agent, where that can be done. */
  readonly renew?: () => Promise<void>;
}

/** A confirmed symptom with the smallest case that was found. */
export interface Settled {
  readonly case: Case;
  readonly symptom: Symptom;
  /** How many runs of the smallest case showed it, and how many runs there were. */
  readonly times: number;
  readonly of: number;
  /** The runs that showed it, at least one; the script is made of their exchanges. */
  readonly shown: readonly Attempt[];
  /** The symptom never came on a restarted agent, whatever was run before: its script may not show it there. */
  readonly isNeverFresh?: true;
  /** The symptom does not come with pauses between the requests: a script may be too slow for it. */
  readonly isHasty?: true;
}

type Smallest = Confirmation & Pick<Settled, 'isHasty'>;

/** How long a shell takes from one request to the next, ms. */
const leisureMs = 50;

/** A bench with pauses between the steps of a case; undefined: with pauses the case does not show the symptom. */
async function atLeisure(
  { case: found, times, of }: Confirmation,
  bucket: string,
  bench: Bench,
): Promise<Bench | undefined> {
  if (!found.steps.some(isFollowing)) return bench;
  const slow: Bench = { ...bench, attempt: (next, how) => bench.attempt(next, { ...how, apartMs: leisureMs }) };
  const again = await count(found, showsIn(bucket, false), times < of ? of : 1, slow);
  return again.times > 0 || bench.isOver() ? slow : undefined;
}

/**
 * The first that still shows the symptom when each answer is awaited to the end: what is slow is not silent, and a
 * smaller case may be answered late.
 */
async function atLength(found: Iterable<Confirmation>, shows: Shows, bench: Bench): Promise<Confirmation | undefined> {
  for (const confirmation of found) {
    const whole = await bench.attempt(confirmation.case, { briefly: false });
    if (shows(whole)) return { ...confirmation, shown: [whole, ...confirmation.shown.slice(1)] };
    if (bench.isOver()) return undefined;
  }
  return undefined;
}

/** Confirms a suspect, shrinks its case, and counts how often the small case shows the symptom. */
async function smallest(suspect: Suspect, bench: Bench, options: SettlementOptions): Promise<Smallest | undefined> {
  const { confirmations } = options;
  const { bucket, atLeisure: mustBeSlow = false } = suspect;
  const first = await confirm(suspect, bench, confirmations);
  if (first === undefined) return undefined;
  const isFlaky = first.times < first.of;
  // A case that needs no probe of an oracle must not need one when it is smaller: a script has none.
  const isAlone = first.shown.every((attempt) => showing(bucket, attempt)?.case === undefined);
  const shows = showsIn(bucket, isAlone);
  const slow = await atLeisure(first, bucket, bench);
  if (slow === undefined && mustBeSlow) return undefined;
  const pace = slow ?? bench;
  const small = await shrink(first.case, showsInTime(shows, first.shown), isFlaky, pace, options);
  const last = small === first.case ? first : await count(small, shows, confirmations, pace);
  // A smaller case that shows the symptom less often is worse.
  const smaller = last.of === 0 || last.times * first.of < first.times * last.of ? first : last;
  const best = bench.isBrief ? await atLength(new Set([smaller, first]), shows, pace) : smaller;
  if (best === undefined) return undefined;
  return slow === undefined ? { ...best, isHasty: true } : best;
}

/** A bench that restarts the agent before each attempt. */
const renewing = (bench: Bench, renew: () => Promise<void>): Bench => ({
  ...bench,
  async attempt(next, how) {
    // If the agent stays away, the canary shows it.
    await renew().catch(() => undefined);
    return bench.attempt(next, how);
  },
});

/**
 * Confirms a suspect and shrinks its case. `undefined`: the symptom did not come again. If the agent can be restarted,
 * the last runs begin on a restarted agent; a case that does not show the symptom there is shrunk once more on such
 * agents. Deterministic for a deterministic agent, except for the limit of time.
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
  // If nothing more could be run, it is unknown.
  return last === undefined || bench.isOver() ? last : { ...last, isNeverFresh: true };
}

const hasteOf = ({ isHasty }: Smallest): Pick<Settled, 'isHasty'> => (isHasty ? { isHasty } : {});

function settled(small: Smallest, bucket: string): Settled | undefined {
  const { case: found, times, of, shown } = small;
  const symptom = shown[0] && showing(bucket, shown[0]);
  return symptom && { case: found, symptom, times, of, shown, ...hasteOf(small) };
}
