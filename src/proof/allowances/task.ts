import type { Allowance } from './allowance.js';

export const taskAllowances: readonly Allowance[] = [];
