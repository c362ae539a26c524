// What checks of payments share; `x402` at the door of the kit.
export * from './x402-asking.js';
export * from './x402-control.js';
export * from './x402-judges.js';
export * from './x402-paying.js';
export * from './x402-tasks.js';
export * from './x402-wallets.js';
