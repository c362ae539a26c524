import { expect, test } from 'vitest';
import { type Dialect, dialectById } from '../../src/dialect/index.js';
import { prove } from '../../src/proof/index.js';
import { rules } from '../../suites/index.js';
import { x402Variants } from './agent/index.js';

const paid = rules.filter(({ id }) => id === 'x402/paid');
const dialect = (id: string): Dialect => {
  const found = dialectById(id);
  if (found === undefined) throw new Error(`no dialect ${id}`);
  return found;
};

test.for(['a2a-0.3', 'a2a-1.0'])('checks of payments are proven on agents that charge, over %s', async (id) => {
  const proof = await prove({ dialect: dialect(id), rules: paid, charges: true, impostors: [] });
  expect(proof.problems).toEqual([]);
  expect(proof.profile).toBe(`${id}-x402`);
  expect(proof.clean.pass).toEqual(['x402/paid']);
  expect(proof.variants.map((variant) => variant.id)).toEqual(x402Variants.map((variant) => variant.id));
  expect(proof.faults.map((fault) => fault.id)).toEqual(['x402-right-payments-refused', 'x402-never-settled']);
});

test('elsewhere nothing is charged, and no check of payments is there', async () => {
  const some = rules.filter(({ id }) => id === 'x402/paid' || id === 'card/published');
  const proof = await prove({ dialect: dialect('a2a-1.0'), rules: some, faults: [], impostors: [] });
  expect(proof.checks.map(({ id }) => id)).toEqual(['card/published']);
  expect(proof.variants.filter(({ id }) => id.startsWith('x402-'))).toEqual([]);
});
