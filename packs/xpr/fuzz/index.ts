import type { FuzzPart } from '../../../src/fuzz/extending.js';
import { signedMutations } from './mutations.js';
import { signed } from './oracle.js';

/** Wrong signatures of every kind, and what may not come of them. */
export const fuzzPart: FuzzPart = {
  pack: 'xpr',
  mutations: signedMutations,
  oracle: signed,
  laws: {
    unfit: {
      'xpr/robust': 'the oracle of life judges the same with a second look at the agent',
      'xpr/no-disclosure': 'the oracle of leaks reads more forms, and names its sentence',
    },
    comparesIds: ['xpr/error-envelope'],
  },
};
