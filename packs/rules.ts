import { paymentsRules } from './x402/clients/rules.js';
import { x402Rules } from './x402/index.js';
import { xprClientRules } from './xpr/clients/rules.js';
import { xprRules } from './xpr/index.js';

// Checks of the packs that ship with the kit.

export const bundledRules = [...xprRules, ...x402Rules];
export const bundledClientRules = [...paymentsRules, ...xprClientRules];
