import type { Patch, Seams, World } from '../seams.js';
import type { Attempt, X402Seams } from './seams.js';
import type { MerchantSettings } from './settings.js';

/** A patch of some of these seams. */
export const onX402 =
  (patch: (inner: X402Seams, world: World, whole: Seams) => Partial<X402Seams>): Patch =>
  (inner, world, whole) => ({ x402: { ...inner.x402, ...patch(inner.x402, world, whole) } });

/** Other settings. */
export const selling = (more: Partial<MerchantSettings>): Patch =>
  onX402((inner) => ({ settings: () => ({ ...inner.settings(), ...more }) }));

/**
 * The agent accepts payments that the facilitator refuses, like an agent that verifies badly itself and settles with a
 * facilitator that verifies nothing. The transaction is made up.
 */
export const believing = (looksAway: (reason: string, attempt: Attempt) => boolean): Patch =>
  onX402((inner) => ({
    async verify(attempt) {
      const refusal = await inner.verify(attempt);
      return refusal !== undefined && looksAway(refusal.reason, attempt) ? undefined : refusal;
    },
    async settle(attempt) {
      const settled = await inner.settle(attempt);
      if (typeof settled === 'string' || !looksAway(settled.reason, attempt)) return settled;
      return attempt.payment.payload.authorization.nonce;
    },
  }));
