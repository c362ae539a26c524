import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { TckError } from '../model/index.js';
import { applyBaseline, readBaseline, updatedBaseline } from './baseline.js';
import type { CheckResult } from './result.js';

const result = (id: string, verdict: CheckResult['verdict']): CheckResult => ({
  id,
  suite: 'a',
  title: '',
  level: 'must',
  requirements: [],
  section: '',
  verdict,
  reason: 'because',
  expected: '',
  actual: '',
  exchanges: [],
  durationMs: 0,
});
const folder = mkdtempSync(join(tmpdir(), 'baseline-'));
const file = (text: string): string => {
  const path = join(folder, `${text.length}.yaml`);
  writeFileSync(path, text);
  return path;
};
const now = Date.UTC(2026, 5, 15, 12);

test('failing and listed is known, passing and listed is stale, past its day is expired', () => {
  const entries = [
    { check: 'a/known', reason: 'r' },
    { check: 'a/stale', reason: 'r' },
    { check: 'a/today', reason: 'r', expires: '2026-06-15' },
    { check: 'a/over', reason: 'r', expires: '2026-06-14' },
    { check: 'a/open', reason: 'r', expires: '2026-06-14' },
  ];
  const judged = applyBaseline(
    [
      result('a/known', 'fail'),
      result('a/stale', 'pass'),
      result('a/today', 'fail'),
      result('a/over', 'fail'),
      result('a/open', 'inconclusive'),
      result('a/other', 'fail'),
    ],
    { entries },
    now,
  );
  expect(judged.map((one) => [one.id, one.baseline])).toEqual([
    ['a/known', 'known'],
    ['a/stale', 'stale'],
    ['a/today', 'known'],
    ['a/over', 'expired'],
    ['a/open', undefined],
    ['a/other', undefined],
  ]);
});

test('an update is sorted, keeps reasons, and drops what passes', () => {
  const text = updatedBaseline([result('b/z', 'fail'), result('a/a', 'fail'), result('a/gone', 'pass')], {
    entries: [
      { check: 'b/z', reason: 'a known defect', owner: 'team', expires: '2027-01-01' },
      { check: 'a/gone', reason: 'old' },
    ],
  });
  const again = readBaseline(file(text));
  expect(again.entries).toEqual([
    { check: 'a/a', reason: 'not looked into yet: because' },
    { check: 'b/z', reason: 'a known defect', owner: 'team', expires: '2027-01-01' },
  ]);
});

test.for([
  ['no list', 'other: 1'],
  ['not YAML', '[: :'],
  ['an entry without a check', 'known:\n  - reason: x'],
  ['an entry without a reason', 'known:\n  - check: a/b'],
  ['a date that is none', 'known:\n  - check: a/b\n    reason: xy\n    expires: soon'],
])('%s is one clear configuration error', ([, text]) => {
  const read = () => readBaseline(file(text ?? ''));
  expect(read).toThrow(TckError);
  expect(read).toThrow(expect.objectContaining({ code: 'config' }));
});

test('a file that is not there is one clear configuration error', () => {
  expect(() => readBaseline(join(folder, 'none.yaml'))).toThrow(expect.objectContaining({ code: 'config' }));
});
