import { secp256k1 } from '@noble/curves/secp256k1.js';
import { readSignature, signatureText } from './signature.js';

// Other texts that an attacker can make from a captured signature, without its key.

export interface Spelling {
  readonly id: string;
  readonly about: string;
  readonly text: string;
}

const order = secp256k1.Point.Fn.ORDER;
const number = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
const bytes32 = (value: bigint): Uint8Array => Buffer.from(value.toString(16).padStart(64, '0'), 'hex');

interface Parts {
  readonly header: number;
  readonly r: bigint;
  readonly s: bigint;
}
function parts(text: string): Parts {
  const signature = readSignature(text);
  const [header = 0] = signature;
  return { header, r: number(signature.subarray(1, 33)), s: number(signature.subarray(33)) };
}
const whole = ({ header, r, s }: Parts): string =>
  signatureText(Buffer.concat([Uint8Array.of(header), bytes32(r), bytes32(s)]));

/** Swaps 31 and 32, and 33 and 34. */
const flipped = (header: number): number => ((header - 31) ^ 1) + 31;
const prefix = 'SIG_K1_';

/**
 * Other spellings of a signature: the published library recovers the same key from each, a strict reader accepts none.
 * @throws XprTextError unless the text is that of a signature, read strictly
 */
export function twins(text: string): readonly Spelling[] {
  const { header, r, s } = parts(text);
  const high = { header: flipped(header), r, s: order - s };
  return [
    { id: 'e01', about: 's replaced by its negative', text: whole(high) },
    { id: 'e02', about: 'header of an uncompressed key', text: whole({ header: header - 4, r, s }) },
    { id: 'e03', about: 'header 4 too high', text: whole({ header: header + 4, r, s }) },
    { id: 'e04', about: 'header with the top bit set', text: whole({ header: header + 128, r, s }) },
    { id: 'e05', about: 'three leading zero digits', text: `${prefix}111${text.slice(prefix.length)}` },
    { id: 'e06', about: 'negative s and header 4 too high', text: whole({ ...high, header: high.header + 4 }) },
  ];
}

/**
 * Texts that no verifier accepts as a signature of this request.
 * @throws XprTextError unless the text is that of a signature, read strictly
 */
export function malformations(text: string): readonly Spelling[] {
  const { header, r, s } = parts(text);
  const digits = text.slice(prefix.length);
  return [
    { id: 'r01', about: 'empty text', text: '' },
    { id: 'r02', about: 'prefix without data', text: prefix },
    { id: 'r03', about: 'no prefix', text: digits },
    { id: 'r04', about: 'prefix in lower case', text: prefix.toLowerCase() + digits },
    { id: 'r05', about: 'last character changed', text: text.slice(0, -1) + (text.endsWith('a') ? '2' : 'a') },
    { id: 'r06', about: 'last character missing', text: text.slice(0, -1) },
    { id: 'r07', about: 'one character more', text: `${text}2` },
    {
      id: 'r08',
      about: 'a zero, which is not a base58 digit',
      text: `${prefix}${digits.slice(0, 13)}0${digits.slice(14)}`,
    },
    { id: 'r09', about: 'the prefix of another curve', text: `SIG_R1_${digits}` },
    { id: 'r10', about: 'r is 0', text: whole({ header, r: 0n, s }) },
    { id: 'r11', about: 's is 0', text: whole({ header, r, s: 0n }) },
    { id: 'r12', about: 'r and s are 0', text: whole({ header, r: 0n, s: 0n }) },
    { id: 'r13', about: 'r is the order of the curve', text: whole({ header, r: order, s }) },
    { id: 'r14', about: 'recovery bit flipped, s unchanged', text: whole({ header: flipped(header), r, s }) },
  ];
}
