import { describe, expect, test } from 'vitest';
import { equivalenceRules } from '../../suites/equivalence/index.js';
import { dialects } from '../dialect/index.js';
import { loadLedger } from '../ledger/index.js';
import { faults, variants } from '../reference/index.js';
import { planAll } from '../run/index.js';
import { prove } from './index.js';

// The checks that compare interfaces, on agents with several of them.

const profiles = dialects.filter(({ id }) => /^a2a-(1\.0|0\.3)/.test(id));
const several = variants.filter(({ id }) => id.startsWith('all-bindings'));

describe.each(profiles.map((dialect) => ({ name: dialect.id, dialect })))('$name', ({ dialect }) => {
  test('each relation is killed by its faults, and holds on every conforming agent', async () => {
    const ledger = loadLedger(dialect.ledger);
    const named = new Set<string>(planAll(equivalenceRules, ledger).flatMap(({ rule }) => rule.killedBy));
    const own = faults.filter(({ id, breaks }) => named.has(id) && breaks.some((key) => ledger.row(key) !== undefined));
    const proof = await prove({ dialect, rules: equivalenceRules, faults: own, variants: several });
    expect(proof.problems).toEqual([]);
    expect(proof.clean.pass).toEqual([]);
    expect(own.length).toBeGreaterThan(15);
  }, 120_000);
});
