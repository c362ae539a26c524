import { type Claim, digest, type Scheme, signedHash } from './digest.js';
import type { PrivateKey } from './keys.js';
import { sign, signatureText } from './signature.js';

/** The three headers of a signed request. */
export const headerNames = {
  account: 'X-XPR-Account',
  timestamp: 'X-XPR-Timestamp',
  signature: 'X-XPR-Signature',
} as const;

/** `SIG_K1_…` for a request. */
export const signatureFor = (scheme: Scheme, claim: Claim, key: PrivateKey): string =>
  signatureText(sign(signedHash(digest(scheme, claim)), key));

export interface Signing extends Claim {
  readonly scheme: Scheme;
  readonly key: PrivateKey;
}

/** Names and values, in the order of the document. */
export const signedHeaders = ({ scheme, key, ...claim }: Signing): readonly (readonly [string, string])[] => [
  [headerNames.account, claim.account],
  [headerNames.timestamp, claim.timestamp],
  [headerNames.signature, signatureFor(scheme, claim, key)],
];
