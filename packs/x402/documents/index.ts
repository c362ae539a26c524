import type { Document, Inspector } from '../../../src/kit/index.js';
import { isObject, member } from '../../../src/model/index.js';
import { isX402Extension } from '../payments/index.js';
import { declarationIn, paymentsIn } from '../shared/reading.js';

// Documents of payments that are judged alone.

/** The kinds, for people. */
export const x402Kinds = {
  'x402-payment-required': 'an offer of x402',
  'x402-payment-payload': 'a payment of x402',
  'x402-settlement-response': 'a receipt of x402',
  'x402-metadata': 'the metadata of a payment message',
} as const;
type Kind = keyof typeof x402Kinds;

/** The schema of a kind, below `schemas/x402`; undefined: it is none of these kinds. */
export function x402SchemaOf(kind: string, value: unknown): string | undefined {
  if (!Object.hasOwn(x402Kinds, kind)) return undefined;
  if (kind !== 'x402-metadata') return `${kind.slice('x402-'.length)}.schema.json`;
  const isClients = member(value, 'x402.payment.payload') !== undefined;
  return `metadata.schema.json#/$defs/${isClients ? 'client' : 'standalone'}`;
}

const has = (value: unknown, ...names: readonly string[]): boolean =>
  names.every((name) => member(value, name) !== undefined);

/** The kind of a document that cannot be mistaken for another one, and why; undefined: it is none of these kinds. */
export function x402Marked(value: unknown): readonly [kind: Kind, because: string] | undefined {
  if (!isObject(value)) return undefined;
  if (has(value, 'x402Version', 'accepts')) return ['x402-payment-required', 'it has x402Version and accepts'];
  if (has(value, 'x402Version', 'payload')) return ['x402-payment-payload', 'it has x402Version and payload'];
  if (typeof value['success'] === 'boolean' && ['transaction', 'payer', 'network'].some((name) => has(value, name)))
    return ['x402-settlement-response', 'it says success, and has the members of a receipt'];
  const key = Object.keys(value).find((name) => name.startsWith('x402.payment.'));
  return key === undefined ? undefined : ['x402-metadata', `it has ${key}`];
}

/** The declaration of the extension, of a card that declares it; the metadata of payments inside any other document. */
export function x402Inside(kind: string, value: unknown, inspector: Inspector): readonly Document[] {
  if (kind !== 'card') return paymentsIn(value, kind, inspector);
  const listed = member(member(value, 'capabilities'), 'extensions');
  const declares = Array.isArray(listed) && listed.some((item) => isX402Extension(String(member(item, 'uri'))));
  return declares ? [declarationIn(value, inspector)] : [];
}

/** Whether a law judges the card by itself. */
export const isOfX402Card = (law: string): boolean => law.startsWith('x402/card-');
