import type { Allowance } from './allowance.js';

export const pushAllowances: readonly Allowance[] = [];
