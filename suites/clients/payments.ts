import type { ClientCheck } from '../../src/kit/index.js';

export const paymentsRules: readonly ClientCheck[] = [];
