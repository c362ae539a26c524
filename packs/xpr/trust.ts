import {
  admission,
  check,
  Inconclusive,
  inconclusive,
  isAdmitted,
  type Judgement,
  NotApplicable,
  type Outcome,
  PreconditionUnmet,
  type Scene,
  turnedAway,
} from '../../src/kit/index.js';
import { probeAsNew, probeAsTrusted, type Traits } from './enrolled.js';
import * as xpr from './shared/asking.js';

// XPR document, Trust Gating: which authenticated callers the agent serves.

interface Attempt {
  readonly about: string;
  readonly outcome: Outcome<unknown>;
}

const exhibitOf = ({ outcome }: Attempt) => (outcome.kind === 'not-sent' ? undefined : outcome.exchange);

/** All were refused; otherwise names the first that was accepted, else the first that is unproven. */
function allTurnedAway(attempts: readonly Attempt[]): Judgement {
  let open: Judgement;
  for (const { about, outcome } of attempts) {
    const judgement = turnedAway(outcome);
    if (typeof judgement === 'string') return `${about}: ${judgement}`;
    if (judgement instanceof Inconclusive) open ??= inconclusive(`${judgement.reason} (${about})`);
  }
  return open;
}

/** Adds the exhibit: the attempt that the judgement is about. */
const shown = (attempts: readonly [Attempt, ...Attempt[]]) => ({
  attempts,
  exhibit: exhibitOf(attempts.find(({ outcome }) => isAdmitted(outcome)) ?? attempts[0]),
});

const attemptAs = async (scene: Scene, about: string, traits: Traits): Promise<Attempt> => ({
  about,
  outcome: await probeAsNew(scene, traits),
});

/** On the kit's chain the kit creates unregistered accounts; elsewhere the user names one. */
async function unregistered(scene: Scene): Promise<readonly [Attempt, ...Attempt[]]> {
  const { unregistered: given, stub } = xpr.xprOf(scene);
  if (stub === undefined && given === undefined) {
    throw new PreconditionUnmet(
      'give --xpr-unregistered-account and its key: the check needs an account that is not a registered agent',
    );
  }
  const theirs =
    given === undefined
      ? []
      : [{ about: `${given.account}, which is not a registered agent`, outcome: await xpr.probeAs(scene, given) }];
  const attempts =
    stub === undefined
      ? []
      : [
          await attemptAs(scene, 'a new account, which is not a registered agent', { kyc: 3 }),
          await attemptAs(scene, 'an account for which the chain gives the row of another one', {
            kyc: 3,
            failure: 'foreign-row',
          }),
          await attemptAs(scene, 'a new account, of which the chain tells no more', { kyc: 3, down: true }),
        ];
  const [first, ...others] = [...theirs, ...attempts];
  if (first === undefined) throw new PreconditionUnmet('the kit knows no account without a registration');
  return [first, ...others];
}

/** The control: the user's account where the chain is not the kit's. */
const registeredAdmitted = async (scene: Scene): Promise<Outcome<unknown>> =>
  xpr.xprOf(scene).stub === undefined ? admission(await scene.use(xpr.control)) : probeAsTrusted(scene);

export const unregisteredRefused = check('xpr/trust-unregistered', 'xpr.trust-unregistered')
  .given('agent', xpr.verifies)
  .when('the client signs for an account that is not a registered agent', async (scene) =>
    shown(await unregistered(scene)),
  )
  .expects('refuse the request as not authenticated', ({ attempts }) => allTurnedAway(attempts))
  .butAccepts('the same of a registered agent', registeredAdmitted)
  .advice(
    'Look the account up in the table of agents, always; whether there is a minimum of KYC or trust does not matter. Compare the account of the row that comes back.',
  );

export const inactiveRefused = check('xpr/trust-inactive', 'xpr.trust-inactive')
  .given('agent', xpr.verifies)
  .when('the client signs for a registered agent that is not active', async (scene) =>
    shown([
      await attemptAs(scene, 'with active 0', { agent: { active: 0 }, kyc: 3 }),
      await attemptAs(scene, 'with active false', { agent: { active: false }, kyc: 3 }),
    ]),
  )
  .expects('refuse the request as not authenticated', ({ attempts }) => allTurnedAway(attempts))
  .butAccepts('the same of an active one', probeAsTrusted)
  .advice(
    'Read `active` of the row, whether a minimum is set or not: 0 and false both say that the agent is not active.',
  );

/** The agent's minimum, as stated by the user. */
function minimum(scene: Scene, name: 'minKyc' | 'minTrust'): number {
  const { [name]: least } = xpr.xprOf(scene);
  const option = name === 'minKyc' ? '--xpr-min-kyc' : '--xpr-min-trust';
  if (least === undefined || least <= 0) throw new NotApplicable(`no minimum is stated; say it with ${option}`);
  return least;
}

/** The two ways to store a level in the table. */
const spellings = ['number', 'claims'] as const;

/** The first that was accepted: the text does not define how a level is stored, so one of the two is enough. */
async function inOneSpelling(scene: Scene, traits: Traits): Promise<Outcome<unknown>> {
  const first = await probeAsNew(scene, { ...traits, kycAs: spellings[0] });
  return isAdmitted(first) ? first : probeAsNew(scene, { ...traits, kycAs: spellings[1] });
}

export const kycMinimum = check('xpr/trust-kyc', 'xpr.trust-kyc')
  .given('agent', xpr.verifies)
  .when('callers one level below the KYC minimum, and at it, sign correctly', async (scene) => {
    const least = minimum(scene, 'minKyc');
    const below: Attempt[] = [];
    for (const kycAs of spellings) {
      below.push(await attemptAs(scene, `level ${least - 1} as ${kycAs}`, { agent: {}, kyc: least - 1, kycAs }));
    }
    const at = { about: `level ${least}`, outcome: await inOneSpelling(scene, { agent: {}, kyc: least }) };
    const worst = below.find(({ outcome }) => isAdmitted(outcome));
    return { below, at, exhibit: exhibitOf(worst ?? at) };
  })
  .expects('refuse those below', ({ below }) => allTurnedAway(below))
  .expects('accept those at it', ({ at }, scene): Judgement => {
    const judgement = xpr.letIn(at.outcome);
    if (typeof judgement !== 'string') return judgement;
    // The trust score may be the reason for the refusal.
    if ((xpr.xprOf(scene).minTrust ?? 0) > 0)
      return inconclusive(`the agent also has a minimum of trust: ${judgement}`);
    return `${at.about}: ${judgement}`;
  })
  .butAccepts('an agent of the highest level', probeAsTrusted)
  .advice('Accept if level >= minimum, and refuse otherwise, before the request is handled.');

/** AMBX-16: the document gives no formula. An account without KYC, history and stake has no score under any formula. */
export const scoreBelow = check('xpr/trust-score-below', 'xpr.trust-score-below')
  .given('agent', xpr.verifies)
  .when('a new caller without KYC signs correctly', async (scene) => {
    minimum(scene, 'minTrust');
    if ((xpr.xprOf(scene).minKyc ?? 0) > 0)
      throw new PreconditionUnmet('the KYC minimum already keeps the account out');
    const registeredAt = xpr.xprOf(scene).seconds();
    return shown([await attemptAs(scene, 'an agent without a score', { agent: { registeredAt }, kyc: 0 })]);
  })
  .expects('refuse the request as not authenticated', ({ attempts }) => allTurnedAway(attempts))
  .butAccepts('an agent of the highest level, registered long ago', probeAsTrusted)
  .advice(
    'Refuse with -32000 where score < minimum. Who was registered just now and has no KYC begins at 0, not in the middle.',
  );

const monthSeconds = 30 * 24 * 60 * 60;
const mostMonths = 10;
const mostKyc = 3;

/**
 * Ten points per level and one per month, as published agents count. Registered half a month earlier, since months
 * differ in length.
 */
function scoring(scene: Scene, score: number): Traits {
  const level = Math.max(xpr.xprOf(scene).minKyc ?? 0, Math.ceil((score - mostMonths) / 10), 0);
  const months = score - 10 * level;
  if (level > mostKyc || months < 0)
    throw new PreconditionUnmet(`the kit knows no account with a score of just ${score}`);
  return {
    agent: { registeredAt: Math.floor(xpr.xprOf(scene).seconds() - (months + 0.5) * monthSeconds) },
    kyc: level,
  };
}

export const scoreAt = check('xpr/trust-score-at', 'xpr.trust-score-at')
  .given('agent', xpr.verifies)
  .when('callers one point below the minimum of trust, and at it, sign correctly', async (scene) => {
    const least = minimum(scene, 'minTrust');
    const at = { about: `a score of ${least}`, outcome: await inOneSpelling(scene, scoring(scene, least)) };
    const below = await attemptAs(scene, `a score of ${least - 1}`, scoring(scene, least - 1));
    return { at, below, exhibit: exhibitOf(isAdmitted(below.outcome) ? below : at) };
  })
  .expects('accept those at it', ({ at }): Judgement => {
    const judgement = xpr.letIn(at.outcome);
    return typeof judgement === 'string' ? `${at.about}: ${judgement}` : judgement;
  })
  .expects('refuse those below', ({ below }) => allTurnedAway([below]))
  .butAccepts('an agent of the highest level, registered long ago', probeAsTrusted)
  .advice('Ten points for each KYC level and one for each month since registration, ten months at most.');
