import type { FuzzPart } from '../../../src/fuzz/extending.js';
import { signedMutations } from './mutations.js';
import { signed } from './oracle.js';

/** Wrong signatures of every kind, and what may not come of them. */
export const fuzzPart: FuzzPart = { mutations: signedMutations, oracle: signed };
