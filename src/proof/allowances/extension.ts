import type { Allowance } from './allowance.js';

export const extensionAllowances: readonly Allowance[] = [];
