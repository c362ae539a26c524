import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { runAgainst } from '../src/index.js';
import { proofOfReport, type Report } from '../src/report/index.js';
import { startSdk02Agent } from './peers/sdk-0.2-agent.js';
import { startSdkAgent, startSdkGrpcAgentWithCard, startSdkRestAgent } from './peers/sdk-0.3-agent.js';
import {
  startSdk1Agent,
  startSdk1AgentOverAll,
  startSdk1CompatAgent,
  startSdk1GrpcAgentWithCard,
  startSdk1RestAgent,
} from './peers/sdk-1-agent.js';
import { recordedOf } from './recorded.js';

// The whole kit on real agents: @a2a-js/sdk 0.2.x, 0.3.x and 1.x on Express, and on gRPC with their card on Express, with
// streaming and push notifications.
// Every failure was looked into against the sentence and is recorded in docs/targets.md; one that is not recorded there
// is either a new defect or a wrong failure.

// The SDKs print each refusal.
beforeAll(() => {
  for (const level of ['error', 'warn', 'info'] as const) vi.spyOn(console, level).mockImplementation(() => undefined);
});
afterAll(() => vi.restoreAllMocks());

const withVerdict = (report: Report, verdict: string): readonly string[] =>
  report.checks
    .filter((check) => check.verdict === verdict)
    .map((check) => check.id)
    .sort();

describe.each([
  // It refuses answers to its own questions, so that their results do not show.
  { name: '@a2a-js/sdk 0.2.5', profile: 'a2a-0.2', start: startSdk02Agent, shown: 94 },
  { name: '@a2a-js/sdk 0.3.14', profile: 'a2a-0.3', start: startSdkAgent, shown: 98 },
  { name: '@a2a-js/sdk 1.3.0', profile: 'a2a-1.0', start: startSdk1Agent, shown: 97 },
  { name: '@a2a-js/sdk 0.3.14 over HTTP+JSON', profile: 'a2a-0.3-rest', start: startSdkRestAgent, shown: 98 },
  { name: '@a2a-js/sdk 1.3.0 over HTTP+JSON', profile: 'a2a-1.0-rest', start: startSdk1RestAgent, shown: 97 },
  { name: '@a2a-js/sdk 0.3.14 over gRPC', profile: 'a2a-0.3-grpc', start: startSdkGrpcAgentWithCard, shown: 99 },
  { name: '@a2a-js/sdk 1.3.0 over gRPC', profile: 'a2a-1.0-grpc', start: startSdk1GrpcAgentWithCard, shown: 97 },
  // Its compatibility mode, asked as a client of 0.3 asks.
  { name: '@a2a-js/sdk 1.3.0 as 0.3', profile: 'a2a-0.3', start: startSdk1CompatAgent, chosen: 'a2a-0.3', shown: 97 },
])('$name', ({ name, profile, start, chosen, shown }) => {
  let report: Report;

  beforeAll(async () => {
    const agent = await start();
    report = await runAgainst({ url: agent.url, profile: chosen ?? 'auto', seed: 1, timeoutMs: 5000 });
    await agent.close();
  }, 60_000);

  test(`it is found to speak ${profile}, and all checks are judged`, () => {
    expect(report.target.profile).toBe(profile);
    expect(withVerdict(report, 'error')).toEqual([]);
    expect(report.checks.length).toBeGreaterThan(200);
  });

  test('what fails is what docs/targets.md records, each with its sentence', () => {
    expect(withVerdict(report, 'fail')).toEqual(recordedOf(name));
  });

  test('nearly all that applies was shown either way, without a hook in the agent', () => {
    expect(proofOfReport(report).percent).toBeGreaterThanOrEqual(shown);
    expect(report.run.requests).toBeLessThanOrEqual(427);
  });
});

describe('@a2a-js/sdk 1.3.0 over JSON-RPC, HTTP+JSON and gRPC', () => {
  const name = '@a2a-js/sdk 1.3.0';
  const others = [
    ['rest', recordedOf(`${name} over HTTP+JSON`)],
    ['grpc', recordedOf(`${name} over gRPC`)],
  ] as const;
  const between = recordedOf(`${name} over JSON-RPC, HTTP+JSON and gRPC`);

  test.each([
    // The other interfaces are judged by what their binding alone has.
    { binding: 'auto', isJudged: (id: string, suite: string) => id.startsWith(`${suite}/`) },
    { binding: 'all', isJudged: () => true },
  ] as const)(
    'with --binding $binding: what fails is what each interface alone fails, and what is recorded of them together',
    async ({ binding, isJudged }) => {
      const agent = await startSdk1AgentOverAll();
      const report = await runAgainst({ url: agent.url, binding, seed: 1, timeoutMs: 5000 });
      await agent.close();
      const elsewhere = others.flatMap(([suite, ids]) =>
        ids.filter((id) => isJudged(id, suite)).map((id) => `${id}@a2a-1.0-${suite}`),
      );
      expect(withVerdict(report, 'error')).toEqual([]);
      expect(withVerdict(report, 'fail')).toEqual([...recordedOf(name), ...between, ...elsewhere].sort());
      const relations = report.checks.filter(({ suite }) => suite === 'equivalence');
      expect(relations.filter(({ verdict }) => verdict === 'inconclusive')).toEqual([]);
      expect(relations.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(30);
    },
    120_000,
  );
});
