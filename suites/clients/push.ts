import type { ClientCheck } from '../../src/kit/index.js';

export const pushRules: readonly ClientCheck[] = [];
