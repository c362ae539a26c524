import { ripemd160 } from '@noble/hashes/legacy.js';
import { base58 } from '@scure/base';

// Texts of the EOSIO family: a prefix, then base58 of the data and four bytes of a checksum.

/** A text of a key or a signature that cannot be read. Its message never quotes the text: it may be a secret. */
export class XprTextError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'XprTextError';
  }
}

export type Curve = 'K1' | 'R1' | 'WA';

/** Hashes bytes; the first four bytes of the result are the checksum. */
export type Checksum = (data: Uint8Array) => Uint8Array;

const checkLength = 4;

/** RIPEMD-160 over the data and the name of the curve; the old texts use no name. */
export const curveChecksum =
  (curve: Curve | ''): Checksum =>
  (data) =>
    ripemd160(joined(data, new TextEncoder().encode(curve)));

export const joined = (...parts: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));

const sameBytes = (bytes: Uint8Array, other: Uint8Array): boolean => Buffer.compare(bytes, other) === 0;

export const checkedText = (prefix: string, data: Uint8Array, checksum: Checksum): string =>
  prefix + base58.encode(joined(data, checksum(data).subarray(0, checkLength)));

/** How to read a text; `what` names it in error messages. */
export interface Layout {
  readonly what: string;
  readonly prefix: string;
  /** Bytes of the data, without the checksum. */
  readonly length?: number;
  readonly checksum: Checksum;
}

/**
 * The data of a text, read strictly: exactly this prefix, this length, this checksum, and no superfluous digit.
 * @throws XprTextError
 */
export function readChecked(text: string, { what, prefix, length, checksum }: Layout): Uint8Array {
  if (!text.startsWith(prefix)) throw new XprTextError(`${what}: does not begin with "${prefix}"`);
  const digits = text.slice(prefix.length);
  const whole = decoded(digits, what, length);
  if (length !== undefined && whole.length !== length + checkLength) {
    throw new XprTextError(`${what}: has ${whole.length} bytes, not ${length + checkLength}`);
  }
  return verified(whole, what, checksum);
}

/**
 * Reads as the published parser does: into a buffer of fixed size, so that leading zero digits change nothing.
 * @throws XprTextError
 */
export function readFilled(text: string, { what, prefix, length, checksum }: Layout & { length: number }): Uint8Array {
  if (!text.startsWith(prefix)) throw new XprTextError(`${what}: does not begin with "${prefix}"`);
  const digits = text.slice(prefix.length).replace(/^1+/, '');
  const number = decoded(digits, what, length);
  const size = length + checkLength;
  if (number.length > size) throw new XprTextError(`${what}: has more than ${size} bytes`);
  return verified(joined(new Uint8Array(size - number.length), number), what, checksum);
}

/** Decoding time grows with the square of the length, so texts that are too long are rejected first. */
function decoded(digits: string, what: string, length = 1000): Uint8Array {
  if (digits.length > 2 * (length + checkLength)) throw new XprTextError(`${what}: is too long`);
  if (!/^[1-9A-HJ-NP-Za-km-z]*$/.test(digits))
    throw new XprTextError(`${what}: has a character that is not a base58 digit`);
  return base58.decode(digits);
}

function verified(whole: Uint8Array, what: string, checksum: Checksum): Uint8Array {
  if (whole.length <= checkLength) throw new XprTextError(`${what}: has no data`);
  const data = whole.slice(0, -checkLength);
  if (!sameBytes(whole.subarray(-checkLength), checksum(data).subarray(0, checkLength))) {
    throw new XprTextError(`${what}: the checksum is wrong`);
  }
  return data;
}
