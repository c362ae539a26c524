import { describe, expect, test } from 'vitest';
import { payingDialects } from '../../../src/dialect/index.js';
import { check } from '../../../src/kit/index.js';
import { header } from '../../../src/wire/index.js';
import { type Selling, sell } from '../../../test/charging.js';
import { onX402 } from '../agent/index.js';
import { localChainId, localToken, metadataKeys, readWallet } from '../payments/index.js';
import * as x402 from '../shared/index.js';
import { halvesOf } from './prepare.js';

const key = `0x${'4b'.repeat(32)}`;
const wallet = readWallet(key);
const funds = { wallet, maxAmount: 10_000n, dryRun: false };

const paid = check('x402/paid', 'x402.paid')
  .when('it is paid', (scene) => scene.use(x402.funded))
  .expects('take the payment', (attempt, scene) => x402.paid(scene)(attempt))
  .advice('Do so.');

/** With money of the user's, as much as it takes. */
const withFunds: Omit<Selling, 'rules'> = {
  stub: false,
  x402: { funds },
  prepare: ({ control }) =>
    control.fund(wallet.address, { network: 'eip155:31337', asset: localToken.asset }, '1000000'),
};

const signaturesIn = (texts: readonly string[]): readonly string[] =>
  texts.flatMap((text) => text.match(/0x[0-9a-f]{130}/g) ?? []);
const payloadsIn = (texts: readonly string[]) => texts.filter((text) => text.includes(metadataKeys.payload));

const escapedAll = (text: string): string =>
  [...text].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');

/** Bodies too, which are bytes. */
const shown = (value: unknown): string =>
  JSON.stringify(value, (_, member) =>
    member instanceof Uint8Array
      ? Buffer.from(member).toString('latin1')
      : typeof member === 'bigint'
        ? String(member)
        : member,
  );

describe('money of the user', () => {
  test('pays once, and reports a settled payment once', async () => {
    const { of, report, facilitator } = await sell({ rules: [paid], ...withFunds });
    expect(of('x402/paid')).toBe('pass');
    expect(await facilitator.control.settlements()).toMatchObject([{ from: wallet.address, value: '10000' }]);
    expect(report.payments).toEqual([]);
  });

  test.for(['a2a-1.0', 'a2a-1.0-grpc', 'a2a-0.3-grpc'] as const)(
    'signatures stand nowhere over %s, however the agent repeats them',
    async (profile) => {
      const telltale = onX402((inner) => ({
        receipt(account, outcome, attempt) {
          const { signature = '' } = attempt?.payment.payload ?? {};
          const halves = `${signature.slice(2, 66)} ${signature.slice(66).toUpperCase()}`;
          const note = `${signature} ${signature.toUpperCase()} ${halves} ${btoa(signature)} ${escapedAll(signature)}`;
          return { ...inner.receipt(account, outcome, attempt), note };
        },
      }));
      const answers: string[] = [];
      const { of, report, events, bodies } = await sell({
        rules: [paid],
        ...withFunds,
        profile,
        patches: [telltale],
        through: (agent) => async (request, signal) => {
          const answer = await agent(request, signal);
          const chunks: Uint8Array[] = [];
          for await (const chunk of answer.body) chunks.push(chunk);
          answers.push(Buffer.concat(chunks).toString('utf8'));
          return {
            ...answer,
            body: (async function* () {
              yield* chunks;
            })(),
          };
        },
      });
      expect(of('x402/paid')).toBe('pass');
      const [signature = ''] = signaturesIn(payloadsIn(bodies).filter((body) => body.includes(wallet.address)));
      expect(signature).toHaveLength(132);
      const digits = signature.slice(2);
      expect(answers.join('')).toContain(`${signature} ${signature.toUpperCase()}`);
      for (const text of [shown(report), shown(events)]) {
        expect(text).toContain(signature.slice(0, 10));
        for (const piece of [digits.slice(8, 40), digits.slice(64, 100)]) {
          expect(text).not.toContain(piece);
          expect(text).not.toContain(piece.toUpperCase());
        }
        expect(text).not.toContain(btoa(signature).slice(20, 60));
        expect(text).not.toContain(escapedAll(digits.slice(8, 40)));
        expect(text).not.toContain(key.slice(2, 30));
      }
    },
  );

  test('what can still be cashed is listed', async () => {
    const { of, report } = await sell({ rules: [paid], ...withFunds, prepare: async () => undefined });
    expect(of('x402/paid')).toMatch(/^inconclusive: add funds to the wallet if it has none: .*INSUFFICIENT_FUNDS/);
    expect(report.payments).toEqual([
      {
        state: 'outstanding',
        network: 'eip155:31337',
        asset: localToken.asset,
        payTo: '0x052Cfa6a69289bd7c17624E876b69902859C69c2',
        amount: '10000',
        nonce: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        expires: expect.stringMatching(/^2026-01-01T00:02:/),
        signature: expect.stringMatching(/^0x[0-9a-f]{8}…$/),
      },
    ]);
  });

  test('an empty wallet is not held against an agent that has one code for all', async () => {
    const vague = onX402(() => ({ code: () => 'INVALID_SIGNATURE' }));
    const { of } = await sell({ rules: [paid], ...withFunds, prepare: async () => undefined, patches: [vague] });
    expect(of('x402/paid')).toMatch(/^inconclusive: add funds to the wallet if it has none: .*INVALID_SIGNATURE/);
  });

  test('a dry run signs nothing, and tells what it would sign', async () => {
    const { of, report, bodies } = await sell({
      rules: [paid],
      ...withFunds,
      x402: { funds: { ...funds, dryRun: true } },
    });
    expect(of('x402/paid')).toMatch(/^inconclusive: .*dry run/);
    expect(payloadsIn(bodies)).toEqual([]);
    expect(report.payments).toMatchObject([{ state: 'planned', amount: '10000' }]);
    expect(report.payments?.[0]).not.toHaveProperty('signature');
  });

  test.for([
    ['above the limit', { maxAmount: 9_999n }, /above the limit of one payment/],
    ['elsewhere', { allowedNetworks: new Set([1n]) }, /the network is not allowed/],
  ] as const)('is not spent %s', async ([, limits, reason]) => {
    const { of, bodies } = await sell({ rules: [paid], ...withFunds, x402: { funds: { ...funds, ...limits } } });
    expect(of('x402/paid')).toMatch(reason);
    expect(payloadsIn(bodies)).toEqual([]);
  });

  test('an agent whose clock is far ahead gets no cheque that lives for long', async () => {
    const { bodies } = await sell({
      rules: [paid],
      ...withFunds,
      through: (agent) => async (request, signal) => {
        const answer = await agent(request, signal);
        return { ...answer, headers: [...answer.headers, ['date', 'Sat, 01 Jan 2028 00:00:00 GMT'] as const] };
      },
    });
    const until = Number(/"validBefore":"(\d+)"/.exec(payloadsIn(bodies).join(''))?.[1]);
    expect(until - Date.UTC(2026, 0, 1) / 1000).toBeLessThan(200);
  });

  test('without funds the list is missing', async () => {
    expect((await sell({ rules: [paid], stub: false })).report).not.toHaveProperty('payments');
    expect((await sell({ rules: [paid] })).report).not.toHaveProperty('payments');
  });
});

describe('play money', () => {
  test.for(payingDialects.map(({ id }) => id))('pays over %s', async (profile) => {
    const { of, facilitator } = await sell({ rules: [paid], profile });
    expect(of('x402/paid')).toBe('pass');
    expect(await facilitator.control.settlements()).toHaveLength(1);
  });

  test('pays no agent that does not settle there, and says so', async () => {
    const deaf = onX402(() => ({
      ask: async () => ({ status: 200, json: { isValid: false, invalidReason: 'insufficient_funds' } }),
    }));
    expect((await sell({ rules: [paid], patches: [deaf] })).of('x402/paid')).toMatch(/did not ask that facilitator/);
  });
});

test('nothing is sent that could cost anything under --read-only', async () => {
  const { of, bodies } = await sell({ rules: [paid], ...withFunds, options: { readOnly: true } });
  expect(of('x402/paid')).toMatch(/^inconclusive: .*--read-only/);
  expect(bodies.filter((body) => body.includes('paid-echo') || body.includes('SendMessage'))).toEqual([]);
});

test('every call of a check activates the extension under both names, beside what the user activates', async () => {
  const mine = 'https://vendor.example/trace/v1';
  const { report } = await sell({ rules: [paid], options: { credentials: [['x-a2a-extensions', mine]] } });
  const calls = report.exchanges.filter(({ purpose, call }) => call !== undefined && purpose !== 'detection');
  expect(calls.length).toBeGreaterThan(3);
  for (const { request } of calls) {
    const both = `${mine}, https://github.com/google-a2a/a2a-x402/v0.1`;
    expect(header(request.headers, 'a2a-extensions')).toBe(both);
    expect(header(request.headers, 'x-a2a-extensions')).toBe(both);
    expect(request.headers.filter(([name]) => /a2a-extensions/i.test(name))).toHaveLength(2);
  }
});

test('other dialects have no payments', async () => {
  await expect(sell({ rules: [paid], profile: 'terminal-bench' })).rejects.toMatchObject({ code: 'usage' });
});

test('a stub that does not answer is reported before anything is judged', async () => {
  const stub = { now: () => Promise.reject(new Error('nobody there')) } as never;
  await expect(sell({ rules: [paid], x402: { stub } })).rejects.toThrow('nobody there');
});

test('what is hidden of a signature', () => {
  const signature = `0x${'ab'.repeat(32)}${'cd'.repeat(32)}1b`;
  const secrets = halvesOf([signature]);
  expect(secrets).toEqual([
    { secret: 'ab'.repeat(32), shown: 'abababab...' },
    { secret: 'cd'.repeat(32), shown: '...' },
  ]);
  expect(halvesOf([])).toEqual([]);
  expect(localChainId).toBe(31337n);
});
