import { readSignatureLeniently, signatureText } from '../signing/index.js';

// Signatures of 65 bytes (a header, r and s) that are changed and get a right checksum. Any client can make them.

/** The order of the group of secp256k1. */
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const highest = 2n ** 256n - 1n;

const numberAt = (bytes: Uint8Array, at: number): bigint =>
  BigInt(`0x${Buffer.from(bytes.subarray(at, at + 32)).toString('hex')}`);
const bytesOf = (number: bigint): Uint8Array => Buffer.from(number.toString(16).padStart(64, '0').slice(-64), 'hex');

/** What r or s becomes, by name. */
export const numbers: Readonly<Record<string, (number: bigint) => bigint>> = {
  zero: () => 0n,
  one: () => 1n,
  order: () => order,
  'order-1': () => order - 1n,
  'order+1': () => order + 1n,
  highest: () => highest,
  negative: (number) => (((order - number) % order) + order) % order,
  more: (number) => (number + order) & highest,
};

export interface ByteChange {
  /** The first byte, 0 to 255. */
  readonly header?: number;
  /** 31 becomes 32, and the other way round: with a negative s the same key is recovered. */
  readonly parity?: boolean;
  /** Names of `numbers`. */
  readonly r?: string;
  readonly s?: string;
  /** r and s change places. */
  readonly swap?: boolean;
  /** Flips one bit of r and s, 0 to 511. */
  readonly bit?: number;
  /** Length in bytes, in place of 65. */
  readonly length?: number;
}

/** The changed signature; the same text if it is not a signature. */
export function withBytes(
  text: string,
  { header, parity = false, r, s, swap = false, bit, length }: ByteChange,
): string {
  const right = readSignatureLeniently(text);
  if (right === undefined) return text;
  const bytes = right.slice();
  const [first, second] = [numberAt(bytes, 1), numberAt(bytes, 33)];
  bytes.set(bytesOf(numbers[r ?? '']?.(first) ?? first), swap ? 33 : 1);
  bytes.set(bytesOf(numbers[s ?? '']?.(second) ?? second), swap ? 1 : 33);
  if (header !== undefined) bytes[0] = header & 255;
  if (parity) bytes[0] = (((bytes[0] ?? 31) - 31) ^ 1) + 31;
  if (bit !== undefined) {
    const at = 1 + ((bit >> 3) % 64);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << (bit & 7));
  }
  if (length === undefined) return signatureText(bytes);
  const whole = new Uint8Array(Math.min(length, 1000));
  whole.set(bytes.subarray(0, whole.length));
  return signatureText(whole);
}
