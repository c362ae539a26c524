import type { Fault } from '../fault.js';

/** Cards that declare the extension wrongly, or not. */
export const x402CardFaults: readonly Fault[] = [];
