import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { rules } from '../../suites/index.js';
import { loadAmbiguities } from './ambiguities.js';
import { inText, isIn, loadLedger } from './requirements.js';

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
    // Rows of one binding may say the sentence of a general row again.
    const general = rows.filter(({ binding }) => binding !== 'http+json' && binding !== 'grpc');
    expect(twice(general.map((row) => row.key))).toEqual([]);
  });

  test('every row says where it stands, how it is seen, and what it needs', () => {
    for (const row of rows) {
      expect(row.statement, row.id).not.toBe('');
      expect(row.observe, row.id).not.toBe('');
      expect(row.section, row.id).not.toBe('');
      for (const need of row.needs) expect(vocabulary, row.id).toHaveProperty([need]);
    }
  });

  test('a row of which any outcome is information stays information', () => {
    const informs = rows.filter(({ observe }) => /: information\.$/.test(observe));
    expect(informs.filter(({ level }) => level !== 'may').map((row) => row.id)).toEqual([]);
  });

  test('every ambiguity that a row names is on the list', () => {
    const known = loadAmbiguities();
    const named = rows.flatMap((row) => (row.ambiguity === undefined ? [] : [row.ambiguity]));
    expect(named.filter((text) => !known.has(text))).toEqual([]);
  });

  test('what only some texts of a version have is decided by laws, which are judged when the text is known', () => {
    const later = rows.filter(({ since }) => since !== undefined).map(({ key }) => key);
    const early = rules.filter((rule) => rule.kind === 'check' && rule.keys.some((key) => later.includes(key)));
    expect(early.map((rule) => rule.id)).toEqual([]);
  });

  test('all rows that one rule decides are of one level', () => {
    const mixed = rules.filter((rule) => {
      const levels = rule.keys.flatMap((key) => ledger.rowsOf(key).map(({ level }) => level));
      return new Set(levels).size > 1;
    });
    expect(mixed.map((rule) => rule.id)).toEqual([]);
  });
});

test('a sentence is in its text and in later ones; the latest counts where the text is unknown', () => {
  const item = { since: '1.0.2' };
  expect(['1.0.1', '1.0.2', '1.0.10', undefined].map((text) => isIn(item, text))).toEqual([false, true, true, true]);
  expect([undefined, '1.0.0'].map((text) => isIn({ since: undefined }, text))).toEqual([true, true]);
});

test('a ledger of one text has the rows of that text', () => {
  const ledger = loadLedger('a2a-1.0');
  expect(inText(ledger, '1.0.1').row('err.bad-request')).toBeDefined();
  expect(inText(ledger, '1.0.0').row('err.bad-request')).toBeUndefined();
  expect(inText(ledger, undefined).row('err.bad-request')).toBeDefined();
  expect(inText(ledger, '1.0.0').row('err.error-info')).toBeDefined();
});

test('rule ids are used once', () => {
  const all = rules.map((rule) => rule.id);
  expect(all.filter((id, at) => all.indexOf(id) !== at)).toEqual([]);
});
