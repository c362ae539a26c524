export { createFacilitatorStub } from './facilitator-stub.js';
export { chargingBy, type Funds, type X402Options } from './prepare.js';
export { type X402Target, x402For } from './target.js';
