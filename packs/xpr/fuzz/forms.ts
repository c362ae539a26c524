import type { Value } from '../../../src/fuzz/extending.js';
import type { headerNames } from '../signing/index.js';

// Wrong values of the three headers of a signed request. XPR document, Request Signing.

export type SignedName = keyof typeof headerNames;
export const signedNames = ['account', 'timestamp', 'signature'] as const;

/** UTF-8 in a header, where each character is a byte. */
const bytes = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

/**
 * A text with the right value in it: `{}` unchanged, `{upper}` in upper case, `{marked}` with an accent or one more
 * letter, `{hex}`, `{iso}`, `{+60}` 60 seconds later.
 */
export type Form = string;

const accounts: readonly Form[] = [
  '{upper}',
  '{marked}',
  '{}.',
  '.{}',
  '{}..',
  '{}aaaaaaaaaaaaa',
  '{} {}',
  '{}\t{}',
  '{},tcknobody',
  'tcknobody, {}',
  '{}\u0085',
  '\u0085{}',
  '{}\u00a0',
  '{}\u00ad',
  '{}\u00ff',
  `{}${bytes('\u200b')}`,
  `{}${bytes('\u2028')}`,
  bytes('\u0430lice'),
  '{}%0A',
  '{}%0a{}',
  '{}%00',
  '%61{}',
  '{}\\n',
  '{}@active',
  '../{}',
  "{}' or '1'='1",
  '{}"',
  '{{}}',
  '%{{}}',
  '0',
  '-',
  '*',
  'undefined',
  'null',
  'constructor',
  '__proto__',
];

const timestamps: readonly Form[] = [
  '+{}',
  '-{}',
  '0{}',
  '00000000{}',
  '{}.0',
  '{}.999',
  '.{}',
  '{}e0',
  '{}E1',
  '0x{hex}',
  '{iso}',
  '{}000',
  '{}000000',
  '{}\u0085',
  '\u0085{}',
  '{}\u00a0',
  '{}%0A',
  '{},{}',
  '{} {}',
  '{};a',
  '{}s',
  '{}n',
  '"{}"',
  '[{}]',
  '{}_0',
  '{+3600}',
  '{-3600}',
  '{+240}',
  '{-240}',
  '{+100000000}',
  '0',
  '-0',
  '-1',
  '9007199254740992',
  '9223372036854775807',
  '18446744073709551616',
  '1e10',
  '1e309',
  'NaN',
  'Infinity',
  'null',
  'true',
  bytes('\uff11\uff12\uff13'),
  bytes('\u0661\u0662\u0663'),
];

const signatures: readonly Form[] = [
  '{upper}',
  '{}{}',
  '{},{}',
  '{}\u0085',
  '\u0085{}',
  '{}\u00a0',
  '{}%0A',
  '"{}"',
  'Bearer {}',
  'SIG_K1_',
  'SIG_K1_1',
  'SIG_WA_{}',
  'null',
  '\u00ff',
];

export const formsOf: Readonly<Record<SignedName, readonly Form[]>> = {
  account: accounts,
  timestamp: timestamps,
  signature: signatures,
};

/** Several values, or none. */
export const several: readonly (readonly Form[])[] = [
  [],
  [''],
  ['{}', '{}'],
  ['{}', 'tcknobody'],
  ['tcknobody', '{}'],
  ['{}', ''],
  ['', '{}'],
];

/** Names of the same header, and one that only some servers take for it. */
export const spelledNames: readonly ((name: string) => string)[] = [
  (name) => name.toLowerCase(),
  (name) => name.toUpperCase(),
  (name) => name.replaceAll('-', '_'),
];

const marks: Readonly<Record<string, string>> = { a: 'á', c: 'ç', e: 'é', i: 'í', n: 'ñ', o: 'ó', u: 'ú', y: 'ý' };
const marked = (name: string): string => {
  const found = name.replace(/[aceinouy]/, (letter) => marks[letter] ?? letter);
  return found === name ? `${name}ü` : found;
};

/** The last second that a date can have. */
const lastSecond = 8_640_000_000_000;

function instant(seconds: number): string {
  return Math.abs(seconds) <= lastSecond ? new Date(seconds * 1000).toISOString() : String(seconds);
}

/** The text of a form. */
export const filledIn = (form: Form, right: string): string =>
  form.replace(/\{(|upper|marked|hex|iso|[+-]\d{1,9})\}/g, (_, how: string) => {
    switch (how) {
      case '':
        return right;
      case 'upper':
        return right.toUpperCase();
      case 'marked':
        return marked(right);
      case 'hex':
        return (Number.parseInt(right, 10) || 0).toString(16);
      case 'iso':
        return instant(Number.parseInt(right, 10) || 0);
      default:
        return String((Number.parseInt(right, 10) || 0) + Number(how));
    }
  });

/** RFC 9110 §5.5: the text as a header can carry it, one byte per character; other characters become `?`. */
export const carriable = (text: string): string =>
  [...text].map((text) => (/[\t\x20-\x7e\x80-\xff]/.test(text) ? text : '?')).join('');

/** The texts in a value of a file, which may hold anything. */
export const formsIn = (value: Value | undefined): readonly Form[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string').slice(0, 20) : [];
