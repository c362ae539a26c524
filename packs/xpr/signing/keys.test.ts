import { inspect } from 'node:util';
import { Key } from '@proton/js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  legacyPublicKeyText,
  type PrivateKey,
  privateKey,
  privateKeyFor,
  publicKeyText,
  pvtText,
  readPrivateKey,
  readPublicKey,
  wif,
  XprTextError,
} from './index.js';

const secrets = fc.uint8Array({ minLength: 32, maxLength: 32 }).filter((bytes) => (bytes[0] ?? 0) < 0xff);
const keys = secrets.filter((bytes) => bytes.some((byte) => byte > 0)).map(privateKey);
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

test('texts are those of the published library, there and back', () => {
  fc.assert(
    fc.property(keys, (key) => {
      const theirs = Key.PrivateKey.fromString(wif(key));
      expect([theirs.toLegacyString(), theirs.toString()]).toEqual([wif(key), pvtText(key)]);
      const shown = theirs.getPublicKey();
      expect(shown.toString()).toBe(publicKeyText(key.publicKey));
      expect(shown.toLegacyString()).toBe(legacyPublicKeyText(key.publicKey));
      for (const text of [theirs.toLegacyString(), theirs.toString()]) {
        expect(hex(readPrivateKey(text).secret)).toBe(hex(key.secret));
      }
      for (const text of [shown.toString(), shown.toLegacyString()]) {
        expect(hex(readPublicKey(text))).toBe(hex(key.publicKey));
      }
    }),
    { numRuns: 300 },
  );
});

const digits = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

test('a text with one other character is never read', () => {
  const texts = keys.chain((key) =>
    fc.constantFrom(wif(key), pvtText(key), publicKeyText(key.publicKey), legacyPublicKeyText(key.publicKey)),
  );
  fc.assert(
    fc.property(texts, fc.nat(), fc.constantFrom(...digits, '0', 'O', 'I', 'l', ' ', 'é'), (text, where, digit) => {
      const at = where % text.length;
      fc.pre(text[at] !== digit);
      const other = text.slice(0, at) + digit + text.slice(at + 1);
      expect(() => readPrivateKey(other)).toThrow(XprTextError);
      expect(() => readPublicKey(other)).toThrow(XprTextError);
    }),
    { numRuns: 500 },
  );
});

describe('texts that are none', () => {
  const key = privateKeyFor('texts');
  const zero = new Uint8Array(32);
  const order = Buffer.from('fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141', 'hex');
  const raw = (secret: Uint8Array): PrivateKey => ({ secret, publicKey: new Uint8Array(33) });

  test.each([
    ['zero', wif(raw(zero))],
    ['zero, new text', pvtText(raw(zero))],
    ['the order of the curve', wif(raw(order))],
    ['the order of the curve, new text', pvtText(raw(order))],
    ['31 bytes', pvtText(raw(key.secret.subarray(1)))],
    ['33 bytes', wif(raw(Buffer.concat([key.secret, Uint8Array.of(1)])))],
    ['a digit in front', `1${wif(key)}`],
    ['another curve', pvtText(key).replace('K1', 'R1')],
    ['a public key', publicKeyText(key.publicKey)],
    ['nothing', ''],
    ['space around', ` ${wif(key)}`],
    ['a line feed behind', `${wif(key)}\n`],
    ['a novel', wif(key).repeat(100_000)],
  ])('private: %s', (_, text) => {
    expect(() => readPrivateKey(text)).toThrow(XprTextError);
  });

  test.each([
    ['a digit in front', publicKeyText(key.publicKey).replace('K1_', 'K1_1')],
    ['another curve', publicKeyText(key.publicKey, 'R1')],
    ['other prefix', legacyPublicKeyText(key.publicKey).replace('EOS', 'XPR')],
    ['too short', publicKeyText(key.publicKey.subarray(1))],
    ['nothing', ''],
  ])('public: %s', (_, text) => {
    expect(() => readPublicKey(text)).toThrow(XprTextError);
  });

  test('a secret of another size or value is none', () => {
    for (const secret of [zero, order, new Uint8Array(0), key.secret.subarray(1)]) {
      expect(() => privateKey(secret)).toThrow(XprTextError);
    }
  });

  test('the key of zeros is a public key', () => {
    expect(readPublicKey('EOS1111111111111111111111111111111114T1Anm')).toEqual(new Uint8Array(33));
  });
});

describe('a secret is shown nowhere', () => {
  const key = privateKeyFor('secrecy');
  /** Every text in which a program could show the key. */
  const spellings = [
    wif(key),
    wif(key).slice(8, 40),
    pvtText(key).slice(12, 40),
    hex(key.secret),
    Buffer.from(key.secret).toString('base64'),
    [...key.secret].join(','),
    [...key.secret].join(', '),
  ];

  test.each([
    ['text', String(key)],
    ['JSON', JSON.stringify({ key })],
    ['inspection', inspect(key, { showHidden: true, getters: true, depth: null })],
    ['inspection of the plain object', inspect(key, { customInspect: false, showHidden: true, getters: true })],
    ['properties', Object.values(key).map(String).join(';') + JSON.stringify({ ...key })],
    ['copy', inspect(structuredClone(key), { depth: null })],
    ['comparison', String(inspect(new Error('x', { cause: key }), { depth: null }))],
  ])('%s', (_, shown) => {
    for (const spelling of spellings) expect(shown).not.toContain(spelling);
  });

  test('nor does an error quote what it could not read', () => {
    const bad = [`${wif(key)}2`, wif(key).slice(0, -1), `${pvtText(key)}0`, pvtText(key).slice(0, -2), `x${wif(key)}`];
    for (const text of bad) {
      try {
        readPrivateKey(text);
        expect.unreachable();
      } catch (error) {
        expect(error).toBeInstanceOf(XprTextError);
        const shown = inspect(error, { depth: null, showHidden: true });
        for (const spelling of [text, ...spellings]) expect(shown).not.toContain(spelling);
      }
    }
  });

  test('and the bytes it was made from may be wiped', () => {
    const bytes = Uint8Array.from(key.secret);
    const copy = privateKey(bytes);
    bytes.fill(0);
    expect(hex(copy.secret)).toBe(hex(key.secret));
  });
});
