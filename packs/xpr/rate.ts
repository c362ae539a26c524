import {
  check,
  comesAgain,
  describe,
  inconclusive,
  isAdmitted,
  type Judgement,
  type Outcome,
  PreconditionUnmet,
  type Scene,
  sleep,
  source,
} from '../../src/kit/index.js';
import { accepted } from './again.js';
import {
  type Burst,
  bare,
  burst,
  costOf,
  disturbed,
  isBare,
  joined,
  limitOf,
  mostSent,
  restMs,
  unpaced,
} from './bursts.js';
import * as xpr from './shared/asking.js';
import type { XprCaller } from './shared/scene.js';
import * as xprText from './signing/index.js';
import { slide } from './sliding.js';

// How often one account may call. XPR document, Rate Limiting. The limit is a setting: only a limit that the user
// states can make a failure (AMBX-14).

/** Repeats of checks that wait for whole minutes: one instead of the usual three runs. */
const oneMore = 1;

/** Where the user stated no limit, up to so many times the default limit is sent. */
const patience = 3;

interface Spent extends Burst {
  /** Another account meanwhile; undefined when there is none, or it was not accepted before either. */
  readonly other: Outcome<unknown> | undefined;
  /** The first account again, in several other ways, while its limit was used up. */
  readonly more: readonly xpr.Attempted[];
}

/** The limit belongs to the account, whatever operation or URL it calls. */
function byOtherWays(scene: Scene, caller: XprCaller): readonly xpr.Attempt[] {
  const credentials = () => xpr.xprOf(scene).as(caller, { paced: false });
  const url = new URL(scene.client.endpoint);
  url.searchParams.append('again', '1');
  const id = () => ({ id: scene.uuid() });
  const options = () => ({ credentials: credentials(), impatient: true });
  return [
    { about: 'after another account', send: () => unpaced(scene, caller) },
    { about: 'by tasks/cancel', send: () => scene.client.call('cancel', id(), options()) },
    { about: 'with a query', send: () => scene.client.call('get', id(), { ...options(), url: url.href }) },
  ];
}

/** When the last request that used the limit up was answered, by the scene's clock. */
const lastSpent = source('when the limit was used up', async (): Promise<{ endedAt: number }> => ({ endedAt: 0 }));

/**
 * Uses the limit up, and then calls in other ways and as another account. A disturbed first run is repeated once,
 * unless `isRepeat`.
 */
async function spend(scene: Scene, isRepeat = false): Promise<Spent> {
  const caller = xpr.firstCaller(scene);
  const rate = limitOf(scene, 1);
  const { isRateStated, second } = xpr.xprOf(scene);
  const isOtherKnown = second !== undefined && isAdmitted(await xpr.probeAs(scene, second));
  await sleep(scene.clock, restMs);
  const send = () => unpaced(scene, caller);
  let begun = scene.clock.now();
  let seen = await burst(scene, rate + 1, send);
  if (!isRepeat && seen.refused > 0 && seen.admitted < rate) {
    // Another client may have called, or the agent's minute may be longer: repeats once, after a longer rest.
    await sleep(scene.clock, 2 * restMs);
    begun = scene.clock.now();
    seen = await burst(scene, rate + 1, send);
  }
  if (!isRateStated && seen.admitted > rate) {
    seen = joined(seen, await burst(scene, Math.min(patience * rate, mostSent) - seen.outcomes.length, send));
  }
  const other = second !== undefined && isOtherKnown ? await unpaced(scene, second) : undefined;
  const more = seen.refused > 0 ? await xpr.untilLetIn(byOtherWays(scene, caller)) : [];
  (await scene.use(lastSpent)).endedAt = scene.clock.now();
  return { ...seen, spanMs: scene.clock.now() - begun, other, more };
}

/** Shared, so that each minute is waited for only once. */
const spent = source('an account that has used up its limit', async (scene): Promise<Spent> => {
  await scene.use(xpr.control);
  return spend(scene);
});

/** Shared by checks that failed on the first run: a window may have ended in the middle of it. */
const spentAgain = source('an account that has used up its limit once more', (scene) => spend(scene, true));
const onceMore = (scene: Scene) => () => scene.use(spentAgain);

const isLimited = ({ refused }: Burst): boolean => refused > 0;
const unlimited = (seen: Burst) =>
  inconclusive(
    `the account did not reach its limit: the agent accepted ${seen.admitted} of ${seen.outcomes.length} requests of a minute`,
  );

function withinLimit(seen: Spent, scene: Scene): Judgement {
  const { rate, isRateStated } = xpr.xprOf(scene);
  const open = disturbed(seen);
  if (open !== undefined) return open;
  const letIn = `${seen.admitted} of ${seen.outcomes.length} requests of one minute were accepted`;
  if (seen.admitted < rate) return inconclusive(`give --xpr-rate ${seen.admitted}: ${letIn}, fewer than ${rate}`);
  const beyond = seen.more.find(({ outcome }) => isAdmitted(outcome));
  if (seen.admitted === rate && beyond !== undefined) {
    const why = `one more was accepted ${beyond.about}`;
    return isRateStated ? `${letIn}, and then ${why}` : inconclusive(`give --xpr-rate: ${letIn}, and then ${why}`);
  }
  if (seen.admitted === rate) return undefined;
  if (isRateStated) return `${letIn}, and the limit is ${rate}`;
  const unknown = isLimited(seen) ? `the limit seems to be ${seen.admitted}` : 'the limit is not known';
  return inconclusive(`give --xpr-rate: ${letIn}; ${unknown}`);
}

export const limit = check('xpr/rate-limit', 'xpr.rate-limit')
  .given('agent', xpr.verifies)
  .alone()
  .when('an account exceeds its limit of a minute by one', ({ use }) => use(spent))
  .expects('accept as many as the limit allows', (first, scene) =>
    comesAgain(first, (seen) => withinLimit(seen, scene), onceMore(scene), oneMore),
  )
  .advice('If the limit of the agent is not that of --xpr-rate, the agent is right.');

/** Throws `PreconditionUnmet` when the user gives no second account. */
const other = source('a second account', async (scene) => xpr.secondXprCaller(scene));

export const limitPerAccount = check('xpr/rate-per-account', 'xpr.rate-per-account')
  .given('agent', xpr.verifies)
  .given('other', other)
  .alone()
  .when('another account calls meanwhile', async (scene) => {
    const seen = await scene.use(spent);
    if (seen.other === undefined)
      throw new PreconditionUnmet(
        'give another second account: the agent refuses it before the first account sends anything',
      );
    return seen;
  })
  .expects('accept its requests', (first, scene) =>
    comesAgain(
      first,
      (seen) => {
        const outcome = seen.other;
        if (!isLimited(seen)) return unlimited(seen);
        if (outcome === undefined || isAdmitted(outcome)) return undefined;
        if (isBare(outcome)) return bare;
        if (outcome.kind !== 'busy') return xpr.letIn(outcome);
        return `it is refused while another account has used up its limit: ${describe(outcome)}`;
      },
      onceMore(scene),
      oneMore,
    ),
  )
  .advice(
    'Count by the account whose signature was verified, each for itself: one counter for all lets one caller shut out the others.',
  );

/** Sends as many requests as were accepted before, a minute after the last of them. */
async function afterMinute(scene: Scene, seen: Spent): Promise<Burst> {
  if (!isLimited(seen)) throw new PreconditionUnmet(unlimited(seen).reason);
  const { endedAt } = await scene.use(lastSpent);
  await sleep(scene.clock, Math.max(0, endedAt + restMs - scene.clock.now()));
  const caller = xpr.firstCaller(scene);
  return burst(scene, Math.max(1, seen.admitted), () => unpaced(scene, caller));
}

/** With --slow, also tests whether the agent counts in fixed minutes. */
const later = source('an account a minute after its limit was reached', async (scene) => {
  const seen = await scene.use(spent);
  const fresh = await afterMinute(scene, seen);
  return { fresh, slid: xpr.xprOf(scene).slow ? await slide(scene, seen.admitted) : undefined };
});

export const limitWindow = check('xpr/rate-window', 'xpr.rate-window')
  .given('agent', xpr.verifies)
  .alone()
  .when('a minute has passed since an account reached its limit', ({ use }) => use(later))
  .expects('accept as many requests again', ({ fresh }, scene) =>
    comesAgain(
      fresh,
      ({ outcomes, refused, unclear }) => {
        if (outcomes.some(isBare)) return bare;
        if (refused > 0) return `${refused} of ${outcomes.length} requests are still refused`;
        return unclear && inconclusive(describe(unclear));
      },
      async () => {
        await sleep(scene.clock, restMs);
        return afterMinute(scene, await spend(scene, true));
      },
      oneMore,
    ),
  )
  .expects('count the last minute at any time', ({ slid }, scene) => {
    if (slid === undefined || slid.sent < 2) return undefined;
    return comesAgain(
      slid,
      ({ wasReached, admitted, sent }) => {
        // One request is free. An agent that counts by estimate may allow another.
        if (wasReached && admitted === sent)
          return `with one request of the limit free, ${admitted} were accepted: the window of the agent has fixed edges`;
        return wasReached ? undefined : inconclusive('the account did not reach its limit a second time');
      },
      async () => slide(scene, (await scene.use(spent)).admitted),
      oneMore,
    );
  })
  .advice(
    'Keep the times of the requests of the last 60 seconds, and drop older ones: no count by the minute of the clock, no longer ban.',
  );

/** Requests beyond any limit that is tested. */
const surplus = 10;

export const forged = check('xpr/rate-forged', 'xpr.rate-forged')
  .given('agent', xpr.verifies)
  .given('control', xpr.control)
  .alone()
  .when('another caller sends many requests in the name of an account', async (scene) => {
    const { stranger } = xpr.xprOf(scene);
    const { account } = xpr.firstCaller(scene);
    const count = limitOf(scene, surplus) + surplus;
    const send = () => xpr.send(scene, xpr.signed(scene, stranger(account)));
    return costOf(scene, async () => {
      const { admitted } = await burst(scene, count, send);
      if (admitted > 0) throw new PreconditionUnmet('the agent accepts requests that are not signed');
    });
  })
  .expects('still accept requests of the account itself', (cost) => {
    if (cost === 'none') return undefined;
    return cost === 'all' ? 'they use up the limit of the account' : inconclusive(cost.unclear);
  })
  .advice('Count a request when its signature was verified, not before.');

export const replays = check('xpr/rate-replay', 'xpr.rate-replay')
  .given('agent', xpr.verifies)
  .given('control', xpr.control)
  .alone()
  .when('another caller repeats a request of an account many times', async (scene) => {
    const count = limitOf(scene, surplus) + surplus;
    return costOf(scene, async () => {
      const request = await accepted(scene);
      await burst(scene, count, () => xpr.send(scene, request));
    });
  })
  .expects('still accept requests of the account itself', (cost) => {
    if (cost === 'none') return undefined;
    return cost === 'all' ? 'they use up the limit of the account' : inconclusive(cost.unclear);
  })
  .advice('Look for replays first, and count only what is none.');

/** Requests beyond the limit. */
const beyond = 5;

async function sendUnsigned(scene: Scene): Promise<Burst> {
  const send = (headers: readonly (readonly [string, string])[]) =>
    xpr.post(scene, { body: xpr.probeBody(scene), headers }, { impatient: true });
  const seen = await burst(scene, limitOf(scene, beyond) + beyond, () => send([]));
  if (seen.refused === 0) return seen;
  // An unsigned account name must not make the sender another caller.
  const { account } = xpr.xprOf(scene).stranger();
  return joined(seen, await burst(scene, seen.admitted + 1, () => send([[xprText.headerNames.account, account]])));
}

export const anonymous = check('xpr/rate-anonymous', 'xpr.rate-anonymous')
  .given('agent', xpr.verifies)
  .given('unsigned', xpr.takesUnsigned)
  .alone()
  .when('an unidentified caller exceeds the limit of a minute', sendUnsigned)
  .expects('accept no more than the limit allows', (first, scene) =>
    comesAgain(
      first,
      (seen) => {
        const { rate, isRateStated } = xpr.xprOf(scene);
        const open = disturbed(seen);
        if (open !== undefined) return open;
        if (seen.admitted <= rate) return undefined;
        const letIn = `${seen.admitted} of ${seen.outcomes.length} unsigned requests of one minute were accepted`;
        return isRateStated ? `${letIn}, and the limit is ${rate}` : inconclusive(`give --xpr-rate: ${letIn}`);
      },
      async () => {
        await sleep(scene.clock, restMs);
        return sendUnsigned(scene);
      },
      oneMore,
    ),
  )
  .advice('All who sign nothing share one limit, that of `anonymous`.');
