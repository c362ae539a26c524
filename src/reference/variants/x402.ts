import type { Variant } from '../variant.js';

/** Agents that charge, and do so in an unusual way that is right all the same. */
export const x402Variants: readonly Variant[] = [];
