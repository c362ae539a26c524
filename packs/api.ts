// What programs that start runs need of the packs that ship with the kit.

export { createPurse, type Purse } from './x402/payments/purse.js';
export type { X402Target } from './x402/run/index.js';
export type { XprTarget } from './xpr/run/index.js';
