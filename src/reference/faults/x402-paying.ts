import { type Fault, fault } from '../fault.js';
import { onX402, PaymentRefusal } from '../x402/seams.js';

/** Right payments that are refused, and receipts that are wrong. */
export const x402PayingFaults: readonly Fault[] = [
  fault('x402-right-payments-refused', {
    about: 'Payments are refused although the facilitator calls them valid.',
    breaks: ['x402.paid'],
    patch: onX402((inner) => ({
      verify: async (attempt) => (await inner.verify(attempt)) ?? new PaymentRefusal('unexpected_verify_error'),
    })),
  }),
];
