import { hash } from 'node:crypto';
import { sha256 } from './keys.js';

// The data that a request signs. XPR: the exact scheme.

/** How many lines are signed: three, or five with recipient and chain. */
export interface Scheme {
  readonly lines: 3 | 5;
  /** Account of the recipient: five lines only. */
  readonly audience?: string;
  /** 64 hexadecimal digits: five lines only. */
  readonly chainId?: string;
}

export interface Claim {
  readonly account: string;
  /** As in the header: seconds since 1970, decimal. */
  readonly timestamp: string;
  /** As on the wire: never decoded, never normalised. */
  readonly body: Uint8Array;
}

/** SHA-256 of the body: 64 lower-case hexadecimal digits. */
export const bodyHash = (body: Uint8Array): string => hash('sha256', body, 'hex');

/** Lines with a line feed between them, none at the end. */
export function preimage(scheme: Scheme, { account, timestamp, body }: Claim): string {
  const recipient = scheme.lines === 5 ? [scheme.audience ?? '', scheme.chainId ?? ''] : [];
  return [account, timestamp, ...recipient, bodyHash(body)].join('\n');
}

/** 32 bytes: SHA-256 of the preimage. */
export const digest = (scheme: Scheme, claim: Claim): Uint8Array => sha256(preimage(scheme, claim));

/** 32 bytes: the input of ECDSA. The document says "sign(digest)"; the published library hashes once more. */
export const signedHash = (digest: Uint8Array): Uint8Array => sha256(digest);
