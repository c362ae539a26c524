import type { ClientCheck } from '../../src/kit/index.js';

export const accessRules: readonly ClientCheck[] = [];
