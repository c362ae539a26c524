import { expect, test } from 'vitest';
import type { CallStep, Case, Step } from '../case/case.js';
import { isSlow, knownAt } from './lookahead.js';

test('one after the other knows all answers before it', () => {
  expect([1, 2, 100].map((number) => knownAt(number, 1, true))).toEqual([0, 1, 99]);
});

test('several at once know all but the last of what answers at once, and half of what is slow', () => {
  expect([1, 256, 257, 9000].map((number) => knownAt(number, 8, false))).toEqual([0, 0, 1, 9000 - 256]);
  expect([300, 1000, 9000].map((number) => knownAt(number, 8, true))).toEqual([44, 500, 9000 - 2048]);
});

test('work, streams and framing take time', () => {
  const caseOf = (...steps: Step[]): Case => ({ dialect: 'a2a-0.3', steps });
  const get: CallStep = { step: 'call', operation: 'get' };
  expect(isSlow(caseOf(get, { ...get, tricks: [{ trick: 'bom' }] }))).toBe(false);
  expect(isSlow(caseOf(get, { step: 'wait', for: 'a' }))).toBe(true);
  expect(isSlow(caseOf({ step: 'together', calls: [get] }))).toBe(true);
  expect(isSlow(caseOf(get, { ...get, operation: 'subscribe' }))).toBe(true);
  expect(isSlow(caseOf({ ...get, operation: 'send' }))).toBe(true);
  expect(isSlow(caseOf({ ...get, tricks: [{ trick: 'bad-chunks' }] }))).toBe(true);
});
