import { secp256k1 } from '@noble/curves/secp256k1.js';
import { bytesKey, memo } from '../../../src/model/index.js';
import { bytesOf, hex, isAddress } from './addresses.js';
import { type Domain, isAuthorization, signingHash } from './eip712.js';
import { type Authorization, X402Error } from './objects.js';
import { addressOfKey, isThrowaway, signHash, type ThrowawayWallet, type Wallet } from './wallets.js';

// Signatures of plain wallets: r, s and v, 65 bytes. EIP-3009 as token contracts check it: s low, v 27 or 28.

const pattern = /^0x[0-9a-fA-F]{130}$/;
const order = secp256k1.Point.Fn.ORDER;

/** Signs with any wallet, also a funded one. Only for the treasurer, so `index.ts` does not export it. */
export function signWith(wallet: Wallet, domain: Domain, authorization: Authorization): string {
  const [recovery = 0, ...numbers] = signHash(wallet, bytesOf(signingHash(domain, authorization)));
  return hex(Uint8Array.of(...numbers, 27 + recovery));
}

/**
 * `0x` and 130 hex digits: low s, v 27 or 28. Any program can cash a signature, so the function refuses a wallet that
 * may be funded.
 * @throws X402Error for such a wallet, and for an authorization that is not well-formed
 */
export function signAuthorization(wallet: ThrowawayWallet, domain: Domain, authorization: Authorization): string {
  if (!isThrowaway(wallet)) throw new X402Error('wallet: only the treasurer signs with a wallet that may be funded');
  return signWith(wallet, domain, authorization);
}

/**
 * The checksummed address whose wallet signed, or undefined when none did. `lenient`: also accepts a high s and v 0 or
 * 1, as libraries do and token contracts do not.
 */
export function recoverAuthorization(
  domain: Domain,
  authorization: Authorization,
  signature: unknown,
  { lenient = false }: { readonly lenient?: boolean } = {},
): string | undefined {
  if (typeof signature !== 'string' || !pattern.test(signature)) return undefined;
  if (!isAddress(domain.verifyingContract) || !isAuthorization(authorization)) return undefined;
  const bytes = bytesOf(signature);
  const v = bytes[64] ?? 0;
  const recovery = lenient && v < 2 ? v : v - 27;
  if (recovery !== 0 && recovery !== 1) return undefined;
  try {
    const parts = secp256k1.Signature.fromBytes(bytes.subarray(0, 64));
    if (!lenient && parts.hasHighS()) return undefined;
    return recoverOnce(bytes.subarray(0, 64), recovery, bytesOf(signingHash(domain, authorization)));
  } catch {
    return undefined;
  }
}

const recoverOnce = memo(
  (numbers: Uint8Array, recovery: number, hash: Uint8Array) => `${recovery}${bytesKey(numbers)}${bytesKey(hash)}`,
  (numbers, recovery, hash) =>
    addressOfKey(secp256k1.Signature.fromBytes(numbers).addRecoveryBit(recovery).recoverPublicKey(hash).toBytes(false)),
);

/** The other signature of the same key: s replaced by its negative, the parity flipped. */
export function highS(signature: string): string {
  const bytes = bytesOf(signature);
  const s = order - BigInt(hex(bytes.subarray(32, 64)));
  const v = ((bytes[64] ?? 27) - 27) ^ 1;
  return hex(
    Buffer.concat([bytes.subarray(0, 32), bytesOf(`0x${s.toString(16).padStart(64, '0')}`), Uint8Array.of(27 + v)]),
  );
}

/** The part of the signature of a funded payment that a report may show. */
export const shownSignature = (signature: string): string => `${signature.slice(0, 10)}…`;
