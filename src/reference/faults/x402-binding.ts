import type { Fault } from '../fault.js';

/** Payments that are taken for something else than was offered. */
export const x402BindingFaults: readonly Fault[] = [];
