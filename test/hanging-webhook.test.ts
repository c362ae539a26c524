import { describe, expect, test } from 'vitest';
import { faults } from '../fixtures/faults/index.js';
import { type Patch, variants } from '../src/reference/index.js';
import { type Carrier, type Clock, sleep } from '../src/wire/index.js';
import { judge } from './judged.js';

// What hangs is judged by the order of events, so verdicts are the same however loaded the machine is.

const checks = ['push/hanging-webhook', 'push/hanging-webhook-answer'];
const patchOf = (id: string): Patch => {
  const found = [...faults, ...variants].find((item) => item.id === id);
  if (found === undefined) throw new Error(`no fault or variant ${id}`);
  return found.patch;
};

/** Each answer takes as long as the load of the machine lets it: now and then two hundred times as long as usual. */
const loaded =
  (seed: number) =>
  (carrier: Carrier, clock: Clock): Carrier => {
    let state = seed;
    const chance = (): number => {
      state = (state * 48271) % 2147483647;
      return state / 2147483647;
    };
    return async (request, signal) => {
      await sleep(clock, 10 * 200 ** chance());
      return carrier(request, signal);
    };
  };

const seeds = Array.from({ length: 12 }, (_, at) => 7 + 1000 * at);

async function verdicts(seed: number, ...patches: readonly Patch[]) {
  const report = await judge({
    profile: 'a2a-1.0',
    checks,
    patches: [patchOf('push'), ...patches],
    between: loaded(seed),
    concurrency: 8,
  });
  return report.checks.map(({ id, verdict, reason }) => `${id} ${verdict} ${verdict === 'pass' ? '' : reason}`);
}

describe.each(seeds)('under the load %i', (seed) => {
  test('an answer that does not wait passes', async () => {
    expect((await verdicts(seed)).filter((verdict) => verdict.includes('fail'))).toEqual([]);
  });

  test.each([
    ['push-answer-waits-for-webhook', 'push/hanging-webhook-answer'],
    ['push-waits-for-webhook', 'push/hanging-webhook'],
    ['push-waits-for-ever', 'push/hanging-webhook'],
  ])('%s fails %s', async (fault, check) => {
    const failed = (await verdicts(seed, patchOf(fault))).filter((verdict) => verdict.includes(' fail '));
    expect(failed).toEqual([expect.stringMatching(`^${check} fail`)]);
  });
});
