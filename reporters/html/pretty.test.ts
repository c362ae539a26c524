import fc from 'fast-check';
import { expect, test } from 'vitest';
import { indented } from './pretty.js';

test('a document keeps every token: it reads as before, and written compactly it is the same text', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const shown = indented(text, Number.POSITIVE_INFINITY);
      expect(JSON.parse(shown)).toEqual(JSON.parse(text));
      expect(shown.replace(/("(?:[^"\\]|\\.)*")|\s+/g, '$1')).toBe(text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, '$1'));
    }),
  );
});

test('what reading and writing again would lose is kept', () => {
  const odd = '{"a":12345678901234567890,"a":1e400,"b":[],"c":{},"d":"\\u0041, [x]: {y}"}';
  expect(indented(odd, 1000)).toBe(
    '{\n  "a": 12345678901234567890,\n  "a": 1e400,\n  "b": [],\n  "c": {},\n  "d": "\\u0041, [x]: {y}"\n}',
  );
});

test('text that is not JSON stays unchanged, and depth and length have limits', () => {
  for (const text of ['', 'data: {"a":1}\n\n', '{"a":', '[1,]', '"text"', '12'])
    expect(indented(text, 1000)).toBe(text);
  const deep = `${'['.repeat(2000)}${']'.repeat(2000)}`;
  expect(indented(deep, 1e9).length).toBeLessThan(2000 * 2 * 100);
  expect(indented(deep, 500).length).toBeLessThan(700);
});
