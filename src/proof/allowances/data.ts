import type { Allowance } from './allowance.js';

export const dataAllowances: readonly Allowance[] = [];
