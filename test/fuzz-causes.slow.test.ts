import { expect, test } from 'vitest';
import { fuzzFaults } from '../fixtures/faults/fuzz/index.js';
import { faults } from '../fixtures/faults/index.js';
import { createFuzzPhase } from '../src/fuzz/index.js';
import type { Patch } from '../src/reference/index.js';
import { staged } from './fuzzing.js';

// One law that is broken for one cause is one finding, through however many operations and wherever it was put.

const faulty = (id: string): Patch => {
  const fault = [...fuzzFaults, ...faults].find((item) => item.id === id);
  if (fault === undefined) throw new Error(`no fault ${id}`);
  return fault.patch;
};

test.each<[string, Patch, number]>([
  ['null in any list', faulty('fuzz-null-in-list-crashes'), 200],
  ['a method of another type', faulty('fuzz-method-of-another-type-crashes'), 800],
  ['the history of each answer', faulty('data-history-of-another-kind'), 40],
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

test('ten cases of one seed find the same on one agent each time, whatever the ids of their messages', {
  timeout: 100_000,
}, async () => {
  const all: unknown[] = [];
  for (const id of ['fuzz-null-in-list-crashes', 'fuzz-true-id-is-internal', 'fuzz-null-member-empties']) {
    const { stage } = await staged({ patches: [faulty(id)], variant: 'streaming-and-push', stage: { seed: 5 } });
    const found = async (idSeed: number) => {
      const { findings } = await createFuzzPhase({ runs: 10, kit: 'a2a-tck test' })({ ...stage, idSeed });
      return findings.map((finding) => [
        finding.id,
        finding.bucket,
        finding.case,
        finding.confirmed,
        finding.operations,
      ]);
    };
    const [first, second, third] = [await found(1), await found(2), await found(3)];
    expect(second).toEqual(first);
    expect(third).toEqual(first);
    all.push(...first);
  }
  expect(all.length).toBeGreaterThan(0);
});
