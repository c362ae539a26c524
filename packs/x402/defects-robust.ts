import { check, describe, inconclusive, type Judgement, PreconditionUnmet } from '../../src/kit/index.js';
import { hostile, malformed, valueForms, wrongVersions } from './malformed.js';
import * as x402 from './shared/index.js';

// The effect of malformed payments on the agent, refused or not. a2a-x402 v0.1 §9: input validation.

const internalError = -32603;
/**
 * A server that refuses a body unread may close before it was fully sent, and then the answer is lost. RFC 9110
 * §15.5.14.
 */
const large = 256 * 1024;

/** The attempt was answered, and without an internal error of the agent. */
function unharmed(attempt: x402.Attempt): Judgement {
  const { outcome, decided, exhibit } = attempt;
  switch (outcome.kind) {
    case 'not-sent':
    case 'denied':
    case 'busy':
      return inconclusive(describe(outcome));
    case 'refusal':
      return outcome.code === internalError ? describe(outcome) : undefined;
    case 'invalid-response': {
      if ((exhibit?.request.body?.length ?? 0) > large) return undefined;
      const isSilence = outcome.fault === 'timeout' || outcome.fault === 'no-answer';
      return isSilence || (exhibit?.response?.status ?? 0) >= 500 ? describe(outcome) : undefined;
    }
    case 'result': {
      if (decided || outcome.value.type === 'message') return undefined;
      // Where correct payments are decided in a tenth of the time, this is not slowness.
      return x402.isStuck(attempt) ? x402.notDecided(attempt) : inconclusive(x402.notDecided(attempt));
    }
  }
}

/** The answer makes an offer, like that to any request that costs. */
function offers({ outcome, task }: x402.Asked): Judgement {
  if (outcome.kind === 'not-sent' || outcome.kind === 'denied' || outcome.kind === 'busy') {
    return inconclusive(describe(outcome));
  }
  if (task !== undefined && x402.offerOf(task) !== undefined) return undefined;
  return `no offer comes any more: ${task === undefined ? describe(outcome) : x402.standingOf(task)}`;
}

// In our words (x402, a2a-x402 v0.1, 9): A malformed payload does no harm to the agent.
export const robust = check('x402/robust', 'x402.robust')
  .given('control', x402.control)
  .when('malformed payments have come', async (scene) => {
    const tried: x402.Tried[] = [];
    let why = '';
    for (const trial of [malformed, wrongVersions, valueForms, hostile]) {
      try {
        tried.push(...(await scene.use(trial)).tried);
      } catch (error) {
        if (!(error instanceof PreconditionUnmet)) throw error;
        why = error.message;
      }
    }
    if (tried.length === 0) throw new PreconditionUnmet(why);
    return { tried, after: await x402.ask(scene) };
  })
  .expects('answer each without an error of its own', ({ tried }) => x402.each(tried, unharmed))
  .expects('make the next offer', ({ after }) => offers(after))
  .advice(
    'Catch what the reading of a payment throws, and refuse the payment: payment-failed, or an error of its own.',
  );
