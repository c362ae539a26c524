import { expect, test } from 'vitest';
import { rules as all } from '../../../suites/index.js';
import { check } from '../../kit/index.js';
import { loadLedger } from '../../ledger/index.js';
import { TckError } from '../../model/index.js';
import { glob, plan, skippedOf } from './plan.js';

const none = { suites: [], checks: [], level: 'may' as const };
const ledger = loadLedger('a2a-0.3');
const story = (id: `${string}/${string}`, key: 'cancel.terminal-refused' | 'cancel.terminal-code') =>
  check(id, key)
    .when('the client asks', async () => undefined)
    .expects('answer', () => undefined)
    .advice('Do so.');
const rules = [story('task/one', 'cancel.terminal-refused'), story('message/two', 'cancel.terminal-code')];

test('a star stands for a run of characters, two for any', () => {
  expect(glob('task/*').test('task/one')).toBe(true);
  expect(glob('t*').test('task/one')).toBe(false);
  expect(glob('**one').test('task/one')).toBe(true);
  expect(glob('task.one').test('task/one')).toBe(false);
});

test('the level comes from the row, and the title from the story', () => {
  const [first, two] = plan(rules, ledger, none);
  expect([first?.level, two?.level]).toEqual(['must', 'should']);
  expect(first?.title).toBe('When the client asks, the agent must answer');
});

test('a selection chooses by suite, id and level', () => {
  const ids = (selection: Parameters<typeof plan>[2]) =>
    plan(rules, ledger, selection).map((plannedRule) => plannedRule.rule.id);
  expect(ids({ ...none, suites: ['mess*'] })).toEqual(['message/two']);
  expect(ids({ ...none, checks: ['task/*'] })).toEqual(['task/one']);
  expect(ids({ ...none, level: 'must' })).toEqual(['task/one']);
});

test('a name that exists nowhere is a usage error', () => {
  expect(() => plan(rules, ledger, { ...none, suites: ['task', 'nowhere'] })).toThrow(TckError);
  expect(() => plan(rules, ledger, { ...none, checks: ['task/typo'] })).toThrow(
    expect.objectContaining({ code: 'usage' }),
  );
});

test('what this version has nothing of is skipped, and named', () => {
  const ids = (selection: Parameters<typeof plan>[2]) =>
    plan(all, ledger, selection).map((plannedRule) => plannedRule.rule.id);
  const both = { ...none, suites: ['card', 'signature'] };
  expect(ids(both).every((id) => id.startsWith('card/'))).toBe(true);
  expect(ids(both).length).toBeGreaterThan(10);
  expect(skippedOf(all, ledger, both)).toEqual(['--suite signature']);
  expect(ids({ ...none, checks: ['signature/jku'] })).toEqual([]);
  expect(skippedOf(all, ledger, { ...none, checks: ['signature/jku', 'card/*'] })).toEqual(['--check signature/jku']);
  expect(plan(rules, ledger, { suites: ['message'], checks: [], level: 'must' })).toEqual([]);
});
