import { isOfX402Card, x402Inside, x402Kinds, x402Marked, x402SchemaOf } from './x402/documents/index.js';
import { x402Ledger } from './x402/shared/ledger.js';

// Documents of the packs that ship with the kit, which are judged without an agent.

export const bundledKinds = x402Kinds;

/** Documents of payments, which are the same in all versions. */
export const paymentDocuments = {
  /** The folder of their schemas. */
  schemas: 'x402',
  ledger: x402Ledger,
  schemaOf: x402SchemaOf,
  marked: x402Marked,
  inside: x402Inside,
  isOfCard: isOfX402Card,
} as const;
