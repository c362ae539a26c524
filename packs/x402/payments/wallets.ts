import { inspect } from 'node:util';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { bytesKey, memo } from '../../../src/model/index.js';
import { bytesOf, checksummed, hex, keccak } from './addresses.js';
import { X402Error } from './objects.js';

/** The secret never leaves this file: text, JSON and inspection do not show it. */
export interface Wallet {
  /** Checksummed. */
  readonly address: string;
}

/** A wallet that no user funds: its signatures move no money. Outside of the treasurer only such wallets sign. */
export interface ThrowawayWallet extends Wallet {
  readonly throwaway: true;
}

/** The secret is a private field, so that code that goes over all properties does not find it. */
class HiddenWallet implements Wallet {
  readonly #secret: Uint8Array;
  readonly address: string;
  constructor(secret: Uint8Array) {
    this.#secret = Uint8Array.from(secret);
    const publicKey = secp256k1.getPublicKey(secret, false);
    this.address = addressOfKey(publicKey);
    Object.freeze(this);
  }
  /** 65 bytes: recovery id 0 or 1, r, s. The nonce is that of RFC 6979, s is low. */
  static sign(wallet: Wallet, hash: Uint8Array): Uint8Array {
    if (!(wallet instanceof HiddenWallet)) throw new X402Error('wallet: was not made by this kit');
    return HiddenWallet.#signOnce(wallet, hash).slice();
  }
  static readonly #signOnce = memo(
    (wallet: HiddenWallet, hash: Uint8Array) => wallet.address + bytesKey(hash),
    (wallet, hash) => secp256k1.sign(hash, wallet.#secret, { prehash: false, lowS: true, format: 'recovered' }),
  );
  toString(): string {
    return `[wallet ${this.address}]`;
  }
  toJSON(): string {
    return this.toString();
  }
  [inspect.custom](): string {
    return this.toString();
  }
}

class HiddenThrowawayWallet extends HiddenWallet implements ThrowawayWallet {
  get throwaway(): true {
    return true;
  }
}

/** @param publicKey 65 bytes, uncompressed */
export const addressOfKey = (publicKey: Uint8Array): string =>
  checksummed(hex(keccak(publicKey.subarray(1)).subarray(12)));

function checkSecret(secret: Uint8Array): void {
  if (!secp256k1.utils.isValidSecretKey(secret)) {
    throw new X402Error('private key: is not a number above 0 and below the order of the curve');
  }
}

/** @throws X402Error unless the 32 bytes are a number from 1 to the order of the curve minus one. */
export function walletFor(secret: Uint8Array): Wallet {
  checkSecret(secret);
  return new HiddenWallet(secret);
}

/**
 * `random` returns that many bytes. For a secret that is public anyway it may return the same bytes every time.
 * @throws X402Error as `walletFor`
 */
export function throwawayWallet(random: (length: number) => Uint8Array): ThrowawayWallet {
  const secret = random(32);
  checkSecret(secret);
  return new HiddenThrowawayWallet(secret);
}

/**
 * Reads 64 hex digits with or without `0x`; white space around them is ignored, as files end with some.
 * @throws X402Error, whose message does not contain the given text
 */
export function readWallet(text: string): Wallet {
  const [, digits] = /^(?:0x)?([0-9a-fA-F]{64})$/.exec(text.trim()) ?? [];
  if (digits === undefined) throw new X402Error('private key: is not 64 hex digits');
  return walletFor(bytesOf(`0x${digits}`));
}

export const isThrowaway = (wallet: Wallet): wallet is ThrowawayWallet => wallet instanceof HiddenThrowawayWallet;

/** For the treasurer and for `signAuthorization`; `index.ts` does not export it. */
export const signHash = (wallet: Wallet, hash: Uint8Array): Uint8Array => HiddenWallet.sign(wallet, hash);
