import { type Fault, fault } from '../../../fixtures/faults/shared/fault.js';
import type { Patch } from '../../../src/reference/patching.js';
import { believing } from '../agent/index.js';
import type { Authorization } from '../payments/index.js';

/** Ignores refusals for this reason if `looksAway` holds for the authorization; `now` in Unix seconds. */
const overlooking =
  (reason: string, looksAway: (authorization: Authorization, now: number) => boolean = () => true): Patch =>
  (inner, world, whole) =>
    believing(
      (said, { payment }) =>
        said.includes(reason) && looksAway(payment.payload.authorization, world.clock.now() / 1000),
    )(inner, world, whole);

export const faults: readonly Fault[] = [
  fault('x402-expiry-ignored', {
    about: 'Payments never expire.',
    breaks: ['x402.expired', 'x402.expires-now'],
    patch: overlooking('valid_before'),
  }),
  fault('x402-expiry-with-grace', {
    about: 'Payments are taken for a minute after they have expired.',
    breaks: ['x402.expires-now'],
    patch: overlooking('valid_before', ({ validBefore }, now) => Number(validBefore) > now - 60),
  }),
  fault('x402-expiry-by-a-late-clock', {
    about: 'The clock by which the agent judges whether a payment has expired is two hours behind.',
    breaks: ['x402.expired', 'x402.expires-now'],
    patch: overlooking('valid_before', ({ validBefore }, now) => Number(validBefore) > now - 7200),
  }),
  fault('x402-start-ignored', {
    about: 'Payments are taken before they are valid.',
    breaks: ['x402.not-yet-valid', 'x402.window-inverted'],
    patch: overlooking('valid_after'),
  }),
  fault('x402-start-with-grace', {
    about: 'The agent accepts payments that become valid within five minutes.',
    breaks: ['x402.window-inverted'],
    patch: overlooking('valid_after', ({ validAfter }, now) => Number(validAfter) < now + 300),
  }),
];
