import {
  admission,
  check,
  ifMet,
  type Outcome,
  PreconditionUnmet,
  sleep,
  source,
  turnedAway,
} from '../../src/kit/index.js';
import { accepted, again, rememberAdvice } from './again.js';
import * as xpr from './shared/asking.js';

// Late replays, where the user allows the time. XPR document, Security Considerations.

/** Thirty seconds longer than a timestamp is valid, ms. */
const lateMs = 330_000;
const aheadSeconds = 240;

interface Late {
  readonly plain: Outcome<unknown>;
  /** A request that was signed for a future time; undefined when it was refused the first time. */
  readonly ahead: Outcome<unknown> | undefined;
}

/** Both requests share one wait. */
const late = source('requests that are sent again after five minutes and a half', async (scene): Promise<Late> => {
  if (!xpr.xprOf(scene).slow) throw new PreconditionUnmet('allow it with --slow: this takes more than five minutes');
  const plain = await accepted(scene);
  const ahead = await ifMet(accepted(scene, { timestamp: xpr.xprOf(scene).seconds() + aheadSeconds }));
  await sleep(scene.clock, lateMs);
  return { plain: await again(scene, plain), ahead: ahead && (await again(scene, ahead)) };
});

export const replayLate = check('xpr/replay-late', 'xpr.replay-late')
  .given('agent', xpr.verifies)
  .given('control', xpr.control)
  .when('an accepted request comes again after its timestamp has left the window', async (scene) => {
    const { plain } = await scene.use(late);
    return plain;
  })
  .expects('refuse it', turnedAway)
  .butAccepts('a new request', async (scene) => admission(await xpr.probeAs(scene, xpr.firstCaller(scene))))
  .advice('A timestamp may be 300 seconds old, so remember each request as long as the window accepts it.');

export const replayAhead = check('xpr/replay-ahead', 'xpr.replay-same')
  .given('agent', xpr.verifies)
  .given('control', xpr.control)
  .when('a request signed four minutes ahead comes again after five and a half', async (scene) => {
    const { ahead } = await scene.use(late);
    if (ahead === undefined)
      throw new PreconditionUnmet('the agent refuses the first request with a timestamp four minutes ahead');
    return ahead;
  })
  .expects('refuse it', turnedAway)
  .advice(`${rememberAdvice} A timestamp ahead of the clock is good for longer than the window.`);
