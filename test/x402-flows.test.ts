import { describe, expect, test } from 'vitest';
import { onX402, selling, x402Variants } from '../packs/x402/agent/index.js';
import { caip2Of, flowOf, localToken, metadataKeys, readPayment, readWallet } from '../packs/x402/payments/index.js';
import { isObject, type JsonObject, member } from '../src/model/index.js';
import type { Patch } from '../src/reference/index.js';
import { rules } from '../suites/index.js';
import { type Sold, sell } from './charging.js';

// A wallet with money, before merchants that say in the offer when they charge. x402 core v2 §6.1; scheme exact.

const wallet = readWallet(`0x${'4e'.repeat(32)}`);
const judged = rules.filter(({ id }) => ['x402/paid', 'x402/options-payable'].includes(id));
const token = { network: caip2Of(localToken.chainId), asset: localToken.asset };

const payingAt = (patch: Patch, funds: { readonly allowUpfront?: boolean; readonly dryRun?: boolean } = {}) =>
  sell({
    rules: judged,
    stub: false,
    patches: [patch],
    x402: { funds: { wallet, maxAmount: 10_000n, maxTotal: 30_000n, dryRun: false, ...funds } },
    prepare: ({ control }) => control.fund(wallet.address, token, '1000000'),
  });

/** Payments of the wallet, as they were sent. */
const paidIn = ({ bodies }: Sold) =>
  bodies.flatMap((body) => {
    if (!body.includes(metadataKeys.payload)) return [];
    const sent: unknown = JSON.parse(body);
    const payload = member(member(member(member(sent, 'params'), 'message'), 'metadata'), metadataKeys.payload);
    const payment = readPayment(payload);
    return payment?.payload.authorization.from === wallet.address ? [payload as JsonObject] : [];
  });
const flowIn = (payment: JsonObject | undefined): unknown => {
  const extra = member(member(payment, 'accepted'), 'extra');
  return flowOf({ extra: isObject(extra) ? extra : {} });
};

describe('an agent that charges before it works', () => {
  const upfront = selling({ flows: ['upfront'] });

  test('is not paid', async () => {
    const sold = await payingAt(upfront);
    expect(sold.of('x402/paid')).toBe(
      'inconclusive: the kit did not pay: the agent would be paid before the work, and give nothing back (--x402-allow-upfront)',
    );
    expect(paidIn(sold)).toEqual([]);
    expect(sold.report.payments).toEqual([]);
  });

  test('is paid where the user allows it', async () => {
    const sold = await payingAt(upfront, { allowUpfront: true });
    expect(sold.of('x402/paid')).toBe('pass');
    expect(paidIn(sold).map(flowIn)).toEqual(['upfront']);
  });

  test('a dry run plans nothing that the run would not sign', async () => {
    expect((await payingAt(upfront, { dryRun: true })).report.payments).toEqual([]);
    const allowed = await payingAt(upfront, { dryRun: true, allowUpfront: true });
    expect(allowed.report.payments).toMatchObject([{ state: 'planned', amount: '10000' }]);
  });
});

test('of two options that differ in nothing else, the one that charges after the work is paid', async () => {
  const sold = await payingAt(selling({ flows: ['upfront', 'authorization'] }), { allowUpfront: true });
  expect(sold.of('x402/paid')).toBe('pass');
  expect(paidIn(sold).map(flowIn)).toEqual(['authorization']);
});

const identifying = x402Variants.find(({ id }) => id === 'x402-identifier-required') ?? expect.fail('gone');

test('where an id is required, the payment has one', async () => {
  const sold = await payingAt(identifying.patch);
  expect(sold.of('x402/paid')).toBe('pass');
  const [payment] = paidIn(sold);
  const info = member(member(member(payment, 'extensions'), 'payment-identifier'), 'info');
  expect(info).toEqual({ required: true, id: expect.stringMatching(/^[A-Za-z0-9_-]{16,128}$/) });
});

test('the kit names what it does not know in an offer, and judges it by each check', async () => {
  const patch = onX402((inner) => ({
    offer(skill, step) {
      const offer = inner.offer(skill, step);
      const accepts = (offer['accepts'] as readonly JsonObject[]).map((option) => ({
        ...option,
        extra: { ...(option['extra'] as JsonObject), refundable: false, ['x'.repeat(500)]: 1 },
      }));
      return { ...offer, accepts };
    },
  }));
  const sold = await payingAt(patch);
  expect(sold.of('x402/paid')).toBe('pass');
  const unknownMembers = sold.report.target.detection.filter((line) => line.startsWith('the offer has extra.'));
  expect(unknownMembers).toEqual([
    'the offer has extra.refundable, which the kit does not know: it may be a term of payment',
    expect.stringMatching(/^the offer has extra\.x{50,60}…?, which/),
  ]);
  const plain = await payingAt(selling({}));
  expect(plain.report.target.detection.filter((line) => line.includes('extra.'))).toEqual([]);
});
