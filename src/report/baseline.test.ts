import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { plainCheck, plainFinding } from '../../test/reports.js';
import { TckError } from '../model/index.js';
import {
  applyBaseline,
  applyBaselineToFindings,
  type BaselineEntry,
  readBaseline,
  updatedBaseline,
} from './baseline.js';
import type { CheckResult, Finding } from './result.js';

const result = (id: string, verdict: CheckResult['verdict']): CheckResult => ({
  ...plainCheck,
  id,
  verdict,
  reason: 'because',
});
const folder = mkdtempSync(join(tmpdir(), 'baseline-'));
const file = (text: string): string => {
  const path = join(folder, `${text.length}.yaml`);
  writeFileSync(path, text);
  return path;
};
const now = Date.UTC(2026, 5, 15, 12);

const profile = 'a2a-1.0';

describe('the truth table of an entry', () => {
  type Mark = CheckResult['baseline'];
  const verdicts = ['pass', 'fail', 'inconclusive', 'not-applicable', 'error'] as const;
  test.for<[string, Partial<BaselineEntry> | undefined, readonly Mark[]]>([
    ['not listed', undefined, [undefined, undefined, undefined, undefined, undefined]],
    ['for ever', {}, ['stale', 'known', undefined, undefined, undefined]],
    ['its last day', { expires: '2026-06-15' }, ['stale', 'known', undefined, undefined, undefined]],
    ['its day is over', { expires: '2026-06-14' }, ['stale', 'expired', 'expired', 'expired', undefined]],
    ['of this profile', { profile }, ['stale', 'known', undefined, undefined, undefined]],
    [
      'of another profile',
      { profile: 'a2a-0.3', expires: '2020-01-01' },
      [undefined, undefined, undefined, undefined, undefined],
    ],
  ])('%s', ([, entry, marks]) => {
    const entries = entry === undefined ? [] : [{ check: 'a/b', reason: 'r', ...entry }];
    const judged = verdicts.map((verdict) => applyBaseline([result('a/b', verdict)], { entries }, now, profile)[0]);
    expect(judged.map((one) => one?.baseline)).toEqual(marks);
  });

  test('the entry of the profile counts for more than the one of all', () => {
    const entries = [
      { check: 'a/b', profile, reason: 'r', expires: '2026-06-14' },
      { check: 'a/b', reason: 'r' },
    ];
    const marks = (order: readonly BaselineEntry[]) =>
      [profile, 'xpr'].map((one) => applyBaseline([result('a/b', 'fail')], { entries: order }, now, one)[0]?.baseline);
    expect(marks(entries)).toEqual(['expired', 'known']);
    expect(marks([...entries].reverse())).toEqual(['expired', 'known']);
  });
});

test('an update is sorted, keeps words and what it cannot judge, and drops what passes', () => {
  const entries = [
    { check: 'b/z', reason: 'a known defect', owner: 'team', expires: '2027-01-01' },
    { check: 'a/gone', reason: 'old' },
    { check: 'a/gone', profile: 'xpr', reason: 'there it fails' },
    { check: 'a/open', reason: 'not reached today' },
  ];
  const results = [
    result('b/z', 'fail'),
    result('a/a', 'fail'),
    result('a/gone', 'pass'),
    result('a/open', 'inconclusive'),
  ];
  const text = updatedBaseline(results, { entries }, profile);
  const again = readBaseline(file(text));
  expect(again.entries).toEqual([
    { check: 'a/a', profile, reason: 'not looked into yet: because' },
    { check: 'a/gone', profile: 'xpr', reason: 'there it fails' },
    { check: 'a/open', reason: 'not reached today' },
    { check: 'b/z', reason: 'a known defect', owner: 'team', expires: '2027-01-01' },
  ]);
  expect(updatedBaseline(results, again, profile)).toBe(text);
});

test.for([
  ['no list', 'other: 1'],
  ['not YAML', '[: :'],
  ['an entry without a check', 'known:\n  - reason: x'],
  ['an entry without a reason', 'known:\n  - check: a/b'],
  ['an entry twice', 'known:\n  - check: a/b\n    reason: x\n  - check: a/b\n    reason: y'],
  ['a misspelled member', 'known:\n  - check: a/b\n    reason: x\n    expire: 2027-01-01'],
  ['a day that no month has', 'known:\n  - check: a/b\n    reason: x\n    expires: 2027-02-30'],
  ['a profile that is no text', 'known:\n  - check: a/b\n    reason: x\n    profile: 1'],
  ['a date that is none', 'known:\n  - check: a/b\n    reason: xy\n    expires: soon'],
])('%s is one clear configuration error', ([, text]) => {
  const read = () => readBaseline(file(text ?? ''));
  expect(read).toThrow(TckError);
  expect(read).toThrow(expect.objectContaining({ code: 'config' }));
});

test('a file that is not there is one clear configuration error', () => {
  expect(() => readBaseline(join(folder, 'none.yaml'))).toThrow(expect.objectContaining({ code: 'config' }));
});

const finding = (id: string, requirements: readonly string[]): Finding => ({
  ...plainFinding,
  id,
  title: 'it breaks',
  requirements,
});

test('a finding is known by its entry, or where a known failure breaks the same sentences', () => {
  const checks = [{ ...result('a/known', 'fail'), baseline: 'known' as const, requirements: ['R-1', 'R-2'] }];
  const found = [finding('f-00000001', ['R-1']), finding('f-00000002', ['R-1', 'R-3']), finding('f-00000003', ['R-3'])];
  const entries = [{ check: 'f-00000003', reason: 'r', expires: '2026-06-14' }];
  const marked = (list: typeof entries) =>
    applyBaselineToFindings(found, checks, { entries: list }, now, 'a2a-0.3').map(({ baseline }) => baseline);
  expect(marked(entries)).toEqual(['known', undefined, 'expired']);
  expect(marked([])).toEqual(['known', undefined, undefined]);
});

test('an updated baseline has the findings that break sentences, and keeps those of earlier runs', () => {
  const before = { entries: [{ check: 'f-0000000a', reason: 'reported' }] };
  const found = [finding('f-00000001', ['R-1']), finding('f-00000002', [])];
  const text = updatedBaseline([], before, 'a2a-0.3', found);
  expect(readBaseline(file(text)).entries).toEqual([
    { check: 'f-00000001', profile: 'a2a-0.3', reason: 'not looked into yet: it breaks' },
    { check: 'f-0000000a', reason: 'reported' },
  ]);
});
