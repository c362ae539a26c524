import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadLedger } from '../src/ledger/index.js';
import { rules } from './index.js';

const longest = 240;

/** Keys of the rows of level MUST, in whichever version. */
const binding = new Set(
  readdirSync('schemas/requirements').flatMap((file) =>
    loadLedger(file.replace(/\.yaml$/, '')).rows.flatMap(({ key, level }) =>
      key !== undefined && level === 'must' ? [key] : [],
    ),
  ),
);

test('an agent that breaks a MUST gets advice', () => {
  const silent = rules.filter(({ keys, advice }) => advice === undefined && keys.some((key) => binding.has(key)));
  expect(silent.map(({ id }) => id)).toEqual([]);
  expect(binding.size).toBeGreaterThan(400);
});

test('advice can be read at a glance', () => {
  expect(rules.flatMap(({ id, advice }) => ((advice ?? '').length > longest ? [id] : []))).toEqual([]);
});
