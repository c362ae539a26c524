import { expect, test } from 'vitest';
import { variants } from '../src/reference/index.js';
import { judge } from './judged.js';
import { taking } from './late-answers.js';

// An agent that takes 3 s for each answer: a run takes as long as its longest chain of questions, in virtual time.

const streaming = variants.find(({ id }) => id === 'streaming-and-push');

test.each([
  ['a2a-1.0', false, 61],
  ['a2a-1.0', true, 86],
  ['a2a-0.3', false, 59],
  ['a2a-1.0-rest', false, 67],
] as const)(
  'slow answers of %s, with streams and webhooks: %s, take at most %i s',
  async (profile, isFull, seconds) => {
    const { run } = await judge({
      profile,
      concurrency: 8,
      slowConcurrency: 24,
      restarts: false,
      between: taking(3000),
      patches: isFull && streaming !== undefined ? [streaming.patch] : [],
    });
    expect(run.durationMs).toBeLessThanOrEqual(seconds * 1000);
  },
);

test('the search for one check waits for its ways side by side', async () => {
  const { run } = await judge({
    profile: 'a2a-1.0',
    checks: ['task/cancel-terminal-refused'],
    concurrency: 8,
    slowConcurrency: 24,
    restarts: false,
    between: taking(3000),
  });
  expect(run.durationMs).toBeLessThanOrEqual(65_000);
});
