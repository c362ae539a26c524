// Payments that every agent must refuse. a2a-x402 v0.1 §9; x402 core v1 §6.1.2, v2 §6.1.2; scheme exact on EVM.
export * from './defects-amounts.js';
export * from './defects-malformed.js';
export * from './defects-offers.js';
export * from './defects-robust.js';
export * from './defects-signatures.js';
export * from './defects-times.js';
