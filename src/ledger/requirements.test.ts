import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { rules } from '../../suites/index.js';
import { loadAmbiguities } from './ambiguities.js';
import { loadLedger } from './requirements.js';

const folder = new URL('../../schemas/requirements/', import.meta.url);
const ids = readdirSync(folder)
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => name.replace('.yaml', ''));

describe.for(ids)('%s', (id) => {
  const ledger = loadLedger(id);
  const { rows, vocabulary } = ledger;

  test('ids and keys are used once', () => {
    const twice = (values: readonly (string | undefined)[]) =>
      values.filter((value, at) => value !== undefined && values.indexOf(value) !== at);
    expect(twice(rows.map((row) => row.id))).toEqual([]);
    expect(twice(rows.map((row) => row.key))).toEqual([]);
  });

  test('every row says where it stands, how it is seen, and what it needs', () => {
    for (const row of rows) {
      expect(row.statement, row.id).not.toBe('');
      expect(row.observe, row.id).not.toBe('');
      expect(row.section, row.id).not.toBe('');
      for (const need of row.needs) expect(vocabulary, row.id).toHaveProperty([need]);
    }
  });

  test('a row of which any outcome is information is no more than that', () => {
    const informs = rows.filter(({ observe }) => /: information\.$/.test(observe));
    expect(informs.filter(({ level }) => level !== 'may').map((row) => row.id)).toEqual([]);
  });

  test('every ambiguity that a row names is on the list', () => {
    const known = loadAmbiguities();
    const named = rows.flatMap((row) => (row.ambiguity === undefined ? [] : [row.ambiguity]));
    expect(named.filter((one) => !known.has(one))).toEqual([]);
  });

  test('all rows that one rule decides are of one level', () => {
    const mixed = rules.filter((rule) => {
      const levels = rule.keys.map((key) => ledger.row(key)?.level).filter((level) => level !== undefined);
      return new Set(levels).size > 1;
    });
    expect(mixed.map((rule) => rule.id)).toEqual([]);
  });
});

test('rule ids are used once', () => {
  const all = rules.map((rule) => rule.id);
  expect(all.filter((id, at) => all.indexOf(id) !== at)).toEqual([]);
});
