import { type Fault, fault } from '../../../fixtures/faults/shared/fault.js';
import { onX402 } from '../agent/index.js';

export const faults: readonly Fault[] = [
  fault('x402-offers-do-not-expire', {
    about: 'An offer is taken however old it is.',
    breaks: ['x402.offer-expired'],
    on: 'x402-short-offers',
    patch: onX402(() => ({ timely: () => undefined })),
  }),
];
