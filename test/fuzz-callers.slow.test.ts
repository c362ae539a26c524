import { describe, expect, test } from 'vitest';
import { fuzzFaults } from '../fixtures/faults/index.js';
import { campaignOn, type Trial } from './fuzzing-callers.js';

// Campaigns on agents whose callers sign, and on those that charge: only signatures and payments, all in memory.

const faultsFor = (callers: 'sign' | 'pay') => fuzzFaults.filter((fuzzFault) => fuzzFault.callers === callers);

/** Where a fault is sought, so that no time is lost elsewhere. */
const tricks: Readonly<Record<string, string>> = {
  'fuzz-signature-header-255-crashes': 'signature-bytes',
  'fuzz-signature-r-zero-hangs': 'signature-bytes',
  'fuzz-timestamp-plus-accepted': 'signed-header',
  'fuzz-account-next-line-accepted': 'signed-header',
  'fuzz-signed-line-feed-ignored': 'signed-body',
  'fuzz-account-percent-is-internal': 'signed-header',
};

describe.each(['sign', 'pay'] as const)('callers who %s', (callers) => {
  const agent: Pick<Trial, 'profile' | 'charges'> =
    callers === 'sign' ? { profile: 'xpr' } : { profile: 'a2a-0.3', charges: true };
  test.each(faultsFor(callers))('$id is found', async ({ id, patch, seenBy }) => {
    const trick = tricks[id];
    const { findings } = await campaignOn({
      ...agent,
      patches: [patch],
      runs: 1500,
      focus: { callers, until: seenBy, ...(trick === undefined ? {} : { trick }) },
    });
    const found = findings.find(({ oracle }) => seenBy.includes(oracle));
    expect(found?.confirmed).toEqual({ times: 3, of: 3 });
    expect(found?.script).toContain('--replay');
  });
});

const clean: readonly Trial[] = [
  { profile: 'xpr', runs: 150, focus: { callers: 'sign' } },
  { profile: 'xpr-v2', runs: 100, seed: 2, focus: { callers: 'sign' } },
  { profile: 'a2a-0.3', charges: true, runs: 80, focus: { callers: 'pay' } },
  { profile: 'a2a-1.0', charges: true, runs: 40, seed: 2, focus: { callers: 'pay' } },
];

test.each(clean)('nothing is found on the plain agent of $profile', async (trial) => {
  const { findings, summary } = await campaignOn(trial);
  expect(findings.map(({ bucket }) => bucket)).toEqual([]);
  expect(summary.cases).toBe(trial.runs);
  expect(summary.cut).toBeUndefined();
});
