import { describe, expect, test } from 'vitest';
import { onX402, selling } from '../packs/x402/agent/index.js';
import * as suite from '../packs/x402/defects.js';
import { readPayment } from '../packs/x402/payments/index.js';
import type { Rule } from '../src/kit/index.js';
import type { Patch } from '../src/reference/index.js';
import type { Carrier, Clock } from '../src/wire/index.js';
import { type Sold, sell } from './charging.js';

// How many wrong payments an agent is sent, and what clocks and odd prices do to the checks of them.

const rules = Object.values(suite) as readonly Rule[];
const only = (id: string): readonly Rule[] => rules.filter((rule) => rule.id === id);
const payments = ({ bodies }: Sold): readonly string[] => bodies.filter((body) => body.includes('payment-submitted'));
const tasksPaid = (sold: Sold): number =>
  new Set(payments(sold).map((body) => /"taskId":"([^"]+)"/.exec(body)?.[1])).size;
const failures = ({ report }: Sold): readonly string[] =>
  report.checks.filter(({ verdict }) => verdict === 'fail' || verdict === 'error').map(({ id }) => id);

describe('wrong payments', () => {
  test('come with a task each', async () => {
    const sold = await sell({ rules: only('x402/signature-broken') });
    // One more is the control.
    expect([payments(sold).length, tasksPaid(sold)]).toEqual([10, 10]);
  });

  test('come one after the other where the agent itself asks again', async () => {
    const sold = await sell({ rules: only('x402/signature-broken'), patches: [selling({ onFailure: 'ask-again' })] });
    expect([payments(sold).length, tasksPaid(sold)]).toEqual([10, 2]);
    expect(sold.of('x402/signature-broken')).toBe('pass');
  });

  test('come no more when one is not decided', async () => {
    const sticking: Patch = onX402((inner) => ({
      pay(account, message) {
        if (readPayment(message.metadata?.['x402.payment.payload']) !== undefined) return inner.pay(account, message);
        account.status = 'payment-submitted';
        account.underWay = 'verifying';
      },
    }));
    const sold = await sell({ rules: only('x402/malformed-refused'), patches: [sticking] });
    expect(payments(sold).length).toBe(2);
    expect(sold.of('x402/malformed-refused')).toMatch(
      /^inconclusive: the agent did not decide the payment within 10 s .*, but a correct one within .* \(payload missing\)/,
    );
  });

  test('are not sent at all where nothing may be changed', async () => {
    const sold = await sell({ rules, options: { readOnly: true } });
    expect(sold.bodies.filter((body) => /payment-submitted|SendMessage/.test(body))).toEqual([]);
  });
});

/** Shows another time than the facilitator's. */
const ahead =
  (ms: number) =>
  (agent: Carrier, clock: Clock): Carrier =>
  async (request, signal) => {
    const answer = await agent(request, signal);
    return { ...answer, headers: [...answer.headers, ['date', new Date(clock.now() + ms).toUTCString()]] };
  };

test.each([-7_200_000, -3000, 3000, 7_200_000])('a clock that is %i ms ahead does not fail', async (ms) => {
  expect(failures(await sell({ rules, through: ahead(ms) }))).toEqual([]);
});

test.each(['0', '1', String(2n ** 256n - 1n)])('nor is a price of %s', async (amount) => {
  const patches = [selling({ skills: [{ id: 'paid-echo', amount }] })];
  expect(failures(await sell({ rules, patches }))).toEqual([]);
  expect(failures(await sell({ rules, patches, stub: false }))).toEqual([]);
});
