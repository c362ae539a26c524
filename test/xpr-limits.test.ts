import { describe, expect, test } from 'vitest';
import { createChain, residentKey, residents, xprAgent } from '../packs/xpr/agent/index.js';
import { setting } from '../packs/xpr/agent/patches.js';
import { signingBy } from '../packs/xpr/run/prepare.js';
import { dialectById } from '../src/dialect/index.js';
import { createAgent } from '../src/reference/index.js';
import { run } from '../src/run/index.js';
import { memoryWebhooks, virtualClock } from '../src/wire/index.js';
import { rules } from '../suites/index.js';
import { plainRun } from './plain-run.js';

// A limit is a setting: the kit holds none against an agent that the user did not state, whatever it is.

const url = 'http://agent.test';
const dialect = dialectById('xpr') ?? expect.fail('no dialect');

/** Verdicts of the checks of limits, by name, of an agent with this limit. */
async function verdicts(rateLimit: number, rate: number | undefined) {
  const clock = virtualClock();
  const chain = createChain({ clock });
  await residents(chain.control);
  const agent = createAgent({
    dialect,
    clock,
    baseUrl: url,
    patches: [setting({ rateLimit })],
    part: xprAgent(dialect, { chain: { url: 'http://chain.test', carrier: chain.handle } }),
  });
  const caller = (account: string) => ({ account, key: residentKey(account) });
  const report = await run(
    {
      ...plainRun,
      url,
      profile: 'xpr',
      rules: rules.filter(({ id }) => id.startsWith('xpr/rate-')),
      carrier: (request, signal) => agent.handle(request, signal),
      clock,
      signing: signingBy({
        first: caller('alice'),
        second: caller('bob'),
        digest: 'v1',
        allowSend: true,
        slow: true,
        ...(rate === undefined ? {} : { rate }),
      }),
      webhooks: memoryWebhooks('http://127.0.0.1:48080').open,
    },
    () => undefined,
  );
  agent.stop();
  const { checks, exchanges } = report;
  return { sent: exchanges.length, ...Object.fromEntries(checks.map(({ id, verdict }) => [id.slice(4), verdict])) };
}

describe('a limit that the user did not state', () => {
  test.each([1, 3, 12, 20, 21, 59, 100, 1000, Number.POSITIVE_INFINITY])('of %d fails no check', async (rateLimit) => {
    const seen = await verdicts(rateLimit, undefined);
    expect(Object.values(seen)).not.toContain('fail');
    expect(seen['rate-limit' as keyof typeof seen]).toBe(rateLimit === 20 ? 'pass' : 'inconclusive');
    // Bounded, however high the limit is.
    expect(seen.sent).toBeLessThan(400);
  });

  test.each([12, 20, 59])('of %d is found, and what follows from it is judged', async (rateLimit) => {
    expect(await verdicts(rateLimit, undefined)).toMatchObject({ 'rate-per-account': 'pass', 'rate-window': 'pass' });
  });
});

describe('a limit of twenty that the user stated', () => {
  test.each([
    [12, 'inconclusive'],
    [20, 'pass'],
    [21, 'fail'],
    [100, 'fail'],
    [Number.POSITIVE_INFINITY, 'fail'],
  ])('is judged on an agent that takes %d', async (rateLimit, verdict) => {
    expect(await verdicts(rateLimit, 20)).toMatchObject({ 'rate-limit': verdict });
  });

  test('is judged where it is low', async () => {
    for (const limit of [2, 3, 5]) {
      expect(await verdicts(limit, limit)).toMatchObject({
        'rate-limit': 'pass',
        'rate-per-account': 'pass',
        'rate-window': 'pass',
        'rate-forged': 'pass',
        'rate-replay': 'pass',
      });
    }
  });
});
