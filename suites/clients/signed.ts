import type { ClientCheck } from '../../src/kit/index.js';

export const signedRules: readonly ClientCheck[] = [];
