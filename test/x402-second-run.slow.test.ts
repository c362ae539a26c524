import { expect, test } from 'vitest';
import { rules } from '../suites/index.js';
import { sell } from './charging.js';

// An agent that lists its tasks shows those of earlier runs too, and what was paid then was paid by others.

test.for(['a2a-0.3', 'a2a-1.0'] as const)('a second run on the same agent of %s fails nothing', async (profile) => {
  const { report, of } = await sell({ rules, profile, runs: 2 });
  expect(report.checks.filter(({ verdict }) => verdict === 'fail' || verdict === 'error')).toEqual([]);
  expect(of('x402/status-order')).toBe('pass');
});
