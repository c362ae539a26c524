import { expect, test } from 'vitest';
import { faults } from '../fixtures/faults/index.js';
import { lackedByChance } from '../src/kit/index.js';
import { variants } from '../src/reference/index.js';
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
  // Tasks that wait by chance serve the checks that found no prompt for one.
  const lacking = ({ report }: (typeof runs)[number]) =>
    report.checks.filter(
      ({ verdict, reason }) => verdict === 'inconclusive' && lackedByChance(reason) === 'input-required',
    );
  expect(runs.map((run) => lacking(run).length).filter((count) => count > 2)).toEqual([]);
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

test('what comes by chance serves all checks that look for it, also ends, messages and streams', {
  timeout: 120_000,
}, async () => {
  const streaming = variants.flatMap(({ id, patch }) => (id === 'streaming-and-push' ? [patch] : []));
  const shown = new Set<string>();
  for (const seed of [5, 6, 7]) {
    const { checks } = await judge({
      profile: 'a2a-1.0',
      patches: [modelLike(seed, { failed: 12, rejected: 12, 'auth-required': 12 }), ...streaming],
      concurrency: 8,
      restarts: false,
    });
    expect(checks.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
    const lacking = checks.flatMap(({ id, verdict, reason }) =>
      verdict === 'inconclusive' && lackedByChance(reason) !== undefined ? [id] : [],
    );
    // Only a message that says nothing of waiting, or that names a webhook, can show these.
    const avoidable = lacking.filter((id) => !/^(?:message\/waits-until-asked|push\/notified-.*)$/.test(id));
    expect(avoidable.length).toBeLessThanOrEqual(1);
    for (const { id, verdict } of checks) if (verdict === 'pass') shown.add(id);
  }
  // What the agent does by chance depends on each request before, so one run need not show all of them.
  for (const id of [
    'message/continues-task',
    'message/auth-required-continues',
    'message/failed-refused',
    'message/rejected-stays-rejected',
    'message/reply-context-id',
    'stream/asks-for-input',
    'stream/closes-on-failure',
    'push/notified-input-required',
  ])
    expect([id, shown.has(id)]).toEqual([id, true]);
});
