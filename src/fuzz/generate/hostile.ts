import type { Value } from '../case/case.js';
import type { RandomSource } from './random-source.js';

// Values that many programs handle badly. None of them names another machine.

const hostileStrings: readonly string[] = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'x\udc00\ud800y',
  '🙂👨‍👩‍👧‍👦',
  '\u202eabc\u202c',
  '\ufeff',
  '\uffff',
  'e\u0301\u0323'.repeat(20),
  '\u2028\u2029',
  '\r\nX-Injected: 1',
  '\u001b[2J',
  '\u007f\u0080',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'true',
  '0',
  '-1',
  '1e999',
  'NaN',
  'undefined',
  '[object Object]',
  '../../../../etc/passwd',
  '..\\..\\windows\\win.ini',
  '/dev/null',
  "'; DROP TABLE tasks; --",
  "' OR '1'='1",
  '{"$ne": null}',
  '{{7*7}}',
  '\u0024{7*7}',
  '#{7*7}',
  '<script>alert(1)</script>',
  '<!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>',
  '%00',
  '%s%n%x%d',
  '%2e%2e%2f',
  '`id`',
  '$(id)',
  '*',
  '(((((((((((((((((((((((a',
  `${'a'.repeat(40)}!`,
  `${'a'.repeat(28)};${'='.repeat(28)}`,
  'text/plain; charset=\u0000',
  'file:///etc/passwd',
  'http://127.0.0.1:9/',
  'javascript:alert(1)',
  'data:text/plain,tck',
  'İ',
  'ﬃ',
  'ʼn',
  '１２３',
];

export const hostileNumbers: readonly Value[] = [
  0,
  -1,
  1,
  -2147483648,
  2147483647,
  2147483648,
  4294967296,
  Number.MAX_SAFE_INTEGER,
  -Number.MAX_SAFE_INTEGER,
  { $raw: '9007199254740993' },
  { $raw: '18446744073709551616' },
  { $raw: '1e400' },
  { $raw: '-1e400' },
  { $raw: '1e-400' },
  { $raw: '-0' },
  { $raw: '1.0' },
  { $raw: '1e2' },
  0.5,
  1.0000000000000002,
  1e21,
  { $raw: '123456789012345678901234567890.123456789' },
];

/** Member names with a special meaning in programs. */
export const hostileNames: readonly string[] = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'valueOf',
  'toJSON',
  'hasOwnProperty',
  '__defineGetter__',
  '__class__',
  '@type',
  '$type',
  '$schema',
  'length',
  'then',
  'type',
  'kind',
  '',
  ' ',
  '\u0000',
  '\ud800',
  'a.b',
  'a/b~c',
  'tckUnknown',
  'İ',
];

const lengths: readonly number[] = [17, 64, 255, 256, 257, 1024, 4096, 8193, 65_536];

/** A long text, mostly of some thousand characters, never of more than `maxBytes`. */
export function longText(randomSource: RandomSource, maxBytes: number): Value {
  const unit = randomSource.pick(['A', 'ab', '0', ' ', 'é', '🙂', '\\', '"', '\n', 'a.', '(', '\u0000']);
  const most = Math.floor(maxBytes / (unit.length * 6));
  const length = randomSource.chance(0.06) ? randomSource.pick([262_144, 1_048_576]) : randomSource.pick(lengths);
  return { $text: [unit, Math.max(1, Math.min(length, most))] };
}

/** Many odd characters in one text: one request shows a program that fails on any of them. */
export const cocktail = (randomSource: RandomSource): Value =>
  `a\u0000b\ud800c🙂'"%s ${randomSource.pick(hostileStrings)}${randomSource.pick(hostileStrings)}`;

export function hostileString(randomSource: RandomSource, maxBytes: number): Value {
  const roll = randomSource.below(10);
  if (roll < 6) return randomSource.pick(hostileStrings);
  if (roll < 8) return longText(randomSource, maxBytes);
  if (roll === 8)
    return { $raw: randomSource.pick(['"\\ud800"', '"\\udfff\\ud800"', '"\\u0000"', '"\\/"', '"\\u00e9"']) };
  return `${randomSource.pick(['a', 'task', 'ü'])}${randomSource.pick(hostileStrings)}${randomSource.pick(['', 'b', '/'])}`;
}

const depths: readonly number[] = [2, 64, 129, 200, 512, 1000, 5000, 12_000, 20_000];

/** Deep, but not deeper than `maxBytes` allows. */
export const nesting = (
  randomSource: RandomSource,
  maxBytes: number,
  opening: '[' | '{' = randomSource.pick(['[', '{']),
): Value => ({
  $nest: [opening, Math.min(randomSource.pick(depths), Math.floor(maxBytes / 6))],
});

export type JsonType = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object';

/** A value of one JSON type. */
export function typedValue(randomSource: RandomSource, type: JsonType, maxBytes: number): Value {
  switch (type) {
    case 'null':
      return null;
    case 'boolean':
      return randomSource.chance(0.5);
    case 'integer':
      return randomSource.pick([0, 1, 42, -1, 2147483648]);
    case 'number':
      return randomSource.pick<Value>([1.5, 0.1, -0.5, { $raw: '1e400' }, { $raw: '3.14e-2' }]);
    case 'string':
      return randomSource.chance(0.5)
        ? randomSource.pick(['text', '1', 'true', 'null', '[]', '{}'])
        : hostileString(randomSource, maxBytes);
    case 'array':
      return randomSource.chance(0.15)
        ? nesting(randomSource, maxBytes, '[')
        : randomSource.pick<Value>([[], [1], ['text'], [null], [{}], [[]], { $list: [0, 1000] }]);
    case 'object':
      return randomSource.pick<Value>([
        {},
        { a: 1 },
        { length: 1, 0: 'a' },
        { toString: 1 },
        { $ne: null },
        { value: 'text' },
        { $raw: '{"__proto__":{"polluted":true}}' },
        { $raw: '{"constructor":{"prototype":{"polluted":true}}}' },
      ]);
  }
}
