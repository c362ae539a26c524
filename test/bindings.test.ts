import { describe, expect, test } from 'vitest';
import { faults } from '../fixtures/faults/index.js';
import { dialectById, type ProfileId } from '../src/dialect/index.js';
import { createExpectPhase } from '../src/expect/index.js';
import { onCard } from '../src/reference/edits.js';
import { createAgent, type Patch, type Reply, together, variants } from '../src/reference/index.js';
import { rest } from '../src/reference/variants/rest.js';
import { merged, type Report } from '../src/report/index.js';
import { type RunOptions, run } from '../src/run/index.js';
import { type Carrier, CarrierFailure, openly, virtualClock } from '../src/wire/index.js';
import { plainRun } from './plain-run.js';

// Agents whose card declares other bindings than JSON-RPC, or several.

const baseUrl = 'http://agent.test';

function judge(
  profile: ProfileId,
  patches: readonly Patch[],
  url = baseUrl,
  binding: 'auto' | 'all' | 'jsonrpc' = 'auto',
  more: Partial<RunOptions> = {},
  lives = Number.POSITIVE_INFINITY,
): Promise<Report> {
  const dialect = dialectById(profile);
  if (dialect === undefined) throw new Error('no such dialect');
  const clock = virtualClock();
  const agent = createAgent({ dialect, clock, baseUrl, patches });
  let left = lives;
  const carrier: Carrier = (...args) =>
    left-- > 0 ? agent.handle(...args) : Promise.reject(new CarrierFailure('refused', 'nobody there'));
  const options = { ...plainRun, url, binding, profile: 'auto', carrier, clock, redactor: openly, ...more };
  return run(options, () => undefined).finally(() => agent.stop());
}

/** The card declares these bindings, each at a URL of its own, in the spelling of its version. */
const declares = (profile: ProfileId, ...bindings: readonly string[]): Patch =>
  onCard((card) => {
    const at = (binding: string) => (binding === 'JSONRPC' ? `${baseUrl}/` : `${baseUrl}/rest`);
    if (profile === 'a2a-1.0') {
      const supportedInterfaces = bindings.map((binding) => ({
        url: at(binding),
        protocolBinding: binding,
        protocolVersion: '1.0',
      }));
      return { ...card, supportedInterfaces };
    }
    const [main = '', ...others] = bindings;
    const additionalInterfaces = others.map((text) => ({ url: at(text), transport: text }));
    return { ...card, url: at(main), preferredTransport: main, additionalInterfaces };
  });

const own = 'https://vendor.example/bindings/websocket';

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

describe.for(['a2a-1.0', 'a2a-0.3'] as const)(
  'an agent of %s whose card declares only a binding of its own',
  (profile) => {
    test.for(Object.keys(answers))('and has %s elsewhere is judged by its card', async (name) => {
      const report = await judge(profile, [declares(profile, own), answers[name] as Patch]);
      expect(report.target.profile).toBe(profile);
      expect(failed(report)).toEqual([]);
      const [cause, ...others] = report.causes ?? [];
      expect(others).toEqual([]);
      expect(cause).toMatchObject({ id: 'binding', fact: `the card declares only ${own}` });
      expect(cause?.advice).toContain('--suite card');
      expect(report.gate).toMatchObject({ verdict: 'unproven', exitCode: 4 });
      expect(report.gate.reasons[0]).toContain(`the card declares only ${own}`);
      const open = report.checks.filter(({ verdict, suite }) => verdict === 'inconclusive' && suite !== 'card');
      expect(open.length).toBeGreaterThan(50);
      expect(open.map(({ id }) => id).filter((id) => !cause?.checks.includes(id))).toEqual([]);
      expect(
        report.checks.filter(({ verdict, suite }) => verdict === 'pass' && suite === 'card').length,
      ).toBeGreaterThan(8);
      expect(report.checks.filter(({ verdict, suite }) => verdict === 'pass' && !/card|signature/.test(suite))).toEqual(
        [],
      );
      expect(report.target.interfaces).toEqual([
        expect.objectContaining({ binding: own, declared: true, judged: 'not' }),
      ]);
      // The search, and what the checks of the card ask: nothing is sent again and again to what the kit does not speak.
      expect(report.run.requests).toBeLessThan(30);
    });

    test('and speaks JSON-RPC all the same is judged in it, and said to be', async () => {
      const report = await judge(profile, [declares(profile, own)]);
      expect(report.causes ?? []).toEqual([]);
      expect(report.target.interfaces).toEqual([
        expect.objectContaining({ url: `${baseUrl}/`, binding: 'JSONRPC', declared: false, judged: 'in-full' }),
        expect.objectContaining({ url: `${baseUrl}/rest`, binding: own, declared: true, judged: 'not' }),
      ]);
      expect(report.checks.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(50);
    });
  },
);

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
      expect.objectContaining({ binding: 'JSONRPC', judged: 'in-part', label: profile }),
    ]);
    const second = await judge(profile, patches, baseUrl, 'jsonrpc');
    expect(second.target.endpoint).toBe(`${baseUrl}/`);
    expect(second.target.profile).toBe(profile);
    expect(second.target.interfaces).toEqual([
      expect.objectContaining({ binding: 'HTTP+JSON', judged: 'not', why: expect.stringContaining('--binding all') }),
      expect.objectContaining({ binding: 'JSONRPC', judged: 'in-full' }),
    ]);
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
  const asked = exchanges
    .filter((exchange) => exchange.toWebhook !== true)
    .map(({ request }) => new URL(request.url).origin);
  expect(new Set(asked)).toEqual(new Set([url]));
});

/** The card names gRPC at this address beside JSON-RPC, or alone; it is served at the port 50051. */
const grpcAt = (address: string, isAlone: boolean): Patch =>
  together(
    () => ({ grpcServed: () => true }),
    onCard((card) => ({
      ...card,
      supportedInterfaces: [
        ...(isAlone ? [] : [{ url: `${baseUrl}/`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }]),
        { url: address, protocolBinding: 'GRPC', protocolVersion: '1.0' },
      ],
    })),
    (inner) => ({
      serveGrpc: async (request) =>
        new URL(request.url).port === '50051'
          ? inner.serveGrpc(request)
          : { status: 404, headers: [['content-type', 'text/plain']], body: 'Not found' },
    }),
  );

test.each([
  ['grpc://agent.test:50051', 'pass', ''],
  ['http://agent.test:50051/a2a', 'pass', ''],
  ['agent.test:50051', 'pass', ''],
  ['grpc://agent.test:50052', 'fail', 'no gRPC at http://agent.test:50052/'],
  // It may be the wrong guess of the kit that there is TLS.
  ['agent.test:50052', 'inconclusive', 'does not say whether the server uses TLS'],
  ['grpc://elsewhere.test:50051', 'inconclusive', 'allow http://elsewhere.test:50051 with --allow-origin'],
  ['mailto:nobody', 'inconclusive', 'is not a URL'],
])('an interface of gRPC at %s beside JSON-RPC is called at its port: %s', async (address, verdict, reason) => {
  const selection = { ...plainRun.selection, checks: ['card/interfaces-answer'] };
  const { checks } = await judge('a2a-1.0', [grpcAt(address, false)], baseUrl, 'auto', { selection });
  expect(checks.map((check) => [check.id, check.verdict])).toEqual([['card/interfaces-answer', verdict]]);
  expect(checks[0]?.reason).toContain(reason);
});

test('the only interface of an agent over gRPC is called where its card names it', async () => {
  const selection = { ...plainRun.selection, checks: ['card/endpoint-answers'] };
  const at = grpcAt('grpc://agent.test:50051', true);
  const report = await judge('a2a-1.0', [at], baseUrl, 'auto', { selection });
  expect(report.target.profile).toBe('a2a-1.0-grpc');
  expect(report.checks.map((check) => [check.id, check.verdict, check.reason])).toEqual([
    ['card/endpoint-answers', 'pass', ''],
  ]);
});

test('a card of the form of 1.0 that lists an interface of 0.3 is not a card of 0.3, and not held against the agent', async () => {
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

describe('an agent with two interfaces', () => {
  const both = (...patches: readonly Patch[]): readonly Patch[] => [
    declares('a2a-1.0', 'JSONRPC', 'HTTP+JSON'),
    rest('/rest'),
    ...patches,
  ];
  const label = 'a2a-1.0-rest';
  const ofOther = ({ checks }: Report) => checks.filter((check) => check.interface !== undefined);
  const toRest = ({ exchanges }: Report) =>
    exchanges.filter(({ request }) => request.url.startsWith(`${baseUrl}/rest`));
  const fault = faults.find((fault) => fault.id === 'rest-details-untyped')?.patch as Patch;
  const declared = (...others: readonly Readonly<Record<string, unknown>>[]): Patch =>
    onCard((card) => ({
      ...card,
      supportedInterfaces: [
        { url: `${baseUrl}/`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
        ...others.map((item) => ({
          url: `${baseUrl}/rest`,
          protocolBinding: 'HTTP+JSON',
          protocolVersion: '1.0',
          ...item,
        })),
      ],
    }));

  test('has its second one judged in part, in at most 80 requests', async () => {
    const { target, checks, run: ran, ...report } = await judge('a2a-1.0', both());
    expect(target.interfaces).toEqual([
      expect.objectContaining({ binding: 'JSONRPC', judged: 'in-full' }),
      expect.objectContaining({ binding: 'HTTP+JSON', judged: 'in-part', label }),
    ]);
    const others = ofOther({ target, checks, run: ran, ...report });
    expect(others.length).toBeGreaterThan(30);
    for (const checkResult of others)
      expect(checkResult).toMatchObject({ interface: label, id: expect.stringMatching(`@${label}$`) });
    expect(others.filter(({ verdict }) => verdict === 'fail' || verdict === 'inconclusive')).toEqual([]);
    expect(others.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(25);
    expect(new Set(checks.map(({ id }) => id)).size).toBe(checks.length);
    expect(ran.requests).toBe(report.exchanges.filter((exchange) => exchange.toWebhook !== true).length);
    expect(new Set(report.exchanges.map(({ id }) => id)).size).toBe(report.exchanges.length);
    const ids = new Set(others.flatMap(({ exchanges }) => exchanges));
    expect(ids.size).toBeLessThanOrEqual(80);
  });

  test.for([
    ['auto', 'in-part'],
    ['all', 'in-full'],
  ] as const)('fails for a defect of the second one with --binding %s', async ([binding, judged]) => {
    const report = await judge('a2a-1.0', both(fault), baseUrl, binding);
    expect(report.target.interfaces?.[1]).toMatchObject({ judged, label });
    const wrong = failed(report).filter(({ level }) => level === 'must');
    expect(wrong.map(({ id }) => id)).toContain(`rest/details-typed@${label}`);
    expect(wrong.every((checkResult) => checkResult.interface === label)).toBe(true);
    expect(report.gate).toMatchObject({ exitCode: 1 });
  });

  test('has each judged in full on demand, and the card once', async () => {
    const report = await judge('a2a-1.0', both(), baseUrl, 'all');
    expect(failed(report).filter(({ level }) => level === 'must')).toEqual([]);
    const others = ofOther(report);
    expect(others.length).toBeGreaterThan(250);
    expect(others.filter(({ id }) => /^(card|signature)\//.test(id))).toEqual([]);
  });

  test('is asked for what the user expects at each interface that is judged in full', async () => {
    const expected = { expect: createExpectPhase([{ name: 'done', prompt: 'x', contains: 'done' }]) };
    const few = { ...expected, selection: { suites: ['task'], checks: [], level: 'may' } } as const;
    const all = await judge('a2a-1.0', both(), baseUrl, 'all', few);
    expect(
      all.expectations?.map((expectation) => [expectation.name, expectation.interface, expectation.verdict]),
    ).toEqual([
      ['done', undefined, 'pass'],
      ['done', label, 'pass'],
    ]);
    const report = await judge('a2a-1.0', both(), baseUrl, 'auto', few);
    expect(report.expectations?.map((row) => row.interface)).toEqual([undefined]);
    const off = await judge('a2a-1.0', both(), baseUrl, 'all', few, 12);
    expect(off.expectations?.map((row) => [row.interface, row.verdict])).toEqual([
      [undefined, 'inconclusive'],
      [label, 'inconclusive'],
    ]);
    expect(off.gate.exitCode).not.toBe(0);
  });

  test('is called at the second one no more than the user allows in all', async () => {
    const free = await judge('a2a-1.0', both());
    const requestBudget = free.run.requests - 20;
    const { run: ran } = await judge('a2a-1.0', both(), baseUrl, 'auto', { requestBudget });
    expect(ran.requests).toBeLessThanOrEqual(requestBudget);
  });

  test('is not called at the second one where one binding is asked for', async () => {
    const report = await judge('a2a-1.0', both(fault), baseUrl, 'jsonrpc', {
      selection: { suites: ['task', 'rpc'], checks: [], level: 'may' },
    });
    expect(report.gate.exitCode).toBe(0);
    expect(toRest(report)).toEqual([]);
  });

  test('has the checks of one interface judged by their ids', async () => {
    const checks = [`rest/details-typed@${label}`];
    const report = await judge('a2a-1.0', both(fault), baseUrl, 'auto', {
      selection: { suites: [], checks, level: 'may' },
    });
    expect(report.checks.map(({ id, verdict }) => [id, verdict])).toEqual([[checks[0], 'fail']]);
    expect(report.run.skipped).toBeUndefined();
    const none = await judge('a2a-1.0', both(fault), baseUrl, 'auto', {
      selection: { suites: [], checks: ['rest/details-typed@a2a-0.3-rest'], level: 'may' },
    });
    expect(none.checks).toEqual([]);
    expect(none.gate.exitCode).toBe(4);
    expect(none.run.skipped).toEqual(['--check rest/details-typed@a2a-0.3-rest']);
  });

  test('whose second one is not there gets one report of it', async () => {
    const report = await judge('a2a-1.0', [declares('a2a-1.0', 'JSONRPC', 'HTTP+JSON')]);
    expect(report.target.interfaces?.[1]).toMatchObject({
      judged: 'not',
      why: expect.stringContaining('it does not answer in A2A 1.0 over HTTP+JSON'),
    });
    expect(ofOther(report)).toEqual([]);
    expect(failed(report).map(({ id }) => id)).toEqual(['card/interfaces-answer']);
  });

  test('is not called at another origin', async () => {
    const report = await judge('a2a-1.0', [declared({ url: 'http://elsewhere.test/rest' })]);
    expect(report.target.interfaces?.[1]).toMatchObject({
      judged: 'not',
      why: expect.stringContaining('--allow-origin'),
    });
    expect(report.exchanges.filter(({ request }) => request.url.includes('elsewhere'))).toEqual([]);
  });

  test('and many more has the first few judged', async () => {
    const names = Array.from({ length: 30 }, (_, at) => ({ tenant: `t${at}` }));
    const report = await judge('a2a-1.0', both(declared(...names)));
    const judged = report.target.interfaces?.filter((interfaceReport) => interfaceReport.judged === 'in-part') ?? [];
    expect(judged.length).toBeLessThanOrEqual(8);
    expect(new Set(judged.map((interfaceReport) => interfaceReport.label)).size).toBe(judged.length);
    expect(report.run.requests).toBeLessThan(1500);
  });

  test('is not waited for at many places where no server answers', async () => {
    const holes = Array.from({ length: 40 }, (_, at) => ({ url: `${baseUrl}/hole/${at}` }));
    const silent: Patch = (inner) => ({
      httpBases: () => [...inner.httpBases(), '/hole'],
      serveHttp: () => new Promise(() => undefined),
    });
    const limits = { timeoutMs: 1000, maxBytes: 1 << 20 };
    const selection = { suites: ['task', 'rest'], checks: [], level: 'must' as const };
    const report = await judge('a2a-1.0', [declared(...holes), silent], baseUrl, 'auto', { limits, selection });
    const [, ...others] = report.target.interfaces ?? [];
    expect(others.map((interfaceReport) => interfaceReport.judged)).toEqual(holes.map(() => 'not'));
    expect(others[0]?.why).toBe('nothing answers there: timeout');
    expect(others[39]?.why).toContain('8 other interfaces at most');
    const asked = report.exchanges.filter(({ request }) => request.url.includes('/hole/'));
    expect(asked.length).toBe(8);
    expect(new Set(asked.map(({ startedAt }) => startedAt)).size).toBe(1);
  });

  test('that names one place twice has it judged once', async () => {
    const report = await judge('a2a-1.0', both(declared({}, { url: 'http://AGENT.test:80/rest' })));
    const judged = (report.target.interfaces ?? []).map((interfaceReport) => interfaceReport.judged);
    expect(judged).toEqual(['in-full', 'in-part', 'not']);
    expect(report.target.interfaces?.[2]?.why).toBe('another entry of the card means the same');
  });

  test('is one run in parts, too: the first part has the second interface', async () => {
    const parts = await Promise.all(
      [1, 2].map((index) => judge('a2a-1.0', both(fault), baseUrl, 'auto', { shard: { index, of: 2 } })),
    );
    expect(parts.map((part) => ofOther(part).length > 0)).toEqual([true, false]);
    const whole = merged(parts);
    expect(whole.target.interfaces?.[1]).toMatchObject({ judged: 'in-part', label });
    expect(failed(whole).map(({ id }) => id)).toContain(`rest/details-typed@${label}`);
    expect(whole.gate.exitCode).toBe(1);
    expect(new Set(whole.checks.map(({ id }) => id)).size).toBe(whole.checks.length);
  });

  test('has what fails there in the baseline by its label', async () => {
    const report = await judge('a2a-1.0', both(fault));
    const ids = failed(report).flatMap(({ id, level }) => (level === 'must' ? [id] : []));
    const entries = ids.map((check) => ({ check, reason: 'known' }));
    const again = await judge('a2a-1.0', both(fault), baseUrl, 'auto', { baseline: { entries } });
    expect(again.gate.exitCode).toBe(0);
    const stale = await judge('a2a-1.0', both(), baseUrl, 'auto', { baseline: { entries } });
    expect(stale.gate.exitCode).toBe(1);
  });

  test('of two versions has each judged by its own rows', async () => {
    const both = variants.find(({ id }) => id === 'two-versions')?.patch as Patch;
    const report = await judge('a2a-1.0', [both]);
    const at = report.target.interfaces?.find((interfaceReport) => interfaceReport.version?.startsWith('0.3'));
    expect(at).toMatchObject({ judged: 'in-part', label: 'a2a-0.3' });
    expect(failed(report).filter(({ level }) => level === 'must')).toEqual([]);
    const others = ofOther(report);
    expect(others.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(15);
    expect(others.flatMap(({ requirements }) => requirements).filter((id) => !id.startsWith('A2A03-'))).toEqual([]);
  });

  test('that dies at the first has no more sent to the second one beside it', async () => {
    const report = await judge('a2a-1.0', both(), baseUrl, 'auto', {}, 60);
    expect(report.target.interfaces?.[1]).toMatchObject({ judged: 'in-part' });
    const others = ofOther(report);
    expect(others.length).toBeGreaterThan(30);
    expect(others.filter(({ verdict }) => verdict !== 'inconclusive' && verdict !== 'not-applicable')).toEqual([]);
    // The search has asked once whether it is there, and checks of the card ask too.
    expect(toRest(report).length).toBeLessThan(5);
  });
});
