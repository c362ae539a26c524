import type { Allowance } from './allowance.js';

export const rpcAllowances: readonly Allowance[] = [];
