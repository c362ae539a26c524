// Shared by the checks of payments; `src/kit/index.ts` exports it as `x402`.
export * from './x402-asking.js';
export * from './x402-control.js';
export * from './x402-judges.js';
export * from './x402-paying.js';
export * from './x402-tasks.js';
export * from './x402-wallets.js';
