import type { Rule } from '../../src/kit/index.js';
import * as activation from './activation.js';
import * as binding from './binding.js';
import * as card from './card.js';
import * as defects from './defects.js';
import * as failures from './failures.js';
import * as offer from './offer.js';
import * as paying from './paying.js';
import * as replay from './replay.js';
import * as states from './states.js';

const files: readonly object[] = [card, activation, offer, paying, defects, replay, binding, states, failures];

export const x402Rules: readonly Rule[] = files.flatMap((file): readonly Rule[] => Object.values(file));
