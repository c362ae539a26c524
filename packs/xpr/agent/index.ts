export { type Chain, createChain, isChainId, testChainId } from './chain/chain.js';
export { controlHandle } from './chain/control.js';
export { chainResidents, residentKey, residents } from './chain/residents.js';
export { denied } from './denied.js';
export { xprAgent } from './part.js';
export { onXpr, setting } from './patches.js';
export type { XprAgent, XprClaim, XprPermission, XprProof, XprSeams } from './seams.js';
export { type Surroundings, type SurroundingsOptions, stub, surroundings } from './surroundings.js';
export { xprVariants } from './variants.js';
