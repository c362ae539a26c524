import { bundledRules } from '../packs/rules.js';
import { joinedRules, type Rule } from '../src/kit/index.js';
import { chapters } from './kit.js';
import { x402Rules } from './x402/index.js';

/** All checks and laws, of the packs too that ship with the kit, in the order in which they are listed and reported. */
export const rules: readonly Rule[] = [...joinedRules(chapters, bundledRules), ...x402Rules];
