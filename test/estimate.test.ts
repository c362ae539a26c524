import { expect, test } from 'vitest';
import { estimateText } from '../reporters/index.js';
import { type Patch, variants } from '../src/reference/index.js';
import type { Estimate } from '../src/report/index.js';

import { type JudgedSettings, judge } from './judged.js';
import { taking } from './late-answers.js';
import { modelLike, rateLimited } from './peers/model-like.js';

// What a run says of its cost before it begins, beside what it costs: requests, and time in virtual time.

async function costOf(settings: JudgedSettings) {
  let estimate: Estimate | undefined;
  const report = await judge({
    profile: 'a2a-1.0',
    concurrency: 8,
    restarts: false,
    ...settings,
    hear: (event) => {
      if (event.type === 'target.detected') ({ estimate } = event);
    },
  });
  if (estimate === undefined) throw new Error('the run says nothing of its cost');
  const sent = report.exchanges.filter(({ toWebhook }) => toWebhook !== true);
  const before = sent.filter(({ purpose }) => purpose === 'detection' || purpose === 'control');
  const ends = (all: typeof sent): number =>
    Math.max(...all.map(({ startedAt, durationMs }) => startedAt + durationMs));
  return {
    estimated: { requests: estimate.messages + estimate.requests, ms: estimate.ms, text: estimateText(estimate) },
    took: { requests: sent.length - before.length, ms: ends(sent) - ends(before) },
  };
}
const variant = (id: string): Patch | undefined => variants.find((variant) => variant.id === id)?.patch;
const patchesOf = (id: string | undefined): readonly Patch[] => {
  const patch = id === undefined ? undefined : variant(id);
  return patch === undefined ? [] : [patch];
};
/** By which factor two figures differ. */
const factor = (first: number, second: number): number => Math.max(first, second) / Math.min(first, second);

test.for([
  ['a2a-1.0', undefined, []],
  ['a2a-0.3', undefined, []],
  ['a2a-1.0-rest', undefined, []],
  ['a2a-1.0', 'streaming-and-push', []],
  ['a2a-1.0', 'push', ['push/*']],
  ['a2a-1.0', 'streaming', ['stream/*']],
  ['a2a-0.3', 'streaming', ['stream/*']],
  ['a2a-1.0', undefined, ['task/*']],
  ['a2a-1.0', undefined, ['rpc/*']],
  ['a2a-1.0', undefined, ['task/cancel-terminal-refused']],
  ['a2a-0.3', undefined, ['task/cancel-terminal-refused']],
] as const)('%s, %s: the requests of %s', { timeout: 60_000 }, async ([profile, name, checks]) => {
  const { estimated, took } = await costOf({ profile, checks, patches: patchesOf(name) });
  expect(factor(estimated.requests, took.requests)).toBeLessThan(1.5);
});

test.for([
  [300, 8, 8, []],
  [300, 1, 1, []],
  [300, 8, 24, []],
  [3000, 8, 24, []],
  [3000, 8, 24, ['task/*']],
  [3000, 8, 24, ['task/cancel-terminal-refused']],
  [3000, 8, 24, ['message/*']],
  [3000, 1, 1, ['rpc/*']],
  [3000, 8, 24, ['rpc/*']],
] as const)('answers after %i ms, %i at once or %i: the time of %s', { timeout: 60_000 }, async (row) => {
  const [ms, concurrency, slowConcurrency, checks] = row;
  const { estimated, took } = await costOf({ between: taking(ms), concurrency, slowConcurrency, checks });
  // What a part waits for in turn is known less well than what a whole run sends.
  expect(factor(estimated.ms, took.ms)).toBeLessThan(checks.length === 0 ? 1.5 : 2);
});

test('the time of an agent that takes twenty calls in a minute', { timeout: 60_000 }, async () => {
  const { estimated, took } = await costOf({
    patches: [modelLike(1)],
    rate: { requests: 20, windowMs: 60_000 },
    between: rateLimited().between,
  });
  expect(estimated.text).toMatch(/ at this rate$/);
  expect(factor(estimated.ms, took.ms)).toBeLessThan(1.5);
});
