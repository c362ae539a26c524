import { expect, test } from 'vitest';
import { knownAt } from './lookahead.js';

test('one after the other knows all answers before it', () => {
  expect([1, 2, 100].map((number) => knownAt(number, 1))).toEqual([0, 1, 99]);
});

test('several at once know half of the past, never less than before, and leave room to wait', () => {
  let before = 0;
  for (let number = 1; number < 10_000; number += 13) {
    const known = knownAt(number, 8);
    expect(known).toBeGreaterThanOrEqual(before);
    expect(number - known).toBeLessThanOrEqual(2048);
    if (number > 256) expect(number - known).toBeGreaterThanOrEqual(256);
    before = known;
  }
  expect(knownAt(1000, 8)).toBe(500);
  expect(knownAt(9000, 8)).toBe(9000 - 2048);
});
