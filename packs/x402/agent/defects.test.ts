import { describe, expect, test } from 'vitest';
import { type Dialect, dialectById } from '../../../src/dialect/index.js';
import { defectsOf, errorCodeOf, metadataKeys, payment } from '../payments/index.js';
import { createPaymentClient, errorOf, receiptsOf, statusOf } from './payer.js';

// Payments with one defect each, by a wallet that has money: the defect alone is the reason to refuse them.

const worlds = (['a2a-0.3', 'a2a-1.0'] as const).flatMap((id) =>
  ([1, 2] as const).map((x402Version) => ({ dialect: dialectById(id) as Dialect, x402Version, id })),
);

describe.each(worlds)('$id, payments $x402Version', ({ dialect, x402Version }) => {
  test.each(defectsOf(x402Version))('$id: $about', async (defect) => {
    const purchase = await createPaymentClient({ dialect, settings: { x402Version } });
    const asked = await purchase.send('paid-echo heron');
    const made = defect.make(purchase.paying(asked));
    const seen = await purchase.submit(asked.id, made);
    expect(await purchase.get(asked.id)).toEqual(seen);
    expect(purchase.agent.crashes).toEqual([]);
    // A member more does no harm.
    if (defect.id === 'm27') return expect(statusOf(seen)).toBe('payment-completed');
    expect([seen.code, seen.state, statusOf(seen)]).toEqual([undefined, 'failed', 'payment-failed']);
    const code = errorCodeOf(errorOf(seen));
    expect(code).toBeDefined();
    if (defect.codes !== 'any') expect(defect.codes).toContain(code);
    expect(receiptsOf(seen)).toMatchObject([{ success: false, transaction: '', errorReason: expect.any(String) }]);
    expect(seen.text).not.toContain('Paid answer');
    expect(seen.artifacts).toEqual([]);
    expect(await purchase.control.settlements()).toEqual([]);
    expect(statusOf(await purchase.send('paid-echo heron'))).toBe('payment-required');
  });

  test.each([
    ['a text', 'paid'],
    ['1 MiB less a little', 'x'.repeat(1_000_000)],
    ['nested', JSON.parse(`${'['.repeat(100)}${']'.repeat(100)}`)],
    ['with a prototype', JSON.parse('{"__proto__":{"x402Version":2},"payload":{"__proto__":null}}')],
    ['null', null],
  ])('%s is not a payment', async (_, payload) => {
    const purchase = await createPaymentClient({ dialect, settings: { x402Version } });
    const asked = await purchase.send('paid-echo heron');
    const seen = await purchase.submit(asked.id, payload);
    expect(seen.code ?? statusOf(seen)).toBe('payment-failed');
    expect(purchase.agent.crashes).toEqual([]);
    expect(await purchase.control.calls()).toEqual([]);
  });

  test('metadata elsewhere counts for nothing', async () => {
    const purchase = await createPaymentClient({ dialect, settings: { x402Version } });
    const asked = await purchase.send('paid-echo heron');
    const metadata = purchase.submission(payment(purchase.paying(asked)));
    const message = purchase.message('pay', { taskId: asked.id });
    const answer = await purchase.call(purchase.method('send'), { message, metadata });
    expect(purchase.read(answer).metadata[metadataKeys.status]).toBe('payment-required');
    expect(await purchase.control.calls()).toEqual([]);
  });
});
