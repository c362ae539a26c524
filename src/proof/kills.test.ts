import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type AnyRule, law } from '../kit/index.js';
import { expectedKills, killersIn } from './kills.js';

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
  expect(Object.fromEntries(expectedKills('a2a-1.0', rules, faults, folder))).toEqual({
    old: ['task/known', 'task/added'],
    new: ['task/known', 'task/other', 'task/added'],
    // That it also fails what it does not break is no proof.
    elsewhere: ['task/apart'],
  });
});

test('without a stored proof the keys decide', () => {
  expect(expectedKills('a2a-0.3', rules, faults, folder).get('old')).toEqual([
    'task/known',
    'task/other',
    'task/added',
  ]);
});

test('a rule is proven by the faults that it was seen to catch, of those that break its sentences', () => {
  expect(rules.map(killersIn(faults, folder))).toEqual([['old'], [], [], []]);
  expect(killersIn(faults, join(folder, 'nowhere'))(known)).toEqual([]);
});
