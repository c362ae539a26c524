import { expect, test } from 'vitest';
import { faults } from '../faults/index.js';
import { variants } from '../variants/index.js';
import { fuzzFaults } from './index.js';
import { contrast, usual } from './meeting.js';

test('ids are unique, also among those of the kill matrix', () => {
  const ids = [...fuzzFaults, ...faults].map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { id, about, on } of fuzzFaults) {
    expect(id).toMatch(/^fuzz(-[a-z0-9]+)+$/);
    expect(about).toMatch(/\.$/);
    expect(on === undefined || variants.some((variant) => variant.id === on)).toBe(true);
  }
});

/** What a task has been through shows in it, as it may. */
const shown: ReadonlySet<string> = new Set([
  'fuzz-short-read-then-cancel-resets',
  'fuzz-answered-question-then-short-read-resets',
]);
const timeless = (log: readonly unknown[]): string =>
  JSON.stringify(log)
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')
    .replaceAll(/"ms":\d+/g, '"ms"')
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'id');

// Whoever signs or pays does so in campaigns, which find nothing on the plain agents.
test.each(fuzzFaults.filter(({ callers }) => callers === undefined))(
  '$id leaves what is usual alone',
  async (fault) => {
    const { clean, faulty } = await contrast(fault, usual);
    if (shown.has(fault.id)) expect(timeless(faulty)).not.toBe(timeless(clean));
    else expect(timeless(faulty)).toBe(timeless(clean));
  },
);
