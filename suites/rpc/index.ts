import type { Rule } from '../../src/kit/index.js';

export const rpcRules: readonly Rule[] = [];
