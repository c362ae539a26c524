import { describe, expect, test } from 'vitest';
import { dialectById, type ProfileId } from '../src/dialect/index.js';
import { onCard } from '../src/reference/edits.js';
import { createAgent, type Patch, type Reply, together, variants } from '../src/reference/index.js';
import { rest } from '../src/reference/variants/rest.js';
import type { Report } from '../src/report/index.js';
import { run } from '../src/run/index.js';
import { openly, virtualClock } from '../src/wire/index.js';
import { plainRun } from './plain-run.js';

// Agents whose card declares other bindings than JSON-RPC, or several.

const baseUrl = 'http://agent.test';

function judge(
  profile: ProfileId,
  patches: readonly Patch[],
  url = baseUrl,
  binding: 'auto' | 'jsonrpc' = 'auto',
): Promise<Report> {
  const dialect = dialectById(profile);
  if (dialect === undefined) throw new Error('no such dialect');
  const clock = virtualClock();
  const agent = createAgent({ dialect, clock, baseUrl, patches });
  const options = { ...plainRun, url, binding, profile: 'auto', carrier: agent.handle, clock, redactor: openly };
  return run(options, () => undefined).finally(() => agent.stop());
}

/** The card declares these bindings, each at a URL of its own, in the spelling of its version. */
const declares = (profile: ProfileId, ...bindings: readonly string[]): Patch =>
  onCard((card) => {
    const at = (binding: string) => (binding === 'JSONRPC' ? `${baseUrl}/` : `${baseUrl}/rest`);
    if (profile === 'a2a-1.0') {
      const supportedInterfaces = bindings.map((one) => ({
        url: at(one),
        protocolBinding: one,
        protocolVersion: '1.0',
      }));
      return { ...card, supportedInterfaces };
    }
    const [main = '', ...others] = bindings;
    const additionalInterfaces = others.map((one) => ({ url: at(one), transport: one }));
    return { ...card, url: at(main), preferredTransport: main, additionalInterfaces };
  });

/** What stands where JSON-RPC might be. */
const endpoint =
  (status: number, type: string, body: string): Patch =>
  () => ({ serveRpc: (): Promise<Reply> => Promise.resolve({ status, headers: [['content-type', type]], body }) });
const json = 'application/json';
const answers: Readonly<Record<string, Patch>> = {
  nothing: endpoint(404, 'text/plain', 'Not found'),
  'a page': endpoint(200, 'text/html', '<!doctype html><title>Weather</title>'),
  'an error of HTTP+JSON': endpoint(
    404,
    json,
    JSON.stringify({ error: { code: 404, status: 'NOT_FOUND', message: 'No such resource', details: [] } }),
  ),
  'JSON-RPC of another protocol': endpoint(
    200,
    json,
    JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32601, message: 'Method not found' } }),
  ),
  'a demand for credentials': endpoint(401, json, '{"error":"unauthorized"}'),
};

const failed = ({ checks }: Report) => checks.filter(({ verdict }) => verdict === 'fail' || verdict === 'error');

describe.for(['a2a-1.0', 'a2a-0.3'] as const)('an agent of %s whose card declares only GRPC', (profile) => {
  test.for(Object.keys(answers))('and has %s elsewhere is judged by its card', async (name) => {
    const report = await judge(profile, [declares(profile, 'GRPC'), answers[name] as Patch]);
    expect(report.target.profile).toBe(profile);
    expect(failed(report)).toEqual([]);
    const [cause, ...others] = report.causes ?? [];
    expect(others).toEqual([]);
    expect(cause).toMatchObject({ id: 'binding', fact: 'the card declares only GRPC' });
    expect(cause?.advice).toContain('--suite card');
    expect(report.gate).toMatchObject({ verdict: 'unproven', exitCode: 4 });
    expect(report.gate.reasons[0]).toContain('the card declares only GRPC');
    const open = report.checks.filter(({ verdict, suite }) => verdict === 'inconclusive' && suite !== 'card');
    expect(open.length).toBeGreaterThan(50);
    expect(open.map(({ id }) => id).filter((id) => !cause?.checks.includes(id))).toEqual([]);
    expect(report.checks.filter(({ verdict, suite }) => verdict === 'pass' && suite === 'card').length).toBeGreaterThan(
      8,
    );
    expect(report.checks.filter(({ verdict, suite }) => verdict === 'pass' && !/card|signature/.test(suite))).toEqual(
      [],
    );
    expect(report.target.interfaces).toEqual([
      expect.objectContaining({ binding: 'GRPC', declared: true, judged: 'not' }),
    ]);
    // The search, and what the checks of the card ask: nothing is sent again and again to what the kit does not speak.
    expect(report.run.requests).toBeLessThan(30);
  });

  test('and speaks JSON-RPC all the same is judged in it, and said to be', async () => {
    const report = await judge(profile, [declares(profile, 'GRPC')]);
    expect(report.causes ?? []).toEqual([]);
    expect(report.target.interfaces).toEqual([
      expect.objectContaining({ url: `${baseUrl}/`, binding: 'JSONRPC', declared: false, judged: 'in-full' }),
      expect.objectContaining({ url: `${baseUrl}/rest`, binding: 'GRPC', declared: true, judged: 'not' }),
    ]);
    expect(report.checks.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(50);
  });
});

describe.for(['a2a-1.0', 'a2a-0.3'] as const)('an agent of %s whose card declares HTTP+JSON', (profile) => {
  test('alone is judged over it, without naming a profile', async () => {
    const report = await judge(profile, [declares(profile, 'HTTP+JSON'), rest('/rest'), answers['nothing'] as Patch]);
    expect(report.target.profile).toBe(`${profile}-rest`);
    expect(report.target.endpoint).toBe(`${baseUrl}/rest`);
    expect(report.target.interfaces).toEqual([
      expect.objectContaining({ url: `${baseUrl}/rest`, binding: 'HTTP+JSON', declared: true, judged: 'in-full' }),
    ]);
  });

  test('alone, where it is not, fails for that', async () => {
    const report = await judge(profile, [declares(profile, 'HTTP+JSON')]);
    expect(report.target.profile).toBe(`${profile}-rest`);
    expect(report.gate.exitCode).not.toBe(0);
  });

  test('before JSON-RPC is judged over HTTP+JSON, and over JSON-RPC on demand', async () => {
    const patches = [declares(profile, 'HTTP+JSON', 'JSONRPC'), rest('/rest')];
    const first = await judge(profile, patches);
    expect(first.target.endpoint).toBe(`${baseUrl}/rest`);
    expect(failed(first).filter(({ level }) => level === 'must')).toEqual([]);
    expect(first.target.interfaces).toEqual([
      expect.objectContaining({ binding: 'HTTP+JSON', declared: true, judged: 'in-full' }),
      expect.objectContaining({
        binding: 'JSONRPC',
        judged: 'not',
        why: 'a run judges one binding; --binding jsonrpc judges this one',
      }),
    ]);
    const second = await judge(profile, patches, baseUrl, 'jsonrpc');
    expect(second.target.endpoint).toBe(`${baseUrl}/`);
    expect(second.target.profile).toBe(profile);
    expect(failed(second).filter(({ level }) => level === 'must')).toEqual([]);
  });

  test('after JSON-RPC is judged over JSON-RPC', async () => {
    const report = await judge(profile, [declares(profile, 'JSONRPC', 'HTTP+JSON'), rest('/rest')]);
    expect(report.target.endpoint).toBe(`${baseUrl}/`);
    expect(report.target.profile).toBe(profile);
  });
});

test('nothing else is claimed of an agent of its own bindings: faults of the card still fail', async () => {
  const spoiled = onCard(({ description: _, ...card }) => card);
  const report = await judge('a2a-1.0', [together(declares('a2a-1.0', 'GRPC'), spoiled), answers['nothing'] as Patch]);
  expect(failed(report).map(({ id }) => id)).toContain('card/description');
});

test('the interfaces of a card that names localhost are asked where the agent is reached', async () => {
  const found = variants.find(({ id }) => id === 'card-names-localhost');
  const url = 'http://127.0.0.1:4000';
  const { checks, exchanges } = await judge('a2a-0.3', [found?.patch as Patch], url);
  const verdicts = checks
    .filter(({ id }) => id === 'card/endpoint-answers' || id === 'card/interfaces-answer')
    .map(({ verdict }) => verdict);
  expect(verdicts).toEqual(['pass', 'pass']);
  const asked = exchanges.filter((one) => one.toWebhook !== true).map(({ request }) => new URL(request.url).origin);
  expect(new Set(asked)).toEqual(new Set([url]));
});

test('a card of the form of 1.0 that lists an interface of 0.3 is no card of 0.3, and not held against the agent', async () => {
  const form = onCard(({ protocolVersion: _, url, preferredTransport: __, ...card }) => ({
    ...card,
    supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '0.3' }],
  }));
  const report = await judge('a2a-0.3', [form]);
  expect(report.target.profile).toBe('a2a-0.3');
  expect(failed(report)).toEqual([]);
  const open = report.checks.filter(({ reason }) => reason.includes('judge it with --profile a2a-1.0 --suite card'));
  expect(open.map(({ id }) => id)).toContain('card/protocol-version');
});
