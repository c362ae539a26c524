import type { Fault } from '../fault.js';

/** Agents that misread who has activated the extension. */
export const x402ActivationFaults: readonly Fault[] = [];
