import { expect, test } from 'vitest';
import { charging } from '../packs/options.js';
import { a2a03 } from '../src/dialect/a2a-0.3.js';
import { createAgent } from '../src/reference/index.js';
import type { Report } from '../src/report/index.js';
import { run } from '../src/run/index.js';
import { openly, virtualClock } from '../src/wire/index.js';
import { plainRun } from './plain-run.js';

// What is chosen of an agent whose version has only a part of it, or nothing.

function judge(suites: readonly string[], minProof?: number): Promise<Report> {
  const clock = virtualClock();
  const baseUrl = 'http://agent.test';
  const agent = createAgent({ dialect: a2a03, clock, baseUrl });
  const selection = { suites, checks: [], level: 'may' as const };
  const stated = {
    ...plainRun,
    onRequest: [charging],
    selection,
    url: baseUrl,
    profile: 'auto',
    carrier: agent.handle,
    clock,
    redactor: openly,
  };
  return run({ ...stated, ...(minProof === undefined ? {} : { minProof }) }, () => undefined).finally(() =>
    agent.stop(),
  );
}

test('a suite that the version lacks is skipped, and said to be', async () => {
  const { checks, run, gate } = await judge(['card', 'signature']);
  expect(new Set(checks.map(({ suite }) => suite))).toEqual(new Set(['card']));
  expect(run.skipped).toEqual(['--suite signature']);
  expect(gate).toMatchObject({ verdict: 'passed', exitCode: 0 });
});

test.for([undefined, 0])('where all of it is skipped nothing has passed (--min-proof %s)', async (minProof) => {
  const { checks, gate, causes } = await judge(['signature', 'x402'], minProof);
  expect(checks).toEqual([]);
  expect(gate).toMatchObject({ verdict: 'unproven', exitCode: 4 });
  expect(gate.reasons[0]).toContain('a2a-0.3 has no check of --suite signature, --suite x402');
  expect(gate.reasons[0]).toContain('--x402');
  expect(causes?.map(({ id }) => id)).toEqual(['selection']);
});

test('a name that exists nowhere is a usage error', async () => {
  await expect(judge(['card', 'crad'])).rejects.toMatchObject({ code: 'usage' });
});
