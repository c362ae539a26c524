export type { Inexpressible, NativeRequest } from '../binding/index.js';
export * from './client.js';
export * from './credentials.js';
export * from './outcome.js';
export * from './pacer.js';
export * from './reply.js';
export * from './stream.js';
export * from './stream-reader.js';
