import { expect, test } from 'vitest';
import { objectsIn } from './objects.js';

test('a member whose name is a URI hides no member behind it', () => {
  const params = { $id: {}, metadata: { 'https://example.com/note': { a: {} }, more: {} } };
  expect(objectsIn(params)).toEqual([
    '',
    '/params',
    '/params/metadata',
    '/params/metadata/https:~1~1example.com~1note',
    '/params/metadata/https:~1~1example.com~1note/a',
    '/params/metadata/more',
  ]);
});
