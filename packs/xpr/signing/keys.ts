import { hash } from 'node:crypto';
import { inspect } from 'node:util';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { memo } from '../../../src/model/index.js';
import {
  type Checksum,
  type Curve,
  checkedText,
  curveChecksum,
  joined,
  readChecked,
  XprTextError,
} from './checked-text.js';

// Keys of the curve secp256k1 and their texts. XPR: texts of keys and signatures.

export interface PrivateKey {
  /** 32 bytes. Text, JSON and inspection of the key do not show it. */
  readonly secret: Uint8Array;
  /** 33 bytes: compressed. */
  readonly publicKey: Uint8Array;
}

/** The secret is a private field, so that code that goes over all properties does not find it. */
class HiddenKey implements PrivateKey {
  readonly #secret: Uint8Array;
  readonly publicKey: Uint8Array;
  constructor(secret: Uint8Array) {
    this.#secret = secret;
    this.publicKey = secp256k1.getPublicKey(secret);
  }
  get secret(): Uint8Array {
    return this.#secret;
  }
  toString(): string {
    return `[private key of ${publicKeyText(this.publicKey)}]`;
  }
  toJSON(): string {
    return this.toString();
  }
  [inspect.custom](): string {
    return this.toString();
  }
}

const what = 'private key';
const newFormat = { what, prefix: 'PVT_K1_', length: 32, checksum: curveChecksum('K1') } as const;

export const sha256 = (data: Uint8Array | string): Uint8Array => new Uint8Array(hash('sha256', data, 'buffer'));
const twice: Checksum = (data) => sha256(sha256(data));
/** Wallet import format: the first byte stands for a main network. */
const walletFormat = { what, prefix: '', length: 33, checksum: twice } as const;
const walletByte = 0x80;

/** @throws XprTextError unless the 32 bytes are a number from 1 to the order of the curve minus one. */
export function privateKey(secret: Uint8Array): PrivateKey {
  if (!secp256k1.utils.isValidSecretKey(secret)) {
    throw new XprTextError('private key: is not a number above 0 and below the order of the curve');
  }
  return new HiddenKey(Uint8Array.from(secret));
}

/**
 * Wallet import format or `PVT_K1_…`. The checksum is verified; the published library does not do that for the former.
 * @throws XprTextError
 */
export function readPrivateKey(text: string): PrivateKey {
  if (text.startsWith('PVT_')) return privateKey(readChecked(text, newFormat));
  const data = readChecked(text, walletFormat);
  if (data[0] !== walletByte) throw new XprTextError('private key: the first byte is not that of a main network');
  return privateKey(data.subarray(1));
}

/** A key for tests and strangers: every program can make it from its label. */
export const privateKeyFor = memo(
  (label: string) => label,
  (label: string): PrivateKey => privateKey(sha256(label)),
);

export const wif = (key: PrivateKey): string =>
  checkedText('', joined(Uint8Array.of(walletByte), key.secret), walletFormat.checksum);
export const pvtText = (key: PrivateKey): string => checkedText(newFormat.prefix, key.secret, newFormat.checksum);

/** `PUB_K1_…`. */
export const publicKeyText = (publicKey: Uint8Array, curve: Curve = 'K1'): string =>
  checkedText(`PUB_${curve}_`, publicKey, curveChecksum(curve));
/** `EOS…`: the old format, from the time of a single curve. */
export const legacyPublicKeyText = (publicKey: Uint8Array): string => checkedText('EOS', publicKey, curveChecksum(''));

/**
 * The 33 bytes of `PUB_K1_…` or `EOS…`. They need not be a point of the curve: chains use a key of zeros for an
 * account whose private key does not exist.
 * @throws XprTextError
 */
export function readPublicKey(text: string): Uint8Array {
  const legacy = text.startsWith('EOS');
  return readChecked(text, {
    what: 'public key',
    prefix: legacy ? 'EOS' : 'PUB_K1_',
    length: 33,
    checksum: curveChecksum(legacy ? '' : 'K1'),
  });
}
