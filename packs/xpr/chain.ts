import {
  check,
  describe,
  inconclusive,
  isAdmitted,
  PreconditionUnmet,
  sleep,
  turnedAway,
} from '../../src/kit/index.js';
import { holders, permission, usualAccount, usualAdmitted } from './holders.js';
import * as xpr from './shared/asking.js';
import { authenticated } from './signing.js';

// Callers when the chain fails, or has new answers. XPR document, Request Verification.

/** Ways in which the chain gives no account, and their descriptions. */
const failures = [
  ['down', 'the chain hangs up'],
  ['server-error', 'the chain answers with HTTP 500'],
  ['html', 'the chain answers with a page'],
  ['not-found', 'the chain answers with an error under HTTP 200'],
  ['null', 'the chain answers with null'],
  ['wrong-shape', 'the chain answers with other types'],
  ['slow', 'the chain answers late'],
] as const;

/** Ms. An agent may ask a slow chain more than once before it gives up. */
const patienceMs = 30_000;

export const chainFailure = check('xpr/chain-failure', 'xpr.chain-failure')
  .given('agent', xpr.verifies)
  .when('the client signs with another key while the chain does not answer', async (scene) =>
    xpr.untilLetIn(
      failures.map(([mode, about]) => ({
        about,
        send() {
          const { account, next } = holders(scene);
          return xpr.withAccount(scene, account, [permission('active', next())], async (stub) => {
            await stub.setFailure(account, mode);
            // An agent that waits longer than the chain's delay still learns the account, but this is another key.
            return xpr.probeAs(scene, next(), { timeoutMs: patienceMs });
          });
        },
      })),
    ),
  )
  .expects('refuse the request as not authenticated', (seen) => xpr.each(seen, turnedAway))
  .butAccepts(usualAccount, usualAdmitted)
  .advice('Refuse a caller when its verification fails for any reason, also when the chain does not answer.');

/** The longest time for which an agent may cache answers of the chain, ms. */
const cacheMs = 300_000;
const marginMs = 10_000;

export const keyRotated = check('xpr/key-rotated', 'xpr.key-rotated')
  .given('agent', xpr.verifies)
  .when('an account gets another key, and five minutes pass', async (scene) => {
    const { clock } = scene;
    if (!xpr.xprOf(scene).slow) throw new PreconditionUnmet('allow it with --slow: this takes more than five minutes');
    const { account, next } = holders(scene);
    const [before, after] = [next(), next()];
    return xpr.withAccount(scene, account, [permission('active', before)], async (stub) => {
      const first = await xpr.probeAs(scene, before);
      if (!isAdmitted(first)) throw new PreconditionUnmet(`the agent refuses ${usualAccount} (${describe(first)})`);
      await stub.setAccount({ name: account, permissions: [permission('active', after)] });
      // A read in between must not extend the life of the cached answer.
      await sleep(clock, cacheMs / 2);
      await xpr.probeAs(scene, before);
      await sleep(clock, cacheMs / 2 + marginMs);
      return { old: await xpr.probeAs(scene, before), current: await xpr.probeAs(scene, after) };
    });
  })
  .expects('refuse the old key', ({ old }) => turnedAway(old))
  .expects('accept the new one', ({ current, old }) =>
    turnedAway(old) === undefined ? authenticated(current) : inconclusive('the agent still accepts the old key'),
  )
  .advice(
    'Note when keys were read, read them anew after five minutes, and replace the old ones. Use must not prolong the time.',
  );
