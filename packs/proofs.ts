import { x402Variants } from './x402/agent/index.js';
import { paymentFuzzFaults } from './x402/faults/fuzz.js';
import * as x402Faults from './x402/faults/index.js';
import { xprVariants } from './xpr/agent/index.js';
import * as xprAllowances from './xpr/faults/allowances.js';
import { xprFuzzFaults } from './xpr/faults/fuzz.js';
import * as xprFaults from './xpr/faults/index.js';
import { xprPresets } from './xpr/faults/presets.js';

// What proves the checks of the packs that ship with the kit.

/** Faults, by pack and file. */
export const bundledFaults = [x402Faults, xprFaults];
export const bundledVariants = [...x402Variants, ...xprVariants];
export const bundledPresets = xprPresets;
export const bundledFuzzFaults = [...xprFuzzFaults, ...paymentFuzzFaults];
export const bundledAllowances = xprAllowances;

/** Checks of packs whose answers are played beside a law alone, because many laws judge them. */
export const bundledTelling = ['x402/nonce-reused'] as const;
