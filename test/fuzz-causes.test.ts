import { expect, test } from 'vitest';
import { createFuzzPhase } from '../src/fuzz/index.js';
import { faults } from '../src/reference/faults/index.js';
import { fuzzFaults } from '../src/reference/fuzz-faults/index.js';
import type { Patch } from '../src/reference/index.js';
import { staged } from './fuzzing.js';

// One law that is broken for one cause is one finding, through however many operations and wherever it was put.

const faulty = (id: string): Patch => {
  const fault = [...fuzzFaults, ...faults].find((one) => one.id === id);
  if (fault === undefined) throw new Error(`no fault ${id}`);
  return fault.patch;
};

test.each<[string, Patch, number]>([
  ['null in any list', faulty('fuzz-null-in-list-crashes'), 200],
  ['a method of another type', faulty('fuzz-method-of-another-type-crashes'), 400],
  ['the history of each answer', faulty('data-history-without-kind'), 40],
])('%s', { timeout: 200_000 }, async (_, patch, runs) => {
  const found = async (seed: number) => {
    const { stage } = await staged({ patches: [patch], variant: 'streaming-and-push', stage: { seed } });
    const { findings } = await createFuzzPhase({ runs, kit: 'a2a-tck test' })(stage);
    return findings;
  };
  const [first, second] = [await found(1), await found(2)];
  expect(first.map(({ title }) => title)).toHaveLength(1);
  expect(second.map(({ id }) => id)).toEqual(first.map(({ id }) => id));
  expect([...first, ...second].some(({ operations = [] }) => operations.length > 1)).toBe(true);
});
