import type { Fault } from '../fault.js';

/** Refusals that say the wrong thing, or deliver all the same. */
export const x402FailuresFaults: readonly Fault[] = [];
