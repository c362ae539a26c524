import { expect, test } from 'vitest';
import { steady } from './steady.js';
import { Unproven, unproven } from './verdict.js';

const judge = (seen: string) => (seen === 'bad' ? 'it failed' : seen === 'open' ? unproven('who knows') : undefined);

async function raced(...runs: readonly string[]) {
  let count = 0;
  const { seen, judgement } = await steady(async () => runs[Math.min(count++, runs.length - 1)] ?? '', judge);
  return { count, seen, judgement };
}

test('a race that is well is run once', async () => {
  expect(await raced('good')).toEqual({ count: 1, seen: 'good', judgement: undefined });
});
test('a failure that comes again is one, and the last run shows it', async () => {
  expect(await raced('bad', 'good', 'bad')).toEqual({ count: 3, seen: 'bad', judgement: 'it failed' });
});
test('what came once is left open', async () => {
  const { count, judgement } = await raced('bad', 'good');
  expect(count).toBe(4);
  expect(judgement).toBeInstanceOf(Unproven);
});
test('what is open is not run again', async () => {
  expect((await raced('open')).count).toBe(1);
});
