import { expect, test } from 'vitest';
import { faults } from '../fixtures/faults/index.js';
import { dialectById } from '../src/dialect/index.js';
import { loadLedger } from '../src/ledger/index.js';
import { mayProve, prove } from '../src/proof/index.js';
import { rules } from '../suites/index.js';

// What the newer generation of XPR agents has beyond the older one. The whole matrix of it takes as long as that of the
// older one again: `a2a-tck prove --profile xpr-v2`.

test('what only requests for one recipient can show is proven', async () => {
  const dialect = dialectById('xpr-v2');
  if (dialect === undefined) throw new Error('xpr-v2 is missing');
  const [older, newer] = [loadLedger('xpr'), loadLedger('xpr-v2')];
  const own = rules.filter(({ keys }) =>
    keys.some((key) => newer.row(key) !== undefined && newer.row(key)?.id !== older.row(key)?.id),
  );
  expect(own.length).toBeGreaterThan(5);
  const proof = await prove({
    dialect,
    rules: own,
    faults: faults.filter(
      (fault) => own.some((rule) => mayProve(fault, rule)) && (fault.profiles?.includes('xpr-v2') ?? true),
    ),
    variants: [],
    impostors: [],
  });
  expect(proof.problems).toEqual([]);
}, 120_000);
