import { expect, test } from 'vitest';
import { variants } from '../src/reference/index.js';
import { bodyText, type Carrier, type Clock, sleep } from '../src/wire/index.js';
import { judge } from './judged.js';

// What has ended may be purged (1.0 §3.3.2), also between two reads of a check that is run alone; and one answer may be
// late.

const slower =
  (ms: number) =>
  (carrier: Carrier, clock: Clock): Carrier =>
  async (request, signal) => {
    await sleep(clock, ms);
    return carrier(request, signal);
  };

const patchOf = (id: string) => {
  const variant = variants.find((one) => one.id === id);
  if (variant === undefined) throw new Error(`no variant ${id}`);
  return variant.patch;
};

test.each([0, 10, 20, 30, 40, 50, 60, 70, 80, 90])(
  'a task is found while it is there, answers take %i ms',
  async (ms) => {
    const checks = ['task/get-same-task'];
    const report = await judge({ profile: 'a2a-1.0', patches: [patchOf('purges-soon')], checks, between: slower(ms) });
    const [check] = report.checks;
    expect(check?.verdict, check?.reason).toBe('pass');
  },
);

test.each([
  [300, 5, 5],
  [5, 300, 5],
  [5, 5, 300],
  [40, 300, 40, 5],
])('a task is found while it is there, answers take %i, %i, %i … ms', async (...tookMs) => {
  let count = 0;
  const uneven =
    (carrier: Carrier, clock: Clock): Carrier =>
    async (request, signal) => {
      await sleep(clock, tookMs[count++ % tookMs.length] ?? 0);
      return carrier(request, signal);
    };
  const patches = [patchOf('purges-what-ended')];
  const report = await judge({ profile: 'a2a-1.0', patches, checks: ['task/get-same-task'], between: uneven });
  const [found] = report.checks;
  expect(found?.verdict, found?.reason).not.toBe('fail');
});

test.each([
  ['durability/finished-tasks-kept', ['purges-soon'], 20],
  ['stream/task-readable', ['streaming', 'purges-at-once'], 5],
])('%s holds nothing against %j, answers take %i ms', async (check, ids, ms) => {
  const patches = ids.map(patchOf);
  const report = await judge({ profile: 'a2a-1.0', patches, checks: [check], between: slower(ms) });
  const [found] = report.checks;
  expect(found?.verdict, found?.reason).not.toBe('fail');
});

test('one answer that comes late is no waiting', async () => {
  let count = 0;
  const jittery =
    (carrier: Carrier, clock: Clock): Carrier =>
    async (request, signal) => {
      if (bodyText(request.body).includes('tck-long-running') && count++ === 0) await sleep(clock, 2000);
      return carrier(request, signal);
    };
  const patches = [patchOf('completes-at-once')];
  const report = await judge({ profile: 'a2a-1.0', patches, checks: ['message/non-blocking'], between: jittery });
  const [found] = report.checks;
  expect(count).toBeGreaterThan(0);
  expect(found?.verdict, found?.reason).not.toBe('fail');
});
