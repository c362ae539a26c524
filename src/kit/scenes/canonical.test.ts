import { describe, expect, test } from 'vitest';
import { difference, differenceText, isSameInstant } from './canonical.js';

describe('canonical values are the same', () => {
  test.each([
    ['with default members and without', { id: 'a', history: [], metadata: {}, name: '', flag: false }, { id: 'a' }],
    ['with null and without, outside of data', { id: 'a', name: null }, { id: 'a' }],
    ['in any order of members', { a: 1, b: 2 }, { b: 2, a: 1 }],
    [
      'with one time in two precisions',
      { timestamp: '2026-01-01T10:00:00.123Z' },
      { timestamp: '2026-01-01T10:00:00Z' },
    ],
    ['with one time in two zones', { timestamp: '2026-01-01T12:00:00+02:00' }, { timestamp: '2026-01-01T10:00:00Z' }],
    ['with base64 in either alphabet, padded or not', { bytes: '-_8=' }, { bytes: '+/8' }],
    ['with a negative zero', { data: -0 }, { data: 0 }],
    ['with the same double', { data: 1.0 }, { data: 1 }],
  ])('%s', (_, item, other) => expect(difference(item, other)).toBeUndefined());
});

describe('canonical values differ', () => {
  test.each([
    [
      'in a text',
      { parts: [{ text: 'a' }, { text: 'b' }] },
      { parts: [{ text: 'a' }, { text: 'c' }] },
      'parts[1].text',
    ],
    ['in the length of a list', { history: [{ id: '1' }] }, { history: [] }, 'history[0]'],
    ['by an hour', { timestamp: '2026-01-01T10:00:00Z' }, { timestamp: '2026-01-01T11:00:00Z' }, 'timestamp'],
    ['in null and nothing inside of data', { data: { a: null } }, { data: {} }, 'data.a'],
    ['in 0 and nothing inside of metadata', { metadata: { a: { b: 0 } } }, { metadata: { a: {} } }, 'metadata.a.b'],
    ['in the type of a number', { data: { a: 1 } }, { data: { a: '1' } }, 'data.a'],
    [
      'in a time inside of data, which is a text',
      { data: { timestamp: '2026-01-01T10:00:00.0Z' } },
      { data: { timestamp: '2026-01-01T10:00:00Z' } },
      'data.timestamp',
    ],
    ['in octets', { bytes: 'AAE' }, { bytes: 'AAI' }, 'bytes'],
  ])('%s', (_, item, other, path) => {
    expect(difference(item, other)?.path).toBe(path);
    expect(difference(other, item)?.path).toBe(path);
  });
});

test('a difference names both sides', () => {
  const found = difference({ name: 'a' }, {});
  expect(found && differenceText(found, ['JSON-RPC', 'gRPC'])).toBe('name: "a" over JSON-RPC, nothing over gRPC');
});

test.each([
  ['2026-01-01T10:00:00.9996Z', '2026-01-01T10:00:01.000Z', true],
  ['2026-01-01T10:00:00.100Z', '2026-01-01T10:00:00.101Z', false],
  ['yesterday', 'yesterday', true],
  ['yesterday', '2026-01-01T10:00:00Z', false],
])('%s and %s are one instant: %s', (first, second, isSame) => expect(isSameInstant(first, second)).toBe(isSame));
