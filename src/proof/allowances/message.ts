import type { Allowance } from './allowance.js';

export const messageAllowances: readonly Allowance[] = [];
