// Shared by the checks of payments.
export * from './asking.js';
export * from './control.js';
export * from './judges.js';
export * from './paying.js';
export * from './tasks.js';
export * from './wallets.js';
