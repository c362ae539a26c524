import { type Claim, digest, preimage, type Scheme, signedHash } from './digest.js';
import { type PrivateKey, sha256 } from './keys.js';
import { sign, signatureText } from './signature.js';
import type { Spelling } from './spellings.js';

/** `r17`: the lines with the hash of the body as bytes instead of hex digits. */
function withRawHash(lines: string, claim: Claim): Uint8Array {
  return Buffer.concat([Buffer.from(lines.slice(0, -64), 'utf8'), sha256(claim.body)]);
}

/**
 * Well-formed signatures by the right key for a wrong digest: each follows another reading of a sentence of the
 * document. A verifier refuses all. XPR: the exact scheme.
 */
export function misreadings(scheme: Scheme, claim: Claim, key: PrivateKey): readonly Spelling[] {
  const lines = preimage(scheme, claim);
  const spelling = (id: string, about: string, hash: Uint8Array): Spelling => ({
    id,
    about,
    text: signatureText(sign(hash, key)),
  });
  const upper = lines.slice(0, -64) + lines.slice(-64).toUpperCase();
  const milliseconds = preimage(scheme, { ...claim, timestamp: `${claim.timestamp}000` });
  const twice = (data: Uint8Array | string): Uint8Array => signedHash(sha256(data));
  return [
    spelling('r16', 'digest signed without hashing it once more', digest(scheme, claim)),
    spelling('r17', 'bytes of the body hash instead of its digits', twice(withRawHash(lines, claim))),
    spelling('r18', 'body hash in upper case', twice(upper)),
    spelling('r19', 'line feed at the end', twice(`${lines}\n`)),
    spelling('r20', 'timestamp signed in milliseconds', twice(milliseconds)),
  ];
}
