import { expect, test } from 'vitest';
import { variants } from '../src/reference/index.js';
import { type Carrier, type Clock, sleep } from '../src/wire/index.js';
import { judge } from './judged.js';

// What has ended may be purged (1.0 §3.3.2), also between two reads of a check that is run alone.

const slower =
  (ms: number) =>
  (carrier: Carrier, clock: Clock): Carrier =>
  async (request, signal) => {
    await sleep(clock, ms);
    return carrier(request, signal);
  };

test.each([0, 10, 20, 30, 40, 50, 60, 70, 80, 90])(
  'a task is found while it is there, answers take %i ms',
  async (ms) => {
    const variant = variants.find(({ id }) => id === 'purges-soon');
    if (variant === undefined) throw new Error('no such variant');
    const checks = ['task/get-same-task'];
    const report = await judge({ profile: 'a2a-1.0', patches: [variant.patch], checks, between: slower(ms) });
    const [check] = report.checks;
    expect(check?.verdict, check?.reason).toBe('pass');
  },
);
