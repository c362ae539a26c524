import { withoutEnds } from '../../../src/model/index.js';

// Names from the a2a-x402 extension and the x402 A2A transport.

/** Members of `message.metadata`. a2a-x402 v0.1 §4, v0.2 §4. */
export const metadataKeys = {
  /** One of `statuses`; both sides. */
  status: 'x402.payment.status',
  /** The offer; merchant. */
  required: 'x402.payment.required',
  /** The signed payment; client. */
  payload: 'x402.payment.payload',
  /** Every settlement of the task so far, an array; merchant. */
  receipts: 'x402.payment.receipts',
  /** One of `errorCodes`, or another text; merchant. */
  error: 'x402.payment.error',
} as const;

/** Compared as whole, case-sensitive texts; they do not show the version of payments. */
export const extensionUris = {
  v01: 'https://github.com/google-a2a/a2a-x402/v0.1',
  v02: 'https://github.com/google-agentic-commerce/a2a-x402/blob/main/spec/v0.2',
} as const;

/** The header that activates extensions: A2A 1.0, and 0.3 with both documents of the extension. */
export const extensionHeaders = ['A2A-Extensions', 'X-A2A-Extensions'] as const;

const uris: readonly string[] = Object.values(extensionUris);
export const isX402Extension = (uri: unknown): uri is string => typeof uri === 'string' && uris.includes(uri);

/** The entries of an extension header, in their order: split at commas, without the white space around them. */
export const headerEntries = (header: string | undefined): readonly string[] =>
  (header ?? '')
    .split(',')
    .map((entry) => withoutEnds(entry, ' \t'))
    .filter((entry) => entry !== '');

/** The x402 extensions among the entries of a header. An entry must be the whole URI and nothing more. */
export const activated = (header: string | undefined): readonly string[] =>
  headerEntries(header).filter(isX402Extension);

/** a2a-x402 v0.1 §6.1. */
export const statuses = [
  'payment-required',
  'payment-submitted',
  'payment-rejected',
  'payment-verified',
  'payment-completed',
  'payment-failed',
] as const;
export type Status = (typeof statuses)[number];

const known: readonly string[] = statuses;
export const isStatus = (value: unknown): value is Status => typeof value === 'string' && known.includes(value);

/** "Common" codes, so others are allowed. a2a-x402 v0.1 §8.1, v0.2 §9.1. */
export const errorCodes = [
  'INSUFFICIENT_FUNDS',
  'INVALID_SIGNATURE',
  'EXPIRED_PAYMENT',
  'DUPLICATE_NONCE',
  'NETWORK_MISMATCH',
  'INVALID_AMOUNT',
  'SETTLEMENT_FAILED',
] as const;
export type ErrorCode = (typeof errorCodes)[number];

/** The code for a text; case is ignored, since v0.1 §6 itself has a code in lower case. */
export const errorCodeOf = (value: unknown): ErrorCode | undefined =>
  typeof value === 'string' ? errorCodes.find((code) => code === value.toUpperCase()) : undefined;
