import type { Fault } from '../fault.js';

/** Wrong payments that are taken. */
export const x402DefectsFaults: readonly Fault[] = [];
