import { describe, expect, test } from 'vitest';
import { faults } from '../fixtures/faults/index.js';
import { variants } from '../src/reference/index.js';
import type { Report } from '../src/report/index.js';
import { judge } from './judged.js';

// The checks that compare interfaces, on agents in memory.

const patchOf = (id: string) => {
  const found = [...variants, ...faults].find((item) => item.id === id);
  if (found === undefined) throw new Error(`no agent ${id}`);
  return found.patch;
};
const only = ['equivalence/*'];
const reasons = ({ checks }: Report, verdict: string): readonly string[] =>
  checks.filter((check) => check.verdict === verdict).map(({ id, reason }) => `${id}: ${reason}`);

const profiles = ['a2a-1.0', 'a2a-1.0-rest', 'a2a-1.0-grpc', 'a2a-0.3', 'a2a-0.3-rest', 'a2a-0.3-grpc'] as const;

describe.each(profiles)('%s', (profile) => {
  test('an agent with one interface has nothing to compare', async () => {
    const { checks } = await judge({ profile, checks: only });
    expect(new Set(checks.map(({ verdict }) => verdict))).toEqual(new Set(['not-applicable']));
  });

  test('an agent with three interfaces over one store is alike in each', async () => {
    const report = await judge({ profile, checks: only, patches: [patchOf('all-bindings')] });
    for (const verdict of ['fail', 'error', 'inconclusive']) expect(reasons(report, verdict)).toEqual([]);
    expect(report.summary.must.pass).toBeGreaterThanOrEqual(9);
    expect(report.run.tasks).toBeLessThan(64);
  });

  test('an interface that is down shows nothing', async () => {
    const report = await judge({ profile, checks: only, patches: [patchOf('all-bindings-one-down')] });
    expect(reasons(report, 'fail')).toEqual([]);
    expect(reasons(report, 'inconclusive').length).toBeGreaterThan(5);
    expect(reasons(report, 'inconclusive')[0]).toContain('/down');
  });
});

test('an interface whose errors come under a status of success answers, and is compared', async () => {
  const patches = [patchOf('all-bindings'), patchOf('rest-errors-under-200')];
  const report = await judge({ profile: 'a2a-1.0', checks: only, patches });
  expect(reasons(report, 'inconclusive').filter((reason) => reason.includes('does not answer'))).toEqual([]);
  expect(reasons(report, 'fail')).toEqual([]);
});

test('an interface of another tenant is compared with none', async () => {
  const report = await judge({ profile: 'a2a-1.0', checks: only, patches: [patchOf('all-bindings-another-tenant')] });
  expect(new Set(report.checks.map(({ verdict }) => verdict))).toEqual(new Set(['not-applicable']));
});

test('no relation fails on an agent that answers sooner or later, with several checks at once', async () => {
  for (let run = 0; run < 20; run++) {
    let step = run * 7919;
    const report = await judge({
      profile: profiles[run % profiles.length] ?? 'a2a-1.0',
      checks: only,
      patches: [patchOf('all-bindings')],
      concurrency: 1 + (run % 8),
      between: (carrier, clock) => async (request, signal) => {
        step = (step * 1103515245 + 12345) % 2 ** 31;
        await new Promise<void>((resolve) => void clock.after(step % 400, resolve));
        return carrier(request, signal);
      },
    });
    expect([...reasons(report, 'fail'), ...reasons(report, 'error')]).toEqual([]);
  }
}, 120_000);
