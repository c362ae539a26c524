import type { ClientCheck } from '../../src/kit/index.js';

export const tasksRules: readonly ClientCheck[] = [];
