import type { Fault } from '../fault.js';

/** Offers that cannot be read, or are not kept. */
export const x402OfferFaults: readonly Fault[] = [];
