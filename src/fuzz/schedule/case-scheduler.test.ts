import { describe, expect, test } from 'vitest';
import type { Case } from '../case/case.js';
import { type CaseScheduler, type CaseSchedulerParts, oneByOne } from './case-scheduler.js';

const nothing: Case = { dialect: 'a2a-0.3', steps: [] };

/** A course on which the cases that are named stand aside so often, and what happened on it. */
async function driven(asides: Readonly<Record<number, number>>, cases: number, quietAfter?: number) {
  const log: string[] = [];
  const parts: CaseSchedulerParts<number> = {
    clock: undefined as never,
    async run(_, number, { aside }) {
      log.push(`${number} begins`);
      for (let times = asides[number] ?? 0; times > 0; times--) {
        await aside?.();
        log.push(`${number} goes on`);
      }
      return number;
    },
    async fold(number, quiet) {
      log.push(`${number} is known`);
      if (number !== quietAfter) return;
      await quiet();
      log.push('quiet');
    },
  };
  const course: CaseScheduler = oneByOne(parts);
  for (let number = 1; number <= cases; number++) {
    await course.before(number);
    await course.begin(nothing, number);
  }
  await course.end();
  return log;
}
const whole = (number: number): readonly string[] => [`${number} begins`, `${number} is known`];

describe('one by one', () => {
  test('is in the order of the cases where none stands aside', async () => {
    expect(await driven({}, 3)).toEqual([1, 2, 3].flatMap(whole));
  });

  test('eight others run while one stands aside, each time', async () => {
    expect(await driven({ 1: 2 }, 18)).toEqual([
      '1 begins',
      ...[2, 3, 4, 5, 6, 7, 8, 9].flatMap(whole),
      '1 goes on',
      ...[10, 11, 12, 13, 14, 15, 16, 17].flatMap(whole),
      '1 goes on',
      '1 is known',
      ...whole(18),
    ]);
  });

  test('at its end all go on, in their order', async () => {
    expect(await driven({ 1: 1, 2: 1 }, 3)).toEqual([
      '1 begins',
      '2 begins',
      ...whole(3),
      ...['1 goes on', '1 is known', '2 goes on', '2 is known'],
    ]);
  });

  test('is quiet when those that stood aside have ended; they are known in their turn', async () => {
    expect(await driven({ 1: 2, 2: 1 }, 10, 3)).toEqual([
      '1 begins',
      '2 begins',
      ...whole(3),
      ...['1 goes on', '1 goes on', '2 goes on', 'quiet'],
      ...[4, 5, 6, 7, 8, 9].flatMap(whole),
      '1 is known',
      ...['10 begins', '10 is known'],
      '2 is known',
    ]);
  });
});
