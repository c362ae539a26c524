import type { ReportContext, Reporter } from '../reporters/reporter.js';
import { eventsOf } from '../reporters/reporter.js';
import { type CheckResult, type Finding, type PaymentReport, type Report, tally } from '../src/report/index.js';
import type { Exchange } from '../src/wire/exchange/exchange.js';

// Reports to render, and how.

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

export const plainCheck: CheckResult = {
  id: 'task/plain',
  suite: 'task',
  title: 'Every answer must be plain',
  level: 'must',
  requirements: ['A2A10-TASK-001'],
  section: '7.1',
  verdict: 'pass',
  reason: '',
  expected: 'be plain',
  actual: '',
  exchanges: ['x1'],
  durationMs: 12,
};

export const failedCheck = (id: string, more: Partial<CheckResult> = {}): CheckResult => ({
  ...plainCheck,
  id,
  verdict: 'fail',
  reason: `${id} is broken`,
  actual: 'HTTP 500',
  curl: 'curl http://a.test/',
  advice: 'mend it',
  ...more,
});

export const plainExchange: Exchange = {
  id: 'x1',
  purpose: 'task/plain',
  request: {
    method: 'POST',
    url: 'http://a.test/?a=1&b=2',
    headers: [
      ['Content-Type', 'application/json'],
      ['X-A', '1'],
      ['x-a', '2'],
    ],
    body: bytes('{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"text":"ü"}}'),
  },
  response: {
    status: 200,
    headers: [['content-type', 'application/json']],
    body: bytes('{"jsonrpc":"2.0","id":1,"result":{}}'),
    chunks: [],
  },
  startedAt: Date.UTC(2026, 0, 1),
  durationMs: 3.5,
};

export const plainFinding: Finding = {
  id: 'rpc-crash-1',
  oracle: 'no-server-error',
  bucket: 'no-server-error HTTP 500',
  title: 'A request with a nested list is answered with HTTP 500',
  detail: 'HTTP 500 after 3 requests',
  level: 'must',
  requirements: ['A2A10-TASK-001'],
  confirmed: { times: 3, of: 3 },
  steps: 2,
  seed: 7,
  case: 4,
  script: '#!/bin/sh\ncurl -sS http://a.test/\n',
  replay: { steps: [] },
  exchanges: ['x1'],
};

export const plainPayment: PaymentReport = {
  state: 'outstanding',
  network: 'eip155:84532',
  asset: '0xa',
  payTo: '0xb',
  amount: '10000',
  nonce: '0x01',
  expires: '2026-01-01T00:02:00.000Z',
  signature: '0x12345678…',
};

/** One check of each kind. */
export const allKinds: readonly CheckResult[] = [
  plainCheck,
  failedCheck('task/must'),
  failedCheck('task/should', { level: 'should' }),
  failedCheck('task/may', { level: 'may', verdict: 'not-offered' }),
  failedCheck('task/known', { baseline: 'known' }),
  failedCheck('task/expired', { baseline: 'expired' }),
  { ...plainCheck, id: 'task/stale', baseline: 'stale', reason: 'listed in the baseline, but it passes now' },
  { ...plainCheck, id: 'card/open', suite: 'card', verdict: 'inconclusive', reason: 'no task could be had' },
  { ...plainCheck, id: 'card/none', suite: 'card', verdict: 'not-applicable', reason: 'not declared' },
  { ...plainCheck, id: 'card/odd', suite: 'card', verdict: 'error', reason: 'TypeError' },
];

export function reportOf(checks: readonly CheckResult[], more: Partial<Report> = {}): Report {
  return {
    kit: { name: 'a2a-tck', version: '0.0.0' },
    target: {
      url: 'http://a.test',
      endpoint: 'http://a.test/',
      cardUrl: 'http://a.test/.well-known/agent-card.json',
      profile: 'a2a-1.0',
      agent: { name: 'Agent', version: '1' },
      detection: ['GET http://a.test/: an agent card'],
      extensions: [],
    },
    run: { startedAt: '2026-01-01T00:00:00.000Z', durationMs: 100, seed: 7, requests: 1, tasks: 0 },
    gate: { passed: false, exitCode: 1, reasons: ['1 MUST check failed'] },
    summary: tally(checks),
    checks,
    findings: [],
    exchanges: [plainExchange],
    ...more,
  };
}

export const reportContext: ReportContext = {
  colour: false,
  live: false,
  verbose: false,
  strict: false,
  sentence: (_, id) => ({
    section: '7.1 Tasks',
    statement: `${id} says so.`,
    url: 'https://spec.test/v1/#71-tasks',
  }),
};

export function renderBy(reporter: Reporter, report: Report, more: Partial<ReportContext> = {}): string {
  const rendering = reporter.begin({ ...reportContext, ...more });
  return eventsOf(report)
    .map((event) => rendering.on(event))
    .map((added) => (typeof added === 'string' ? added : [...added].join('')))
    .join('');
}

/**
 * What no report may bring along: controls but for line feeds and tabs, format characters, lone surrogates, line
 * separators.
 */
export const unseen = (text: string): readonly string[] =>
  [...new Set(text.match(/[^\P{Cc}\n\t]|[\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu))].map((text) => JSON.stringify(text));
