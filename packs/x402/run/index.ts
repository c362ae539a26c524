export { fuzzPart } from '../fuzz/index.js';
export { x402Rules } from '../index.js';
export { chargingBy, type Funds, type X402Options } from './prepare.js';
export { type X402Target, x402For } from './target.js';
export { type SharedTotal, sharedTotal } from './total.js';
