import { expect, test } from 'vitest';
import { faults } from '../fixtures/faults/index.js';
import type { Patch } from '../src/reference/index.js';
import { judge } from './judged.js';

// An agent whose tasks end in the millisecond in which they begin.

const atOnce: Patch = () => ({
  script: ({ parts }) => ({
    reply: 'task',
    steps: [
      { afterMs: 0, act: { type: 'artifact', name: 'answer', parts } },
      { afterMs: 0, act: { type: 'status', state: 'completed' } },
    ],
  }),
});

test.each([
  [undefined, 'pass'],
  ['list-ignores-time', 'fail'],
] as const)('the filter by time is judged; fault %s: %s', async (id, verdict) => {
  const fault = faults.find((fault) => fault.id === id);
  const patches = fault === undefined ? [atOnce] : [atOnce, fault.patch];
  const { checks } = await judge({ profile: 'a2a-1.0', checks: ['list/time-filter'], patches });
  expect(checks.map((check) => [check.verdict, check.reason])).toEqual([[verdict, expect.any(String)]]);
});
