import { isAccountName } from '../../signing/index.js';
import { ChainRefusal, quoted } from './refusal.js';

const letters = '.12345abcdefghijklmnopqrstuvwxyz';

/** The number by which a node keeps a name: five bits a letter, from the top. Names sort by it. */
export function nameValue(name: string): bigint {
  let value = 0n;
  for (let at = 0; at < 12; at++) value = (value << 5n) | BigInt(letters.indexOf(name[at] ?? '.'));
  return value << 4n;
}

const largest = 2n ** 64n - 1n;

/**
 * A bound of `get_table_rows` as a number. Like a node, tries a number first and then a name: an account whose name is
 * all digits is not found by its name. undefined: no bound. Throws `ChainRefusal`.
 */
export function boundValue(bound: unknown): bigint | undefined {
  if (bound === undefined || bound === null || bound === '') return undefined;
  const text = typeof bound === 'number' ? String(bound) : bound;
  if (typeof text === 'string') {
    if (/^\d{1,20}$/.test(text) && BigInt(text) <= largest) return BigInt(text);
    if (isAccountName(text)) return nameValue(text);
  }
  throw new ChainRefusal('noConversion', `Could not convert bound ${quoted(bound)} to uint64_t or a valid name`);
}
