export * from './client.js';
export * from './credentials.js';
export * from './hearing.js';
export * from './outcome.js';
export * from './pacer.js';
export * from './reply.js';
export * from './stream.js';
