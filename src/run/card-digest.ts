import { createHash } from 'node:crypto';
import { canonicalJson } from '../signing/index.js';

/**
 * SHA-256 of a card document in canonical form (RFC 8785), hex: white space and the order of members do not count.
 * Undefined for what has no canonical form, such as lone surrogates.
 */
export function cardDigest(document: unknown): string | undefined {
  try {
    return createHash('sha256').update(canonicalJson(document)).digest('hex');
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
