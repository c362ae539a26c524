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
  checkBaseline,
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
    expect(judged.map((checkResult) => checkResult?.baseline)).toEqual(marks);
  });

  test('the entry of the profile counts for more than the one of all', () => {
    const entries = [
      { check: 'a/b', profile, reason: 'r', expires: '2026-06-14' },
      { check: 'a/b', reason: 'r' },
    ];
    const marks = (order: readonly BaselineEntry[]) =>
      [profile, 'xpr'].map(
        (text) => applyBaseline([result('a/b', 'fail')], { entries: order }, now, text)[0]?.baseline,
      );
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
  const updated = updatedBaseline({ checks: results, findings: [], strict: false }, { entries }, profile);
  expect(updated).toMatchObject({ entries: 4, added: 1, removed: 1, leftOut: 0 });
  const again = readBaseline(file(updated.text));
  expect(again.entries).toEqual([
    { check: 'a/a', profile, reason: 'not looked into yet: because' },
    { check: 'a/gone', profile: 'xpr', reason: 'there it fails' },
    { check: 'a/open', reason: 'not reached today' },
    { check: 'b/z', reason: 'a known defect', owner: 'team', expires: '2027-01-01' },
  ]);
  expect(updatedBaseline({ checks: results, findings: [], strict: false }, again, profile).text).toBe(updated.text);
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
  const found = [
    { ...finding('f-00000001', ['R-1']), level: 'must' as const },
    { ...finding('f-00000003', ['R-2']), level: 'should' as const },
    finding('f-00000002', []),
  ];
  const { text } = updatedBaseline({ checks: [], findings: found, strict: false }, before, 'a2a-0.3');
  expect(readBaseline(file(text)).entries).toEqual([
    { check: 'f-00000001', profile: 'a2a-0.3', reason: 'not looked into yet: it breaks' },
    { check: 'f-0000000a', reason: 'reported' },
  ]);
});

test('an update writes MUST only, and SHOULD where it fails the gate', () => {
  const checks = [result('a/must', 'fail'), { ...result('a/should', 'fail'), level: 'should' as const }];
  const update = (strict: boolean) => updatedBaseline({ checks, findings: [], strict }, { entries: [] }, profile);
  expect(update(false)).toMatchObject({ entries: 1, added: 1, leftOut: 1 });
  expect(update(true)).toMatchObject({ entries: 2, added: 2, leftOut: 0 });
});

test('a reason that is written has nothing that differs from run to run', () => {
  const lines = [
    'task 1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed has the state "working" after 312 ms',
    'the message tck-1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed-2 is taken twice at 2026-01-31T10:11:12.123Z',
    'the Location is http://127.0.0.1:43123/tasks, its ETag 0123456789abcdef0123',
  ];
  const reasons = lines.map((reason) => {
    const checks = [{ ...result('a/b', 'fail'), reason }];
    return readBaseline(file(updatedBaseline({ checks, findings: [], strict: false }, { entries: [] }, profile).text))
      .entries[0]?.reason;
  });
  expect(reasons).toEqual([
    'not looked into yet: task … has the state "working" after …',
    'not looked into yet: the message … is taken twice at …',
    'not looked into yet: the Location is http://127.0.0.1:…/tasks, its ETag …',
  ]);
});

describe('an entry that names what there is not', () => {
  const names = {
    checks: ['task/get', 'task/get', 'task/list', 'client-card/read'],
    profiles: ['a2a-1.0', 'a2a-1.0-rest'],
    isAbout: (check: string) => !check.startsWith('client-'),
  };
  const checked = (entry: Partial<BaselineEntry>) => () =>
    checkBaseline({ entries: [{ check: 'task/get', reason: 'r', ...entry }] }, names);
  test.for<[Partial<BaselineEntry>, string, string]>([
    [{ check: 'task/gte' }, 'the check task/gte', 'did you mean task/get?'],
    [{ check: 'nothing/like-it' }, 'the check nothing/like-it', 'a2a-tck list checks shows them'],
    [{ check: 'task/get@a2a-1.0-rets' }, 'the check task/get@a2a-1.0-rets', 'did you mean task/get@a2a-1.0-rest'],
    [{ profile: 'a2a-1' }, 'the profile a2a-1', 'did you mean a2a-1.0'],
    [{ check: 'f-12' }, 'the finding f-12', 'the id of a finding is f- and eight hexadecimal digits'],
  ])('%j', ([entry, what, hint]) => {
    expect(checked(entry)).toThrow(
      expect.objectContaining({
        code: 'config',
        message: expect.stringContaining(what),
        hint: expect.stringContaining(hint),
      }),
    );
  });

  test('and one that there is, was found, or is about clients, is taken', () => {
    for (const check of ['task/get', 'task/list@a2a-1.0-rest', 'task/list@a2a-1.0-rest.2', 'f-0123abcd', 'client-x/y'])
      expect(checked({ check })).not.toThrow();
  });
});
