import type { ClientCheck } from '../../src/kit/index.js';

export const listsRules: readonly ClientCheck[] = [];
