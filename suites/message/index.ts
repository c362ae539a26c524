import type { Rule } from '../../src/kit/index.js';

export const messageRules: readonly Rule[] = [];
