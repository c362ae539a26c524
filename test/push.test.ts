import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { faults } from '../fixtures/faults/index.js';
import { dialectById } from '../src/dialect/index.js';
import { type Report, runAgainst, type TargetOptions } from '../src/index.js';
import { createAgent, kitWebhooks, type Patch, serveAgent, variants } from '../src/reference/index.js';
import { createHttpCarrier } from '../src/wire/http.js';
import { realClock } from '../src/wire/index.js';

// Webhooks on real sockets, on both sides.

const outbound = createHttpCarrier();
afterAll(() => outbound.close());

async function judge(fault: string | undefined, options: Partial<TargetOptions> = {}): Promise<Report> {
  const found = [variants.find(({ id }) => id === 'push'), faults.find(({ id }) => id === fault)];
  const patches: readonly Patch[] = found.flatMap((item) => item?.patch ?? []);
  const dialect = dialectById('a2a-0.3');
  if (dialect === undefined) throw new Error('no dialect');
  const stops: (() => void)[] = [];
  const served = await serveAgent((baseUrl) => {
    const agent = createAgent({ dialect, clock: realClock, baseUrl, patches, outbound, webhookHosts: kitWebhooks });
    stops.push(agent.stop);
    return agent.handle;
  });
  try {
    return await runAgainst({ url: served.url, suites: ['push'], seed: 1, ...options });
  } finally {
    for (const stop of stops) stop();
    await served.close();
  }
}
const verdict = (report: Report, id: string) => report.checks.find((check) => check.id === id)?.verdict;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

test('a config whose deletion is answered with no result is gone all the same', async () => {
  const report = await judge('push-delete-answers-no-result');
  expect(verdict(report, 'push/deleted-gone')).toBe('pass');
  expect(verdict(report, 'push/delete-null')).toBe('fail');
});

test('another config in place of the one that was deleted is notified once', async () => {
  const report = await judge('push-get-shows-the-oldest');
  expect(verdict(report, 'push/get-by-id')).toBe('fail');
  expect(verdict(report, 'push/deleted-gone')).toBe('pass');
});

describe('an agent that notifies', () => {
  let report: Report;
  beforeAll(async () => {
    report = await judge(undefined);
  });

  test('passes', () => {
    const others = report.checks.filter(({ verdict: seen }) => seen !== 'pass' && seen !== 'not-applicable');
    expect(others.map(({ id, reason }) => `${id}: ${reason}`)).toEqual([
      'push/foreign-refused: give --second-bearer-env or --second-header: the check needs credentials of a second, unrelated caller',
    ]);
  });

  test('what it sent is in the report, without secrets, and is not a request of the kit', () => {
    const calls = report.exchanges.filter(({ toWebhook }) => toWebhook === true);
    expect(calls.length).toBeGreaterThan(5);
    expect(report.run.requests).toBe(report.exchanges.length - calls.length);
    expect(JSON.stringify(calls.map(({ request }) => request.headers))).not.toContain('a2a-tck-webhook');
    const shown = report.checks.find(({ id }) => id === 'push/notified')?.exchanges ?? [];
    expect(calls.some(({ id }) => shown.includes(id))).toBe(true);
  });
});

test('silence is not a failure of an agent that may not reach the kit, and is one where the user says that it can', async () => {
  const quick = { timeoutMs: 700, checks: ['push/notified', 'push/inline-notified', 'push/token-sent'] };
  const unknown = await judge('push-silent', quick);
  expect(unknown.checks.map((check) => check.verdict)).toEqual(['inconclusive', 'inconclusive', 'inconclusive']);
  expect(unknown.checks[0]?.reason).toContain('--webhook-url');
  const port = await freePort();
  const webhook = { host: '127.0.0.1', port, url: `http://127.0.0.1:${port}` };
  const assured = await judge('push-silent', { ...quick, webhook });
  expect(verdict(assured, 'push/notified')).toBe('fail');
  expect(verdict(assured, 'push/inline-notified')).toBe('fail');
});

test('no port is opened when no check needs one', async () => {
  const port = await freePort();
  const blocked = createServer().listen(port, '127.0.0.1');
  await once(blocked, 'listening');
  try {
    const webhook = { host: '127.0.0.1', port };
    expect(verdict(await judge(undefined, { webhook, checks: ['push/url-kept'] }), 'push/url-kept')).toBe('pass');
    await expect(judge(undefined, { webhook, checks: ['push/json'] })).rejects.toMatchObject({ code: 'usage' });
  } finally {
    blocked.close();
  }
});
