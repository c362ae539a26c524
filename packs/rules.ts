import { xprClientRules } from './xpr/clients/rules.js';
import { xprRules } from './xpr/index.js';

// Checks of the packs that ship with the kit.

export const bundledRules = xprRules;
export const bundledClientRules = xprClientRules;
