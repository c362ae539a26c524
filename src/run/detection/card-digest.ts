import { createHash } from 'node:crypto';
import { canonicalJson } from '../../signing/index.js';

/**
 * SHA-256 of a card document in canonical form (RFC 8785), in hex: white space and the order of members do not matter.
 * Undefined if it has no canonical form, for example because of lone surrogates.
 */
export function cardDigest(document: unknown): string | undefined {
  try {
    return createHash('sha256').update(canonicalJson(document)).digest('hex');
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
