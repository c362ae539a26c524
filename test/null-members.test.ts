import { expect, test } from 'vitest';
import { faults } from '../fixtures/faults/index.js';
import { judge } from './judged.js';

const patchOf = (id: string) => {
  const found = faults.find((fault) => fault.id === id);
  if (found === undefined) throw new Error(`no fault ${id}`);
  return found.patch;
};

test('an agent of 1.0 that prints null for all that is not set fails one recommendation, once', async () => {
  const { checks } = await judge({ profile: 'a2a-1.0', patches: [patchOf('null-members')] });
  const clean = await judge({ profile: 'a2a-1.0' });
  const verdicts = (all: typeof checks) => Object.fromEntries(all.map(({ id, verdict }) => [id, verdict]));
  expect(verdicts(checks)).toEqual({ ...verdicts(clean.checks), 'data/no-nulls': 'fail' });
  const result = checks.find(({ id }) => id === 'data/no-nulls');
  expect(result?.level).toBe('should');
  expect(result?.reason).toContain('/documentationUrl');
});

test('before 1.0 null is not a value of an optional member', async () => {
  const { checks } = await judge({ profile: 'a2a-0.3', patches: [patchOf('data-nulls-for-absent-members')] });
  const failed = checks.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
  expect(failed).toEqual(expect.arrayContaining(['data/task-artifacts', 'data/task-metadata', 'data/no-nulls']));
});
