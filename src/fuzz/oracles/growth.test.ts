import { expect, test } from 'vitest';
import { isSuperLinear, type Point } from './growth.js';

const series = (costOf: (size: number) => number, from = 8, doublings = 6): readonly Point[] =>
  Array.from({ length: doublings + 1 }, (_, at) => from * 2 ** at).map((size) => ({ size, cost: costOf(size) }));

const least = 150;

test.each([
  ['quadratic', (n: number) => n ** 2 / 100],
  ['quadratic on a constant', (n: number) => 100 + n ** 2 / 50],
  ['cubic', (n: number) => n ** 3 / 5000],
  ['exponential', (n: number) => 1.02 ** n],
  ['quadratic up to a limit', (n: number) => Math.min(2000, n ** 2 / 10)],
])('sees what is %s', (_, costOf) => {
  expect(isSuperLinear(series(costOf), least)).toBe(true);
});

test.each([
  ['constant', () => 300],
  ['linear', (n: number) => 2 * n],
  ['linear on a constant', (n: number) => 200 + 3 * n],
  ['of size times its logarithm', (n: number) => n * Math.log2(n)],
  ['quadratic and too small to matter', (n: number) => n ** 2 / 4000],
  ['one jump at the end', (n: number) => (n < 512 ? 2 + n / 200 : 400)],
  ['up and down, as on a busy machine', (n: number) => (n % 3 === 0 ? 50 : 210)],
])('leaves alone what is %s', (_, costOf) => {
  expect(isSuperLinear(series(costOf), least)).toBe(false);
});

test('wants three doublings', () => {
  expect(
    isSuperLinear(
      series((n) => n ** 2, 64, 2),
      least,
    ),
  ).toBe(false);
  expect(isSuperLinear([], least)).toBe(false);
});
