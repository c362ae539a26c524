import { expect, test } from 'vitest';
import { isAccountName } from './index.js';

test.each(['alice', 'a', 'abcdefghijkl', '12345', '.alice', 'a.b.c', 'eosio.token', 'zzzzzzzzzzzz'])('%s', (name) => {
  expect(isAccountName(name)).toBe(true);
});

test.each([
  '',
  '.',
  'alice.',
  'Alice',
  'alice6',
  'alice0',
  'abcdefghijklm',
  ' alice',
  'alice\n',
  'al ice',
  'álice',
  'a_b',
])('%j is not a name', (name) => {
  expect(isAccountName(name)).toBe(false);
});
