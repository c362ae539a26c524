import { expect, test } from 'vitest';
import { type Dialect, dialectById } from '../src/dialect/index.js';
import { proveClients } from '../src/proof/index.js';
import { clientRules } from '../suites/clients/index.js';

// Every check of clients on the reference client, its faults, odd clients and programs that are no clients, over loopback.
// `prove --clients` plays all profiles; here it is the plainest of each version.

test.each(['a2a-1.0', 'a2a-0.3'])('every check of clients of %s is proven', { timeout: 240_000 }, async (profile) => {
  const dialect = dialectById(profile) as Dialect;
  const proof = await proveClients({ dialect, rules: clientRules, once: true });
  expect(proof.problems).toEqual([]);
  expect(proof.clean.fail).toEqual([]);
});
