export * from './card.js';
export * from './errors.js';
export * from './inner-addresses.js';
export * from './json.js';
export * from './life-cycle.js';
export * from './operations.js';
export * from './task.js';
export * from './tck-error.js';
