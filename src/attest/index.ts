export { type Envelope, type Opened, opened, sealed } from './envelope.js';
export { generateKeys, keyId, readPrivateKey, readPublicKey } from './key.js';
export { type ResourceDescriptor, type Statement, statementOf, type TestResult } from './statement.js';
