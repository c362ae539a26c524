import { secp256k1 } from '@noble/curves/secp256k1.js';
import { bytesKey, memo } from '../../../src/model/index.js';
import { type Curve, checkedText, curveChecksum, readChecked, readFilled, XprTextError } from './checked-text.js';
import type { PrivateKey } from './keys.js';

// Signatures from which the key can be recovered: 65 bytes, a header, r and s. XPR: texts of keys and signatures.

/** The header is this plus the recovery id; 31 is 27 plus 4 for a compressed key. */
export const firstHeader = 31;
const layout = { what: 'signature', prefix: 'SIG_K1_', length: 65, checksum: curveChecksum('K1') } as const;

/**
 * The rule of EOSIO, stricter than a low s: neither r nor s has its top bit set or begins with a zero byte that it does
 * not need.
 */
export const isCanonical = (signature: Uint8Array): boolean => shortest(signature, 1) && shortest(signature, 33);

function shortest(bytes: Uint8Array, at: number): boolean {
  const [first = 0, second = 0] = bytes.subarray(at, at + 2);
  return first < 0x80 && !(first === 0 && second < 0x80);
}

/**
 * 65 bytes, canonical. The nonce is that of RFC 6979 with the number of the attempt as additional data (§3.6), so that
 * the same hash and key give the same bytes everywhere.
 */
export const sign = (hash: Uint8Array, key: PrivateKey): Uint8Array => signOnce(hash, key).slice();

const signOnce = memo((hash: Uint8Array, key: PrivateKey) => bytesKey(hash) + bytesKey(key.publicKey), signAnew);

function signAnew(hash: Uint8Array, key: PrivateKey): Uint8Array {
  for (let attempt = 1; attempt < 256; attempt += 1) {
    const signature = secp256k1.sign(hash, key.secret, {
      prehash: false,
      lowS: true,
      extraEntropy: Uint8Array.of(attempt),
      format: 'recovered',
    });
    signature[0] = firstHeader + (signature[0] ?? 0);
    if (isCanonical(signature)) return signature;
  }
  throw new Error('no canonical signature in 255 attempts');
}

/**
 * The 33 bytes of the key that made the signature, or undefined when no key did. `lenient`: any byte is accepted as the
 * header, and only two of its bits count, as in the published library.
 */
export function recover(
  hash: Uint8Array,
  signature: Uint8Array,
  { lenient = false }: { readonly lenient?: boolean } = {},
): Uint8Array | undefined {
  const [header = 0] = signature;
  if (signature.length !== 65 || !(lenient || isHeader(header))) return undefined;
  return recoverOnce(hash, signature)?.slice();
}

const recoverOnce = memo(
  (hash: Uint8Array, signature: Uint8Array) => bytesKey(hash) + bytesKey(signature),
  recoverAnew,
);

function recoverAnew(hash: Uint8Array, signature: Uint8Array): Uint8Array | undefined {
  const [header = 0] = signature;
  try {
    const { Signature } = secp256k1;
    return Signature.fromBytes(signature.subarray(1))
      .addRecoveryBit((header - firstHeader) & 3)
      .recoverPublicKey(hash)
      .toBytes();
  } catch {
    return undefined;
  }
}

const isHeader = (header: number): boolean => header >= firstHeader && header <= firstHeader + 3;

/** `SIG_K1_…`. */
export const signatureText = (signature: Uint8Array, curve: Curve = 'K1'): string =>
  checkedText(`SIG_${curve}_`, signature, curveChecksum(curve));

/**
 * The 65 bytes of a signature, whose only valid text this must be.
 * @throws XprTextError
 */
export function readSignature(text: string): Uint8Array {
  const signature = readChecked(text, layout);
  if (!isHeader(signature[0] ?? 0)) throw new XprTextError('signature: the header is not between 31 and 34');
  if (!isCanonical(signature)) throw new XprTextError('signature: is not canonical');
  return signature;
}

/** The 65 bytes of any text that the published parser takes: any header, a high s, zero digits in front. */
export function readSignatureLeniently(text: string): Uint8Array | undefined {
  try {
    return readFilled(text, layout);
  } catch {
    return undefined;
  }
}
