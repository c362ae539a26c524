import { type Fault, fault } from '../../../fixtures/faults/shared/fault.js';
import { type Patch, together } from '../../../src/reference/patching.js';
import { sleep } from '../../../src/wire/index.js';
import { onX402 } from '../agent/index.js';
import { forgetful, paidTwice } from './shared.js';

/** Accepts a payment while another one for the same task is under way. */
const manyAtOnce: Patch = onX402((_, __, { x402 }) => ({
  meanwhile(account, message) {
    x402.pay(account, message);
    return undefined;
  },
}));

export const faults: readonly Fault[] = [
  fault('x402-claims-await', {
    about: 'Nonces are looked up, then something is awaited, and then they are taken down.',
    breaks: ['x402.race-same-task', 'x402.race-other-tasks'],
    patch: together(
      onX402((inner, { clock }) => {
        const used = new Set<string>();
        return {
          async claim(attempt) {
            const mark = inner.mark(attempt);
            if (used.has(mark)) return false;
            await sleep(clock, 1);
            used.add(mark);
            return true;
          },
        };
      }),
      paidTwice,
      manyAtOnce,
    ),
  }),
  fault('x402-nonces-forgotten-at-once', {
    about: 'Nothing keeps copies of a payment apart that come at once.',
    breaks: ['x402.race-same-task'],
    patch: together(forgetful, manyAtOnce),
  }),
  fault('x402-second-payment-unlisted', {
    about: 'Of two payments of a task at once both are settled, and one is listed.',
    breaks: ['x402.race-two-payments'],
    patch: together(
      manyAtOnce,
      onX402((inner) => ({
        onSettled(attempt, transaction) {
          const isSecond = attempt.account.receipts.some((receipt) => receipt['success'] === true);
          if (!isSecond) inner.onSettled(attempt, transaction);
        },
      })),
    ),
  }),
];
