export * from './client.js';
export * from './outcome.js';
export * from './reply.js';
export * from './stream.js';
