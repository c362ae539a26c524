import { check, type Scene } from '../../src/kit/index.js';
import * as x402 from './shared/index.js';
import { allRefused, flaw, trying } from './trying.js';

// Validity times of payments. x402 core v2 §6.1.2; scheme exact on EVM; EIP-3009.

/** All clocks that may count, in Unix seconds: the agent's as it states it, the kit's, and its facilitator's. */
async function clocks(scene: Scene): Promise<readonly number[]> {
  const { seconds, stub } = x402.x402Of(scene);
  const others = [scene.clock.now(), ...(stub === undefined ? [] : [await stub.now()])];
  return [seconds(), ...others.map((ms) => Math.floor(ms / 1000))];
}
const earliest = async (scene: Scene): Promise<number> => Math.min(...(await clocks(scene)));
const latest = async (scene: Scene): Promise<number> => Math.max(...(await clocks(scene)));

// In our words (x402, x402 core v2, 6.1.2; exact on EVM, 1): An authorization that has expired is refused.
export const expired = check('x402/expired', 'x402.expired')
  .given('control', x402.control)
  .when('a payment has expired an hour ago', trying(flaw('n14', earliest)))
  .expects('refuse the payment', allRefused)
  .advice('validBefore is in Unix seconds; with some seconds to spare, since a settlement takes time.');

// In our words (x402, x402 core v2, 6.1.2; exact on EVM, 1): An authorization that expires in this second is refused.
export const expiresNow = check('x402/expires-now', 'x402.expires-now')
  .given('control', x402.control)
  .when('a payment expires in this second', trying(flaw('n15', earliest)))
  .expects('refuse the payment', allRefused)
  .advice('A token takes an authorization while now is before validBefore; ask for some seconds more than that.');

// In our words (x402, x402 core v2, 6.1.2; exact on EVM, 1): An authorization that is not valid yet is refused.
export const notYetValid = check('x402/not-yet-valid', 'x402.not-yet-valid')
  .given('control', x402.control)
  .when('a payment is valid for one second, an hour ahead', trying(flaw('n16', latest)))
  .expects('refuse the payment', allRefused)
  .advice('validAfter is in Unix seconds; the token refuses what is not valid yet.');

// In our words (x402, x402 core v2, 6.1.2; exact on EVM, 1): An authorization whose validAfter is later than its
//   validBefore is refused.
export const windowInverted = check('x402/window-inverted', 'x402.window-inverted')
  .given('control', x402.control)
  .when('a payment becomes valid after it has expired', trying(flaw('n17')))
  .expects('refuse the payment', allRefused)
  .advice('Compare both ends with the clock: validAfter < now < validBefore.');
