import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type AnyRule, law } from '../kit/index.js';
import type { Planned } from '../run/index.js';
import { expectations, killersOf, killsIn } from './kills.js';
import { narrowed } from './prove.js';
import { pairOf, readKills } from './stored.js';

const ruleOf = (id: `task/${string}`, key: 'get.history-length' | 'get.id-type'): AnyRule =>
  law(id, key, 'be so', { otherwise: 'nothing came' }, () => 'holds');

const known = ruleOf('task/known', 'get.history-length');
const other = ruleOf('task/other', 'get.history-length');
const added = ruleOf('task/added', 'get.history-length');
const apart = ruleOf('task/apart', 'get.id-type');
const rules = [known, other, added, apart];

const faultOf = (id: string, ...breaks: readonly string[]) => ({ id, breaks });
const faults = [
  faultOf('old', 'get.history-length'),
  faultOf('new', 'get.history-length'),
  faultOf('elsewhere', 'get.id-type'),
];

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'a2a-tck-kills-'));
  writeFileSync(
    join(folder, 'a2a-1.0.txt'),
    '# x\n\n## Faults: the checks that fail on each\n\nold:\n  - task/known\n\nelsewhere:\n  - task/other\n  - task/known\n\n## Conforming variants: what fails on each\n\nold: none\n',
  );
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a fault is expected where the stored proof has it, a new one and a new check by the keys', () => {
  const stored = readKills(folder, 'a2a-1.0');
  expect(Object.fromEntries(expectations(stored, rules, faults))).toEqual({
    old: { known: ['task/known'], all: ['task/known', 'task/added'], isNew: false, isPart: false },
    new: { known: [], all: ['task/known', 'task/other', 'task/added'], isNew: true, isPart: false },
    // That it also fails what it does not break proves nothing.
    elsewhere: { known: [], all: ['task/apart'], isNew: false, isPart: false },
  });
});

test('without a stored proof the keys decide', () => {
  const stored = readKills(folder, 'a2a-0.3');
  expect(expectations(stored, rules, faults).get('old')).toEqual({
    known: [],
    all: ['task/known', 'task/other', 'task/added'],
    isNew: true,
    isPart: false,
  });
});

test('a part of the checks decides what a fault breaks where others that do are left out', () => {
  const some = expectations(new Map(), [known], faults, [other]);
  expect(['new', 'elsewhere'].map((id) => some.get(id)?.isPart)).toEqual([true, false]);
});

test('a new fault that was played on a profile before is not played again', () => {
  const stored = readKills(folder, 'a2a-0.3');
  const planned = rules.map((rule) => ({ rule }) as Planned<AnyRule>);
  const role = { type: 'fault', id: 'new' } as const;
  const play = (...checks: string[]) =>
    narrowed(role, planned, expectations(stored, rules, faults), new Set(checks.map((check) => pairOf(check, 'new'))));
  expect(play()).toEqual([{ ...role, checks: ['task/known', 'task/other', 'task/added'] }]);
  expect(play('task/known')).toEqual([]);
});

test('a rule is proven by the faults that it was seen to catch, of those that break its sentences', () => {
  writeFileSync(
    join(folder, 'a2a-0.3.txt'),
    '# x\n\n## Faults: the checks that fail on each\n\nnew:\n  - task/known\n',
  );
  const killers = killersOf(faults, killsIn(folder));
  expect(killers(known)).toEqual([
    { fault: 'old', profile: 'a2a-1.0' },
    { fault: 'new', profile: 'a2a-0.3' },
  ]);
  expect([other, added, apart].map(killers)).toEqual([[], [], []]);
});
