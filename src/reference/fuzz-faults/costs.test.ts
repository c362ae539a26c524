import { expect, test } from 'vitest';
import { costFaults } from './costs.js';
import { contrast, type Scene } from './meeting.js';

const text = (words: string): object => ({ kind: 'text', text: words });
const many = (count: number): readonly object[] => Array.from({ length: count }, () => text('a'));
const members = (count: number): object => Object.fromEntries(many(count).map((_, at) => [`m${at}`, at]));

const scenes: Readonly<Record<string, Scene>> = {
  'fuzz-cost-quadratic-in-parts': async ({ send }) => void (await send('', { parts: many(100) })),
  'fuzz-cost-quadratic-in-text': async ({ send }) => void (await send('a'.repeat(10_000))),
  'fuzz-cost-quadratic-in-metadata': async ({ send }) => void (await send('hello', { metadata: members(100) })),
  'fuzz-answer-repeats-parts': async ({ send, wait, get }) => {
    const { result } = await send('', { parts: many(5) });
    await wait(50);
    await get(result.id);
  },
  'fuzz-long-history-shows-strangers': async ({ send, get }) => {
    await send('mine');
    const { result } = await send('yours');
    await get(result.id, { historyLength: 5 });
  },
  'fuzz-nested-metadata-show-environment': async ({ send }) => void (await send('hello', { metadata: { a: {} } })),
};

test('a scene for each', () => expect(Object.keys(scenes)).toEqual(costFaults.map(({ id }) => id)));

test.each(costFaults)('$id shows', async (fault) => {
  const { clean, faulty } = await contrast(fault, scenes[fault.id] as Scene);
  expect(faulty).not.toEqual(clean);
});
