import { check, PreconditionUnmet, sleep } from '../../src/kit/index.js';
import { stubOf } from './again.js';
import * as x402 from './shared/index.js';

// Expired offers. x402 core v2 §5.1.2.

const overMs = 2000;

// In our words (x402, x402 core v2, 5.1.2): An offer is not taken after its maxTimeoutSeconds.
export const offerExpired = check('x402/offer-expired', 'x402.offer-expired')
  .given('control', x402.control)
  .given('offered', x402.offered)
  .when('the client pays an expired offer', async (scene) => {
    stubOf(scene);
    const { offered, clock } = scene;
    const seconds = offered.option.maxTimeoutSeconds;
    if (seconds === undefined) throw new PreconditionUnmet('the offer does not state how long it is valid');
    const { patienceMs } = x402.x402Of(scene);
    if (seconds * 1000 > patienceMs) {
      const most = `${patienceMs / 1000} s`;
      throw new PreconditionUnmet(
        `raise --x402-timeout: the offer is valid for ${seconds} s, and the kit waits ${most}`,
      );
    }
    await sleep(clock, seconds * 1000 + overMs);
    return x402.submit(scene, offered, await x402.rightPayment(scene, offered));
  })
  .expects('refuse the payment, or offer again', (attempt, { control }) => x402.refusedPayment(attempt, control))
  .advice('Remember when the offer was made: after maxTimeoutSeconds refuse the payment, or offer again.');
