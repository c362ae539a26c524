import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { runAgainst } from '../src/index.js';
import { proofPercent, type Report } from '../src/run/index.js';
import { startSdkAgent } from './peers/sdk-0.3-agent.js';

// The whole kit on a real agent: @a2a-js/sdk 0.3.x on Express. Every failure was looked into against the sentence and is
// recorded in docs/targets.md; one that is not recorded there is either a new defect or a wrong failure.

let report: Report;

beforeAll(async () => {
  const agent = await startSdkAgent();
  report = await runAgainst({ url: agent.url, seed: 1, timeoutMs: 5000 });
  await agent.close();
}, 60_000);

const withVerdict = (verdict: string) =>
  report.checks
    .filter((check) => check.verdict === verdict)
    .map((check) => check.id)
    .sort();

test('it is found to speak 0.3, and all checks are judged', () => {
  expect(report.target.profile).toBe('a2a-0.3');
  expect(withVerdict('error')).toEqual([]);
  expect(report.checks.length).toBeGreaterThan(200);
});

test('what fails is what docs/targets.md records, each with its sentence', () => {
  const text = readFileSync(join(import.meta.dirname, '../docs/targets.md'), 'utf8');
  const section = text.split('## @a2a-js/sdk 0.3.14')[1]?.split('\n## ')[0] ?? '';
  const recorded = [...section.matchAll(/^\| `([a-z]+\/[a-z-]+)`/gm)].map(([, id]) => id);
  expect(withVerdict('fail')).toEqual(recorded.sort());
});

test('nearly all that applies was shown either way, without a hook in the agent', () => {
  expect(proofPercent(report.checks)).toBeGreaterThanOrEqual(95);
  expect(report.run.requests).toBeLessThanOrEqual(250);
});
