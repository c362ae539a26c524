import { describe, expect, test } from 'vitest';
import { faults } from '../../fixtures/faults/index.js';
import { equivalenceRules } from '../../suites/equivalence/index.js';
import { dialects } from '../dialect/index.js';
import { loadLedger } from '../ledger/index.js';
import { variants } from '../reference/index.js';
import { planAll } from '../run/index.js';
import { mayProve, prove } from './index.js';

// The checks that compare interfaces, on agents with several of them.

const profiles = dialects.filter(({ id }) => /^a2a-(1\.0|0\.3)/.test(id));
const several = variants.filter(({ id }) => id.startsWith('all-bindings'));

describe.each(profiles.map((dialect) => ({ name: dialect.id, dialect })))('$name', ({ dialect }) => {
  test('each relation is killed by its faults, and holds on every conforming agent', async () => {
    const ledger = loadLedger(dialect.ledger);
    const planned = planAll(equivalenceRules, ledger);
    const own = faults.filter((fault) => planned.some(({ rule }) => mayProve(fault, rule)));
    const proof = await prove({ dialect, rules: equivalenceRules, faults: own, variants: several });
    expect(proof.problems).toEqual([]);
    expect(proof.clean.pass).toEqual([]);
    expect(own.length).toBeGreaterThan(15);
  }, 120_000);
});
