import { expect, test } from 'vitest';
import { createSemaphore } from '../../model/index.js';
import { sleep, virtualClock } from '../../wire/index.js';
import { lendingLate } from './lending-late.js';

const hourMs = 3_600_000;

/** So many pieces of work with that many places, each waiting for an answer that takes `ms`; gives when each began. */
async function beginnings(works: number, lanes: number, most: number, ms: number): Promise<readonly number[]> {
  const clock = virtualClock();
  const slots = createSemaphore(lanes);
  const lendLate = lendingLate(clock, most, slots.withoutPermit);
  const from = clock.now();
  const begun: number[] = [];
  await Promise.all(
    Array.from({ length: works }, () =>
      slots.withPermit(async () => {
        begun.push(clock.now() - from);
        await lendLate(sleep(clock, ms));
      }),
    ),
  );
  return begun;
}

test('while answers are late others send, no more than so many', async () => {
  // The two that began then keep their places to their end.
  expect(await beginnings(6, 2, 2, hourMs)).toEqual([0, 0, 250, 250, hourMs + 250, hourMs + 250]);
});

test('an answer that comes soon keeps its place', async () => {
  expect(await beginnings(4, 2, 2, 200)).toEqual([0, 0, 200, 200]);
});

test('what an answer fails with comes through, soon or late', async () => {
  const clock = virtualClock();
  const lendLate = lendingLate(clock, 1, (waiting) => waiting);
  const failing = async (ms: number) => {
    await sleep(clock, ms);
    throw new Error('lost');
  };
  await expect(lendLate(failing(1))).rejects.toThrow('lost');
  await expect(lendLate(failing(hourMs))).rejects.toThrow('lost');
});
