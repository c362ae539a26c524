import { expect, test } from 'vitest';
import { variants } from '../src/reference/index.js';
import { bodyText, type Carrier, type Clock, sleep } from '../src/wire/index.js';
import { type JudgedSettings, judge } from './judged.js';
import { taking } from './late-answers.js';

// What has ended may be purged (1.0 §3.3.2), also between two reads of a check that is run alone; and one answer may be
// late.

async function* emptyBody(): AsyncGenerator<Uint8Array> {}

const patchOf = (id: string) => {
  const variant = variants.find((variant) => variant.id === id);
  if (variant === undefined) throw new Error(`no variant ${id}`);
  return variant.patch;
};

test.each([0, 10, 20, 30, 40, 50, 60, 70, 80, 90])(
  'a task is found while it is there, answers take %i ms',
  async (ms) => {
    const checks = ['task/get-same-task'];
    const report = await judge({ profile: 'a2a-1.0', patches: [patchOf('purges-soon')], checks, between: taking(ms) });
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
  const patches = [patchOf('purges-what-ended')];
  const report = await judge({
    profile: 'a2a-1.0',
    patches,
    checks: ['task/get-same-task'],
    between: taking(...tookMs),
  });
  const [found] = report.checks;
  expect(found?.verdict, found?.reason).not.toBe('fail');
});

test.each([1, 2, 3, 4])('nothing is missed where %i messages are taken, and no more', async (most) => {
  let sent = 0;
  const busy: JudgedSettings['between'] = (carrier, clock) => {
    const late = taking(40)(carrier, clock);
    return async (request, signal) => {
      const isSend = bodyText(request.body).includes('"SendMessage"');
      if (!isSend || ++sent <= most) return late(request, signal);
      return { status: 429, headers: [['content-type', 'text/plain']], body: emptyBody() };
    };
  };
  const patches = [patchOf('purges-what-ended')];
  const report = await judge({ profile: 'a2a-1.0', patches, checks: ['task/get-same-task'], between: busy });
  const [found] = report.checks;
  expect(sent).toBeGreaterThan(most);
  expect(found?.verdict, found?.reason).not.toBe('fail');
});

test.each([
  ['durability/finished-tasks-kept', ['purges-soon'], 20],
  ['stream/task-readable', ['streaming', 'purges-at-once'], 5],
])('%s holds nothing against %j, answers take %i ms', async (check, ids, ms) => {
  const patches = ids.map(patchOf);
  const report = await judge({ profile: 'a2a-1.0', patches, checks: [check], between: taking(ms) });
  const [found] = report.checks;
  expect(found?.verdict, found?.reason).not.toBe('fail');
});

test('one answer that comes late does not count as waiting', async () => {
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

// 1.0 §7.6.1, §11.7: the task goes on by itself, and the stream has ended where it waited.
test.each([
  ['same-events', [1, 1, 8]],
  ['independent', [1, 1, 8]],
  ['slow-reader', [5, 1, 1]],
  ['subscription-updates', [8, 1, 1]],
  ['subscription-no-gap', [8, 1, 1]],
])('stream/%s holds nothing against a task that goes on after its stream, answers take %j ms', async (name, tookMs) => {
  const patches = ['streaming', 'signed-in-elsewhere'].map(patchOf);
  const checks = [`stream/${name}`];
  const report = await judge({ profile: 'a2a-1.0', patches, checks, between: taking(...tookMs) });
  const [found] = report.checks;
  expect(found?.verdict, found?.reason).not.toBe('fail');
});
