import { expect, test } from 'vitest';
import { createSemaphore } from '../../model/index.js';
import type { CheckResult } from '../../report/index.js';
import { type Clock, createTape, sleep, virtualClock } from '../../wire/index.js';
import type { Planned } from '../planning/plan.js';
import { scheduleChecks } from './check-scheduler.js';

const checkOf = (id: string, turn: string): Planned => ({ rule: { kind: 'check', id, turn } }) as unknown as Planned;
const resultOf = (id: string, verdict: CheckResult['verdict'] = 'pass'): CheckResult =>
  ({ id, verdict, exchanges: [] }) as unknown as CheckResult;

type Aside = <T>(waiting: Promise<T>) => Promise<T>;

/** Plays checks by name; the name begins with the turn. Returns when each began and ended, in seconds. */
async function played(
  plays: Readonly<Record<string, (clock: Clock, aside: Aside) => Promise<unknown>>>,
  {
    concurrency = 8,
    isFailFast = false,
    meanwhile = async (_: Promise<unknown>, __: Clock): Promise<void> => undefined,
  } = {},
): Promise<Readonly<Record<string, readonly [began: number, ended: number]>>> {
  const clock = virtualClock(0);
  const slots = createSemaphore(concurrency);
  const seen: Record<string, readonly [number, number]> = {};
  await scheduleChecks(
    Object.keys(plays).map((id) => checkOf(id, id.split(' ')[0] ?? '')),
    {
      slots,
      concurrency,
      clock,
      tape: createTape(),
      timeoutMs: 10_000,
      isPaced: false,
      isFailFast,
      neighbours: { waiting: undefined, meanwhile: (waiting) => meanwhile(waiting, clock) },
      async judge({ rule: { id } }) {
        const began = clock.now();
        await plays[id]?.(clock, concurrency === 1 ? (waiting) => waiting : slots.withoutPermit);
        seen[id] = [began / 1000, clock.now() / 1000];
        return resultOf(id);
      },
      settle: () => undefined,
      waitUntilResponsive: async () => undefined,
      forgetLate: () => undefined,
      sendTogether: () => undefined,
      waiting: () => new Map(),
      startAnew: async () => true,
      isHopeless: () => false,
    },
  );
  return seen;
}

const works = (ms: number) => (clock: Clock) => sleep(clock, ms);
const waits = (ms: number) => (clock: Clock, aside: Aside) => aside(sleep(clock, ms));

test('a check that waits for time begins first, and only those that run alone wait for its end', async () => {
  const seen = await played({
    'any one': works(1000),
    'first one': waits(30_000),
    'alone one': works(1000),
    'last one': works(1000),
    'last two': works(1000),
  });
  expect(seen).toEqual({
    'first one': [0, 30],
    'any one': [0, 1],
    'last one': [1, 2],
    'last two': [2, 3],
    'alone one': [30, 31],
  });
});

test('of checks in turn, one that waits for an answer lets the next one begin', async () => {
  const seen = await played({ 'last one': waits(8000), 'last two': works(1000), 'last three': works(1000) });
  expect(seen).toEqual({ 'last one': [0, 8], 'last two': [0, 1], 'last three': [1, 2] });
});

test('other interfaces are judged as soon as no check of this one waits for a place, and before those that run alone', async () => {
  const times: number[] = [];
  const seen = await played(
    {
      'first one': waits(10_000),
      'any one': works(2000),
      'any two': works(2000),
      'any three': works(1000),
      'last one': works(1000),
      'alone one': works(1000),
    },
    {
      async meanwhile(waiting, clock) {
        times.push(clock.now());
        await Promise.all([waiting, sleep(clock, 7000)]);
        times.push(clock.now());
      },
      concurrency: 2,
    },
  );
  expect(times).toEqual([2000, 10_000]);
  expect(seen['alone one']).toEqual([10, 11]);
});

test.each([{ concurrency: 1 }, { isFailFast: true }])('in turn where nothing goes on beside: %o', async (how) => {
  const seen = await played({ 'any one': works(1000), 'first one': waits(5000), 'last one': works(1000) }, how);
  expect(seen['last one']).toEqual(how.concurrency === 1 ? [6, 7] : [5, 6]);
  expect(seen['first one']?.[0]).toBe(how.concurrency === 1 ? 1 : 0);
});
