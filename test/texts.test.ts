import { expect, test } from 'vitest';
import { faults } from '../fixtures/faults/index.js';
import { type Patch, variants } from '../src/reference/index.js';
import { judge } from './judged.js';

const variant = (id: string): Patch => variants.find((variant) => variant.id === id)?.patch ?? (() => ({}));
const fault = (id: string): Patch => faults.find((fault) => fault.id === id)?.patch ?? (() => ({}));

/** What 1.0.1 says of the details of errors, and what shows which text an agent follows. */
const checks = ['rpc/error-details-*', 'rpc/bad-request-details', 'rpc/invalid-params'];
const reported = ['push/json', 'push/notified-completed', 'task/get-unknown-code'];

async function verdicts(patches: readonly Patch[], more: readonly string[]): Promise<Record<string, string>> {
  const { checks: results } = await judge({ profile: 'a2a-1.0', checks: [...checks, ...more], patches });
  return Object.fromEntries(results.filter(({ suite }) => suite === 'rpc').map(({ id, verdict }) => [id, verdict]));
}

test('an agent that is seen to follow 1.0.0 is not held against what 1.0.1 brought', async () => {
  const seen = await verdicts([variant('follows-1-0-0'), variant('push-retries')], reported);
  expect(seen['rpc/bad-request-details']).toBe('not-applicable');
  expect(seen['rpc/error-details-array']).toBe('not-applicable');
  expect(seen['rpc/error-details-google']).toBe('not-applicable');
  // Both texts want a type in each detail.
  expect(seen['rpc/error-details-typed']).toBe('pass');
});

test.for(['err-without-bad-request', 'err-details-as-object'])('an agent of 1.0.1 is, with %s', async (id) => {
  const seen = await verdicts([fault(id), variant('push-retries')], reported);
  expect(Object.values(seen)).toContain('fail');
});

test('where nothing shows which text it is, the latest counts', async () => {
  const seen = await verdicts([fault('err-without-bad-request')], []);
  expect(seen['rpc/bad-request-details']).toBe('fail');
});

test('errors as the example of 1.0.0 has them show that text, where no notification does', async () => {
  const seen = await verdicts([variant('follows-1-0-0')], ['task/get-unknown-code']);
  expect(seen['rpc/error-details-array']).toBe('not-applicable');
});
