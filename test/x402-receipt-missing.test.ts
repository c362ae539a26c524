import { describe, expect, test } from 'vitest';
import { onX402 } from '../packs/x402/agent/index.js';
import * as failures from '../packs/x402/failures.js';
import * as paying from '../packs/x402/paying.js';
import * as races from '../packs/x402/races.js';
import * as replay from '../packs/x402/replay.js';
import type { Rule } from '../src/kit/index.js';
import { sell } from './charging.js';

// An agent that delivers without a receipt has taken the payment; an agent that never decides wrong payments gets one
// report of it.

const all = [paying, races, replay, failures].flatMap((file): readonly Rule[] => Object.values(file));
const rules = (...ids: readonly string[]): readonly Rule[] => all.filter(({ id }) => ids.includes(id));

describe('work without a receipt', () => {
  test('is paid: the receipt alone is missing', async () => {
    const { of } = await sell({
      rules: rules('x402/paid', 'x402/receipt-single', 'x402/race-same-task', 'x402/replay-other-task'),
      patches: [onX402(() => ({ receiptsFor: () => [] }))],
    });
    expect(of('x402/paid')).toBe('pass');
    expect(of('x402/receipt-single')).toMatch(/^fail: the task has no successful receipt and is completed/);
    expect(of('x402/race-same-task')).toBe('pass');
    expect(of('x402/replay-other-task')).toBe('pass');
  });

  test('nor is it refused without any status', async () => {
    const silent = onX402((inner) => ({
      metadata: (account, state) => (state === 'completed' ? undefined : inner.metadata(account, state)),
    }));
    const { of } = await sell({ rules: rules('x402/paid'), patches: [silent] });
    expect(of('x402/paid')).not.toContain('refused');
  });
});

test('wrong payments that are never decided cost their time once', async () => {
  const { of, report } = await sell({
    rules: rules('x402/failure-status', 'x402/failure-code', 'x402/replay-refused', 'x402/unfunded'),
    patches: [onX402(() => ({ onRefused: () => undefined }))],
  });
  expect(of('x402/failure-status')).toMatch(
    /^fail: the agent did not decide the payment within 10.* but a correct one within/,
  );
  expect(of('x402/replay-refused')).toMatch(
    /^inconclusive: the agent did not decide the payment \(.*\), nor an earlier one/,
  );
  expect(report.run.durationMs).toBeLessThan(60_000);
});
