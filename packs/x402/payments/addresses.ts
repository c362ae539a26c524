import { keccak_256 } from '@noble/hashes/sha3.js';
import { memo } from '../../../src/model/index.js';
import { X402Error } from './objects.js';

// Addresses of EVM chains and their checksums. EIP-55.

const pattern = /^0x[0-9a-fA-F]{40}$/;

export const hex = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`;
/** The bytes of a hex text with an even number of digits after `0x`. */
export const bytesOf = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text.slice(2), 'hex'));
export const keccak = (data: Uint8Array | string): Uint8Array =>
  keccak_256(typeof data === 'string' ? new TextEncoder().encode(data) : data);

/** The hash of the address in lower case; its digits say which letters are upper case. Few addresses are used often. */
const marksOf = memo(
  (digits: string) => digits,
  (digits) => hex(keccak(digits)).slice(2),
);

/** 20 bytes in hex; letters of any case. */
export const isAddress = (value: unknown): value is string => typeof value === 'string' && pattern.test(value);

/**
 * The address in its only valid mixed-case spelling.
 * @throws X402Error unless it is an address
 */
export function checksummed(address: string): string {
  if (!isAddress(address)) throw new X402Error('address: is not 0x and 40 hex digits');
  const digits = address.slice(2).toLowerCase();
  const marks = marksOf(digits);
  const spelled = [...digits].map((digit, at) =>
    Number.parseInt(marks[at] ?? '0', 16) > 7 ? digit.toUpperCase() : digit,
  );
  return `0x${spelled.join('')}`;
}

/** Whether this is an address whose letters are all of one case or spell the checksum. */
export const hasRightChecksum = (address: string): boolean =>
  isAddress(address) &&
  (address.slice(2) === address.slice(2).toLowerCase() ||
    address.slice(2) === address.slice(2).toUpperCase() ||
    address === checksummed(address));

/** Whether both are addresses, and the same one. */
export const sameAddress = (first: unknown, second: unknown): boolean =>
  isAddress(first) && isAddress(second) && first.toLowerCase() === second.toLowerCase();
