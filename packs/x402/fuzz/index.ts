import type { FuzzPart } from '../../../src/fuzz/extending.js';
import { paymentMutations } from './mutations.js';
import { paid } from './oracle.js';
import { offerIn } from './payer.js';
import { paymentCase } from './payments.js';

/** Wrong payments of every kind, and what may not come of them. */
export const fuzzPart: FuzzPart = {
  pack: 'x402',
  mutations: paymentMutations,
  oracle: paid,
  laws: { ofContent: true, comparesAnswers: ['x402/status-order'] },
  note: offerIn,
  script: paymentCase,
};
