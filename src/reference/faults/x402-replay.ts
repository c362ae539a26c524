import type { Fault } from '../fault.js';

/** Payments that are taken twice. */
export const x402ReplayFaults: readonly Fault[] = [];
