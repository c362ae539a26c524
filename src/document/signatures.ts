import { createPublicKey } from 'node:crypto';
import { isObject, type JsonObject, member, stringMember, TckError } from '../model/index.js';
import type { DocumentSignature } from '../report/index.js';
import { cardVerifier, type Verification, verificationProblems } from '../signing/index.js';

/** Most signatures and keys that are tried: each pair costs a hash of each form of the card. */
const most = 16;

/**
 * The public keys in a text: a JWK, a key set (RFC 7517), or PEM. Throws `TckError('usage')` for anything else.
 */
export function readKeys(text: string): readonly JsonObject[] {
  const refuse = (): TckError =>
    new TckError('usage', '--key holds no public key', 'give a JWK, a key set of JWKs, or a public key in PEM');
  if (text.includes('-----BEGIN')) {
    try {
      return [createPublicKey(text).export({ format: 'jwk' }) as JsonObject];
    } catch {
      throw refuse();
    }
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refuse();
  }
  const set = member(value, 'keys');
  const keys = (Array.isArray(set) ? set : [value])
    .filter(isObject)
    .filter((members) => stringMember(members, 'kty') !== undefined);
  if (keys.length === 0) throw refuse();
  return keys;
}

/** The result of the key that came nearest. */
function best(tried: readonly Verification[]): Verification | undefined {
  return (
    tried.find(({ verified }) => verified) ??
    tried.find((verification) => !verification.verified && verification.problem === 'signature') ??
    tried[0]
  );
}

/** Each signature of a card, tried with each key. A `kid` that none of the keys has is ignored: the user gave the key. */
export function checkSignatures(card: JsonObject, keys: readonly JsonObject[]): readonly DocumentSignature[] {
  const { signatures } = card;
  if (!Array.isArray(signatures)) return [];
  const verify = cardVerifier(card);
  return signatures.slice(0, most).map((signature: unknown, at) => {
    const result = best(keys.slice(0, most).map((key) => verify(signature, key)));
    const pointer = `/signatures/${at}`;
    if (result === undefined) return { pointer, verified: false, detail: 'the key is missing' };
    return result.verified
      ? { pointer, verified: true, detail: `made over the canonical form "${result.reading}"` }
      : { pointer, verified: false, detail: verificationProblems[result.problem] };
  });
}
