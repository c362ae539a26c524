import type { Allowance } from './allowance.js';

export const streamAllowances: readonly Allowance[] = [];
