import type { Fault } from '../fault.js';

/** Agents that believe what a client claims. */
export const x402StatesFaults: readonly Fault[] = [];
