import type { ClientCheck } from '../../src/kit/index.js';

export const discoveryRules: readonly ClientCheck[] = [];
