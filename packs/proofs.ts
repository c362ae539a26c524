import { xprVariants } from './xpr/agent/index.js';
import * as xprAllowances from './xpr/faults/allowances.js';
import { xprFuzzFaults } from './xpr/faults/fuzz.js';
import * as xprFaults from './xpr/faults/index.js';
import { xprPresets } from './xpr/faults/presets.js';

// What proves the checks of the packs that ship with the kit.

/** Faults, by pack and file. */
export const bundledFaults = [xprFaults];
export const bundledVariants = xprVariants;
export const bundledPresets = xprPresets;
export const bundledFuzzFaults = xprFuzzFaults;
export const bundledAllowances = xprAllowances;
