import { expect, test } from 'vitest';
import { faults } from '../fixtures/faults/index.js';
import type { Report } from '../src/report/index.js';
import { judge } from './judged.js';
import { modelLike, rateLimited } from './peers/model-like.js';

// An agent like a language model, with three seeds: the same failures, and the limit is met once.

const fault = faults.find(({ id }) => id === 'card-no-name');

test('three seeds show the same failures, and few checks differ', { timeout: 180_000 }, async () => {
  const runs: { readonly report: Report; readonly refused: readonly number[] }[] = [];
  for (const seed of [1, 2, 3]) {
    const limit = rateLimited();
    const patches = [modelLike(seed), ...(fault === undefined ? [] : [fault.patch])];
    const report = await judge({
      profile: 'a2a-1.0',
      patches,
      concurrency: 8,
      restarts: false,
      behaviours: { 'long-running': { text: 'Look into ten sources.' } },
      between: limit.between,
    });
    runs.push({ report, refused: limit.refused });
  }
  const of = (wanted: string) =>
    runs.map(({ report }) => report.checks.filter(({ verdict }) => verdict === wanted).map(({ id }) => id));
  const [first = []] = of('fail');
  expect(first).toContain('card/name');
  expect(of('fail')).toEqual([first, first, first]);
  const ids = runs[0]?.report.checks.map(({ id }) => id) ?? [];
  const verdictsOf = (id: string) =>
    new Set(runs.map(({ report }) => report.checks.find((check) => check.id === id)?.verdict));
  const flips = ids.filter((id) => verdictsOf(id).size > 1);
  expect(flips.length).toBeLessThanOrEqual(5);
  for (const { refused } of runs) {
    // Those that were under way when the limit was met are of one moment; after it none is refused.
    expect(refused.length).toBeLessThanOrEqual(8);
    expect((refused.at(-1) ?? 0) - (refused[0] ?? 0)).toBeLessThan(1000);
  }
});
