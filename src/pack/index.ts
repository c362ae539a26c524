export type { Pack, PackDefinition } from './define.js';
export { loadPacks, type PackTarget, packIn, tryModule } from './load.js';
export { type OpenPack, openPack, takenBy } from './open.js';
export { placeOfPack } from './place.js';
