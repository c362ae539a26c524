import type { Patch, Seams, World } from '../../../src/reference/patching.js';
import type { Attempt, X402Seams } from './seams.js';
import type { MerchantSettings } from './settings.js';

/** The finished set of seams of an agent that charges. */
export type X402Whole = Seams & { readonly x402: X402Seams };

const seamsIn = ({ parts }: Seams): X402Seams => parts['x402'] as X402Seams;

/** The same set, which may still be unfinished, with the seams of the pack. */
export const withX402 = (whole: Seams): X402Whole =>
  Object.create(whole, { x402: { get: () => seamsIn(whole) } }) as X402Whole;

/** A patch of the seams that every agent has, for one that charges. */
export const onSeller =
  (patch: (inner: Seams, world: World, whole: X402Whole) => Partial<Seams>): Patch =>
  (inner, world, whole) =>
    patch(inner, world, withX402(whole));

/** A patch of the seams of the pack. */
export const onX402 =
  (patch: (inner: X402Seams, world: World, whole: X402Whole) => Partial<X402Seams>): Patch =>
  (inner, world, whole) => {
    const before = seamsIn(inner);
    return { parts: { ...inner.parts, x402: { ...before, ...patch(before, world, withX402(whole)) } } };
  };

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
