import { describe, expect, test } from 'vitest';
import { judge } from '../../../test/judged.js';
import type { Carrier, Clock } from '../../wire/index.js';

// An agent that takes twenty requests a minute is met at its limit once, and then never again.

interface Limited {
  readonly refused: number[];
  readonly between: (carrier: Carrier, clock: Clock) => Carrier;
}

function limited(most: number, windowMs: number, how: 'fixed' | 'sliding', used = 0): Limited {
  const refused: number[] = [];
  return {
    refused,
    between: (carrier, clock) => {
      let taken: number[] = Array.from({ length: used }, () => clock.now());
      let begun = clock.now();
      return async (request, signal) => {
        const now = clock.now();
        if (request.method === 'GET') return carrier(request, signal);
        if (how === 'fixed' && now - begun >= windowMs) {
          begun = now;
          taken = [];
        }
        if (how === 'sliding') taken = taken.filter((at) => at > now - windowMs);
        if (taken.length < most) {
          taken.push(now);
          return carrier(request, signal);
        }
        refused.push(now);
        const free = (how === 'fixed' ? begun : (taken[0] ?? now)) + windowMs - now;
        return {
          status: 429,
          headers: [['retry-after', String(Math.ceil(free / 1000))]],
          body: (async function* () {})(),
        };
      };
    },
  };
}

const checks = ['task/*', 'message/*', 'rpc/id-*', 'list/*'];
const verdicts = async (between?: Limited['between']) => {
  const report = await judge({
    profile: 'a2a-1.0',
    checks,
    concurrency: 8,
    ...(between === undefined ? {} : { between }),
  });
  return report.checks.map(({ id, verdict }) => `${id} ${verdict}`);
};

describe('the pace follows Retry-After', () => {
  test.for([['fixed'], ['sliding']] as const)('a %s window of a minute', { timeout: 60_000 }, async ([how]) => {
    const limit = limited(20, 60_000, how);
    const found = await verdicts(limit.between);
    // Those that were under way when the limit was met are of the same moment.
    expect(limit.refused.length).toBeGreaterThan(0);
    expect((limit.refused.at(-1) ?? 0) - (limit.refused[0] ?? 0)).toBeLessThan(1000);
    expect(limit.refused.length).toBeLessThanOrEqual(8);
    // A limit makes nothing fail. What must be seen at a moment may be seen too late.
    const plain = new Set(await verdicts());
    const other = found.filter((text) => !plain.has(text));
    expect(other.filter((text) => !text.endsWith(' inconclusive'))).toEqual([]);
    expect(other.length).toBeLessThanOrEqual(3);
  });

  test.each([
    ['a year', 31_536_000, 30],
    ['ten minutes', 600, 60],
  ])('an agent that takes nothing and asks to wait for %s is not waited for again and again', async (_, wait, most) => {
    const report = await judge({
      profile: 'a2a-1.0',
      checks: ['task/get-*'],
      between: (carrier) => async (request, signal) =>
        request.method === 'GET'
          ? carrier(request, signal)
          : { status: 429, headers: [['retry-after', String(wait)]], body: (async function* () {})() },
    });
    expect(report.run.durationMs).toBeLessThan(most * 60_000);
    expect(report.checks.filter(({ verdict }) => verdict === 'error')).toEqual([]);
  });

  test('what the user gave is kept, also where the agent takes nothing', async () => {
    const sent: number[] = [];
    await judge({
      profile: 'a2a-1.0',
      checks: ['task/get-*'],
      rate: { requests: 2, windowMs: 60_000 },
      between: (carrier, clock) => async (request, signal) => {
        if (request.method === 'GET') return carrier(request, signal);
        sent.push(clock.now());
        return { status: 429, headers: [['retry-after', '1']], body: (async function* () {})() };
      },
    });
    expect(sent.length).toBeGreaterThan(6);
    const tooSoon = sent.filter((at, i) => at - (sent[i - 2] ?? Number.NEGATIVE_INFINITY) < 60_000);
    expect(tooSoon).toEqual([]);
  });

  test('a limit that another client had nearly used up is found again', { timeout: 60_000 }, async () => {
    const limit = limited(20, 60_000, 'fixed', 18);
    await verdicts(limit.between);
    expect(limit.refused.length).toBeLessThan(30);
  });
});
