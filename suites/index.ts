import { bundledRules } from '../packs/rules.js';
import { joinedRules, type Rule } from '../src/kit/index.js';
import { kitRules } from './kit.js';

/** All checks and laws, of the packs too that ship with the kit, in the order in which they are listed and reported. */
export const rules: readonly Rule[] = joinedRules(kitRules, bundledRules);
