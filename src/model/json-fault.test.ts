import { expect, test } from 'vitest';
import { jsonFault } from './json-fault.js';

test.each([
  ['{\n  "a": 1, // why\n  "b": 2\n}', 2, 11, 'a comment'],
  ['{\n  "a": 1,\n}', 3, 1, 'nothing before }'],
  ['[1, 2, ]', 1, 8, 'nothing before ]'],
  ['{"a": 1}\n{"a": 2}', 2, 1, 'text after the end of the document'],
  ["{'a': 1}", 1, 2, 'single quotes'],
  ['{a: 1}', 1, 2, 'a name without quotes'],
  ['{"a" 1}', 1, 6, 'no colon after a name'],
  ['{"a": 1 "b": 2}', 1, 9, 'no comma before the next member'],
  ['{"a": NaN}', 1, 7, 'not a JSON value'],
  ['{"a": 01}', 1, 8, 'no comma before the next member'],
  ['{"a": "x\ny"}', 1, 9, 'a line break or control character inside a string'],
  ['{"a": "\\x"}', 1, 8, 'an escape that JSON does not have'],
  ['{"a": "x', 1, 9, 'the end inside a string'],
  ['{"a": [1', 1, 9, 'the end of the text'],
  ['', 1, 1, 'the end of the text'],
  ['<!doctype html>', 1, 1, 'not a JSON value'],
  ['[}', 1, 2, 'a stray }'],
] as const)('%j stops being JSON at a place', (text, line, column, what) => {
  expect(jsonFault(text)).toMatchObject({ line, column, what });
});

test('finds something exactly where JSON.parse does', () => {
  const pieces = [
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"a"',
    '1',
    '-',
    '0',
    'true',
    'nul',
    ' ',
    '\n',
    '"\\u00e9"',
    '"\\u0g"',
    '1e5',
    '.',
  ];
  let seed = 7;
  const next = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % below;
  };
  const parses = (text: string) => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };
  let whole = 0;
  for (let round = 0; round < 20_000; round++) {
    const text = Array.from({ length: 1 + next(6) }, () => pieces[next(pieces.length)]).join('');
    expect(jsonFault(text) === undefined, text).toBe(parses(text));
    if (parses(text)) whole += 1;
  }
  expect(whole).toBeGreaterThan(200);
});

test('reads what is deep and long in one pass', () => {
  expect(jsonFault('['.repeat(2_000_000))).toMatchObject({ what: 'the end of the text' });
  expect(jsonFault(`"${'\\'.repeat(2_000_000)}`)).toMatchObject({ what: 'the end inside a string' });
  expect(jsonFault(`${'\n'.repeat(1_000_000)}x`)).toMatchObject({ line: 1_000_001, column: 1 });
});
