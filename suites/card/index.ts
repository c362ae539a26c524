import type { Rule } from '../../src/kit/index.js';

export const cardRules: readonly Rule[] = [];
