import type { Allowance } from './allowance.js';

export const authAllowances: readonly Allowance[] = [];
