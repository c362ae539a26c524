import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plural, printable } from '../index.js';

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) }),
  fc.string({
    unit: fc.constantFrom(
      '#',
      ':',
      ' ',
      '\u001b',
      '[',
      '\u009b',
      '\u202e',
      '\u2066',
      '\n',
      '\r',
      '\u0000',
      '\ud800',
      'a',
    ),
  }),
);

test('nothing unsafe is left, and nothing is longer than the limit', () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 1, max: 60 }), (text, limit) => {
      const shown = printable(text, limit);
      expect(shown.length).toBeLessThanOrEqual(limit);
      expect(shown).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/u);
      expect(shown).not.toMatch(/##\w*\[|(^|\s)::/);
    }),
  );
});

test('safe and short text stays unchanged; printing twice changes nothing', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const shown = printable(text, 10_000);
      expect(printable(shown, 10_000)).toBe(shown);
    }),
  );
  expect(printable('Grüße, 世界 🎉 "quoted" \\ back')).toBe('Grüße, 世界 🎉 "quoted" \\ back');
});

test.each([
  ['\u001b[31mred\u001b[0m', '\\x1b[31mred\\x1b[0m'],
  ['a\nb\tc\r\u0000', 'a\\nb\\tc\\r\\x00'],
  ['user\u202egnp.exe', 'user\\u{202e}gnp.exe'],
  ['lone \ud800 half', 'lone \\u{d800} half'],
  ['::add-mask::x', '\\::add-mask::x'],
  ['\n  :::error::x', '\\n  \\:::error::x'],
  ['##[error]x ###vso[task.complete]y', '#\\#[error]x ##\\#vso[task.complete]y'],
  // An address, a name, a heading and a number are not commands.
  ['http://[::1]:80/ std::vector ## Title #1 ##x', 'http://[::1]:80/ std::vector ## Title #1 ##x'],
])('%j becomes %j', (text, shown) => {
  expect(printable(text)).toBe(shown);
});

test('an ellipsis ends what is cut, and cuts no character or escape', () => {
  expect(printable('abcdef', 4)).toBe('abc…');
  expect(printable('abcd', 4)).toBe('abcd');
  expect(printable('ab🎉🎉', 4)).toBe('ab…');
  expect(printable('a\u001b\u001b', 6)).toBe('a\\x1b…');
});

test('one is one, and everything else is many', () => {
  expect([0, 1, 2].map((count) => plural(count, 'check'))).toEqual(['0 checks', '1 check', '2 checks']);
  expect([1, 3].map((count) => plural(count, 'entry is', 'entries are'))).toEqual(['1 entry is', '3 entries are']);
});
