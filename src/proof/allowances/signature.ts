import type { Allowance } from './allowance.js';

export const signatureAllowances: readonly Allowance[] = [];
