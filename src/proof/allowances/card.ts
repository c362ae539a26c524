import type { Allowance } from './allowance.js';

export const cardAllowances: readonly Allowance[] = [];
