import type { ClientCheck } from '../../src/kit/index.js';

export const answersRules: readonly ClientCheck[] = [];
