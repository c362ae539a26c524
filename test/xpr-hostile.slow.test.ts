import { describe, expect, test } from 'vitest';
import { createChain, residentKey, residents, xprAgent } from '../packs/xpr/agent/index.js';
import { signingBy } from '../packs/xpr/run/prepare.js';
import { headerNames } from '../packs/xpr/signing/index.js';
import { dialectById } from '../src/dialect/index.js';
import { createAgent } from '../src/reference/index.js';
import type { Report } from '../src/report/index.js';
import { type RunOptions, run } from '../src/run/index.js';
import {
  type Carrier,
  CarrierFailure,
  type Clock,
  type Header,
  header,
  memoryWebhooks,
  sleep,
  virtualClock,
  type WireResponse,
} from '../src/wire/index.js';
import { rules } from '../suites/index.js';

// Agents that behave until a request is signed, and mean harm then: a run must end, in time, and with a verdict.

const url = 'http://agent.test';
const dialect = dialectById('xpr') ?? expect.fail('no dialect');
const limits = { timeoutMs: 1000, maxBytes: 1 << 20 };

/** The answer to a signed request; undefined: the reference agent answers. */
type Harm = (clock: Clock, count: number, agent: () => Promise<WireResponse>) => Promise<WireResponse>;

async function judge(
  harm: Harm,
  more: Partial<RunOptions> = {},
  isDead = (): boolean => false,
): Promise<{ report: Report; signed: number }> {
  const clock = virtualClock();
  const chain = createChain({ clock });
  await residents(chain.control);
  const agent = createAgent({
    dialect,
    clock,
    baseUrl: url,
    part: xprAgent(dialect, { chain: { url: 'http://chain.test', carrier: chain.handle } }),
  });
  let signed = 0;
  const carrier: Carrier = (request, signal) => {
    if (isDead()) return new Promise(() => undefined);
    const answer = () => agent.handle(request, signal);
    if (header(request.headers, headerNames.signature) === undefined) return answer();
    return harm(clock, signed++, answer);
  };
  const report = await run(
    {
      url,
      profile: 'xpr',
      rules,
      selection: { suites: [], checks: [], level: 'may' },
      carrier,
      rawSocket: false,
      clock,
      seed: 1,
      limits,
      concurrency: 8,
      readOnly: false,
      credentials: [],
      signing: signingBy({
        first: { account: 'alice', key: residentKey('alice') },
        second: { account: 'bob', key: residentKey('bob') },
        digest: 'auto',
        allowSend: true,
        slow: false,
        rate: 20,
      }),
      secrets: [],
      allowedOrigins: [],
      behaviours: {},
      webhooks: memoryWebhooks('http://127.0.0.1:48080').open,
      strict: false,
      kit: { name: 'a2a-tck', version: 'test' },
      ...more,
    },
    () => undefined,
  );
  agent.stop();
  return { report, signed };
}

const block = new Uint8Array(64 * 1024).fill(0x20);
async function* endless(clock: Clock, pause: number): AsyncGenerator<Uint8Array> {
  for (;;) {
    await sleep(clock, pause);
    yield block;
  }
}
async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}
const json: Header = ['content-type', 'application/json'];
const limited = (headers: readonly Header[]): Harm => {
  const body = '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Rate limit exceeded"}}';
  return async () => ({ status: 429, headers: [json, ...headers], body: bytes(body) });
};
const dated =
  (date: string): Harm =>
  async (_, __, agent) => {
    const response = await agent();
    return { ...response, headers: [...response.headers, ['date', date]] };
  };

const harms: readonly (readonly [about: string, harm: Harm])[] = [
  ['never answers', () => new Promise(() => undefined)],
  ['drops the connection', () => Promise.reject(new CarrierFailure('reset', 'gone'))],
  ['sends blanks for ever', async (clock) => ({ status: 200, headers: [json], body: endless(clock, 1) })],
  ['sends a byte now and then', async (clock) => ({ status: 200, headers: [json], body: endless(clock, 900) })],
  [
    'streams for ever',
    async (clock) => ({ status: 200, headers: [['content-type', 'text/event-stream']], body: endless(clock, 50) }),
  ],
  [
    'sends a deep answer',
    async () => ({ status: 200, headers: [json], body: bytes(`{"result":${'['.repeat(100_000)}`) }),
  ],
  ['limits for ever', limited([])],
  ['limits, and asks to wait for a year', limited([['retry-after', '31536000']])],
  ['limits, and asks not to wait', limited([['retry-after', '0']])],
  ['limits, and asks for nonsense', limited([['retry-after', '-1e999']])],
  [
    'limits every second request',
    (clock, count, agent) => (count % 2 === 0 ? limited([])(clock, count, agent) : agent()),
  ],
  ['says 401 without a word', async () => ({ status: 401, headers: [], body: bytes('') })],
  ['lives in the year 9999', dated('Fri, 31 Dec 9999 23:59:59 GMT')],
  ['lives in 1970', dated('Thu, 01 Jan 1970 00:00:00 GMT')],
  ['knows no date', dated('\u0000\ud800 never')],
];

describe.each(harms)('an agent that %s once a request is signed', (_, harm) => {
  test('is judged, and the run ends', { timeout: 60_000 }, async () => {
    const { report, signed } = await judge(harm);
    expect(report.checks.filter(({ verdict }) => verdict === 'error')).toEqual([]);
    expect([0, 1, 4]).toContain(report.gate.exitCode);
    expect(signed).toBeGreaterThan(0);
    expect(report.run.requests).toBeLessThan(2000);
    // Twenty signed requests a minute are the pace of the kit itself: an honest agent takes a quarter of an hour. Each
    // refusal comes again, and the kit waits once more for each minute in which the limit did not show.
    expect(report.run.durationMs).toBeLessThan(30 * 60_000);
  });
});

test('once the budget is spent no call waits for a turn', async () => {
  const { report, signed } = await judge((_, __, agent) => agent(), { requestBudget: 30 });
  expect(report.run.cut).toContain('budget');
  expect(signed).toBeLessThanOrEqual(30);
  expect(report.run.durationMs).toBeLessThan(3 * 60_000);
});

test('once the agent is gone no call waits for a turn', async () => {
  let count = 0;
  const { report } = await judge(
    (_, signed, agent) => {
      count = signed;
      return agent();
    },
    {},
    () => count >= 40,
  );
  expect(report.run.cut).toContain('no longer answers');
  expect(report.run.durationMs).toBeLessThan(5 * 60_000);
});
