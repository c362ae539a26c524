import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { hex, keccak } from './addresses.js';
import { readWallet, throwawayWallet, type Wallet, walletFor, X402Error } from './index.js';

const secret = keccak('a secret of tests');
const digits = hex(secret).slice(2);
const order = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141';

const wallets: readonly (readonly [string, Wallet])[] = [
  ['made of bytes', walletFor(secret)],
  ['read', readWallet(`0x${digits}`)],
  ['thrown away', throwawayWallet(() => secret)],
];

describe.each(wallets)('a wallet %s', (_, wallet) => {
  test('does not show its secret', () => {
    const shown = [
      String(wallet),
      JSON.stringify({ wallet }),
      inspect(wallet, { showHidden: true, depth: 9, getters: true }),
      inspect({ deep: [wallet] }, { depth: 9 }),
      JSON.stringify(Object.getOwnPropertyDescriptors(wallet)),
      JSON.stringify({ ...wallet }),
      structuredCloneText(wallet),
    ].join('\n');
    expect(shown).toContain(wallet.address);
    for (const text of [digits, digits.toUpperCase(), Buffer.from(secret).toString('base64'), secret.join()]) {
      expect(shown).not.toContain(text);
    }
    expect(Reflect.ownKeys(wallet)).toEqual(['address']);
  });

  test('keeps its address and its secret', () => {
    expect(() => Object.assign(wallet, { address: '0x' })).toThrow(TypeError);
    expect(wallet.address).toBe(walletFor(secret).address);
  });
});

const structuredCloneText = (value: unknown): string => {
  try {
    return JSON.stringify(structuredClone(value));
  } catch {
    return '';
  }
};

test('what is given is copied', () => {
  const given = Uint8Array.from(secret);
  const wallet = throwawayWallet(() => given);
  const { address } = wallet;
  given.fill(1);
  expect([wallet.address, address]).toEqual([walletFor(secret).address, address]);
});

test.each([digits, `0x${digits}`, `0x${digits.toUpperCase()}`, ` 0x${digits}\n`])('%j is read', (text) => {
  expect(readWallet(text).address).toBe(walletFor(secret).address);
});

test.each([
  '',
  '0x',
  digits.slice(1),
  `${digits}0`,
  `0X${digits}`,
  digits.replace(/./, 'g'),
  `${digits.slice(0, 32)} ${digits.slice(32)}`,
  '0'.repeat(64),
  order,
  'f'.repeat(64),
])('%j is refused, and not said again', (text) => {
  const error = ((): unknown => {
    try {
      return readWallet(text);
    } catch (thrown) {
      return thrown;
    }
  })();
  expect(error).toBeInstanceOf(X402Error);
  const shown = inspect(error) + String((error as Error).stack);
  if (text.length > 2) expect(shown).not.toContain(text.slice(0, 20));
});

test.each([0, 31, 33, 64])('%i bytes are not a secret', (length) => {
  expect(() => walletFor(new Uint8Array(length).fill(1))).toThrow(X402Error);
  expect(() => throwawayWallet(() => new Uint8Array(length).fill(1))).toThrow(X402Error);
});
