import { expect, test } from 'vitest';
import { isSteady } from '../src/report/index.js';
import { plainFinding } from '../test/reports.js';
import { confirmationOf, isConfirmed, rankOf, readFindings, scriptOf } from './findings.js';

const read = (raw: unknown) => {
  const [finding] = readFindings([raw]);
  if (finding === undefined) throw new Error('no finding was read');
  return finding;
};

test('a finding reads as it was written', () => {
  const { bucket: _, replay: __, ...shown } = plainFinding;
  expect(read(plainFinding)).toEqual(shown);
});

test('whatever a stored report holds, its findings have the right shape, and values that are not objects are left out', () => {
  const odd = { id: {}, title: 7, level: 'MUST', requirements: ['A', 7, {}], confirmed: [3], steps: -1, seed: 1 / 0 };
  expect(readFindings([null, 7, 'x', [], true])).toEqual([]);
  expect(read(odd)).toEqual({
    id: 'finding-1',
    oracle: '',
    title: 'a finding without a title',
    detail: '',
    level: undefined,
    requirements: ['A'],
    confirmed: { times: 0, of: 0 },
    steps: 0,
    seed: 0,
    case: 0,
    script: '',
    exchanges: [],
  });
});

test('only what came again each time is steady', () => {
  const after = (times: number, of: number) => read({ ...plainFinding, confirmed: { times, of } });
  const titles = [after(3, 3), after(1, 3), after(1, 1), after(0, 3), after(0, 0)].map((item) => [
    isSteady(item),
    isConfirmed(item),
    confirmationOf(item),
  ]);
  expect(titles).toEqual([
    [true, true, 'seen again 3 of 3 times'],
    [false, true, 'seen again 1 of 3 times: flaky'],
    [true, true, 'seen again 1 of 1 time'],
    [false, false, 'seen once, and not again'],
    [false, false, 'seen once, and not again'],
  ]);
});

test('what breaks no sentence is a weakness', () => {
  expect([plainFinding, { ...plainFinding, level: undefined }].map((item) => rankOf(read(item)))).toEqual([
    'MUST',
    'WEAKNESS',
  ]);
});

test('a script stays runnable, does nothing to a terminal, and is whole or not there', () => {
  const script = 'curl x \\\n\t--data y\n';
  expect(scriptOf(read({ ...plainFinding, script }))).toBe(script);
  expect(scriptOf(read({ ...plainFinding, script: 'a\u001b[2J\n' }))).toBe('a\\x1b[2J\n');
  expect(scriptOf(read({ ...plainFinding, script: 'x'.repeat(30_000) }))).toMatch(/^# too long to show \(30000 /);
});
