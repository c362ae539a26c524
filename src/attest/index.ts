export { type Envelope, type Opened, opened, sealed } from './envelope.js';
export { generateKeys, keyId, readPrivateKey, readPublicKey } from './key.js';
export { type Statement, statementOf } from './statement.js';
