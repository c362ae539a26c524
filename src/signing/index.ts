export * from './card-signature.js';
export { canonicalJson } from './jcs.js';
