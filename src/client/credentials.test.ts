import { expect, test } from 'vitest';
import { calling, isSomebody, withQuery } from './credentials.js';

const own = {
  headers: [
    ['A2A-Extensions', 'urn:x'],
    ['Authorization', 'Bearer first'],
    ['X-Tenant', 'a'],
  ],
  query: [['key', 'first']],
} as const;
const second = { headers: [['Authorization', 'Bearer second']], query: [] } as const;

test('headers of the protocol belong to no caller, and no other headers are left out', () => {
  expect(calling('none', own, second)).toEqual({ headers: [['A2A-Extensions', 'urn:x']], query: [] });
});
test('the second caller brings nothing of the first', () => {
  expect(calling('second', own, second)).toEqual({
    headers: [
      ['A2A-Extensions', 'urn:x'],
      ['Authorization', 'Bearer second'],
    ],
    query: [],
  });
  expect(calling(undefined, own, second)).toBe(own);
});
test('headers of the protocol are not credentials', () => {
  expect(isSomebody({ headers: [['x-a2a-extensions', 'urn:x']], query: [] })).toBe(false);
  expect(isSomebody({ headers: [], query: [['key', 'k']] })).toBe(true);
});
test.each([
  ['http://a.test/', 'http://a.test/?k=a%26b%20c'],
  ['http://a.test/x?y=1', 'http://a.test/x?y=1&k=a%26b%20c'],
  ['http://a.test/x?', 'http://a.test/x?k=a%26b%20c'],
  ['http://a.test/x#f', 'http://a.test/x?k=a%26b%20c#f'],
])('%s becomes %s', (url, expected) => {
  expect(withQuery(url, [['k', 'a&b c']])).toBe(expected);
  expect(withQuery(url, [])).toBe(url);
});
