import { expect, test } from 'vitest';
import { readFuzz } from './fuzz.js';

test('a run of all checks fuzzes a little, one of some only when asked', () => {
  expect(readFuzz({})).toEqual({ fuzz: { runs: expect.any(Number), unasked: true } });
  expect(readFuzz({ fuzzRuns: 7 })).toEqual({ fuzz: { runs: 7 } });
  expect(readFuzz({ fuzzRuns: 0 })).toEqual({});
  for (const given of [{ check: ['a'] }, { suite: ['a'] }, { budget: { requests: 5 } }]) {
    expect(readFuzz(given)).toEqual({});
    expect(readFuzz({ ...given, fuzzRuns: 7 })).toEqual({ fuzz: { runs: 7 } });
  }
});

test('of several shards the first one fuzzes', () => {
  expect(readFuzz({ shard: '1/3' })).toEqual(readFuzz({}));
  expect(readFuzz({ shard: '2/3' })).toEqual({});
  expect(readFuzz({ shard: '11/12', fuzzRuns: 5 })).toEqual({});
});
