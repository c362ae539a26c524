import { describe, expect, test } from 'vitest';
import { type Dialect, dialectById } from '../../../src/dialect/index.js';
import { createInspector } from '../../../src/ledger/schemas.js';
import { memoryArchive } from '../../../src/reference/archive.js';
import { able } from '../../../src/reference/variants/declaring.js';
import { header } from '../../../src/wire/index.js';
import {
  extensionUris,
  localToken,
  metadataKeys,
  payment,
  readOffer,
  readReceipts,
  rewritings,
  throwawayWallet,
  tokens,
} from '../payments/index.js';
import {
  createPaymentClient,
  errorOf,
  local,
  type PaymentClientOptions,
  type PaymentTranscript,
  receiptsOf,
  type Seen,
  statusOf,
} from './payer.js';
import { usualMerchant } from './settings.js';

// The agent that charges, from the offer to the receipt, in both versions of A2A and of the payments.

const dialects = (['a2a-0.3', 'a2a-1.0'] as const).map((id) => dialectById(id) as Dialect);
const worlds = dialects.flatMap((dialect) =>
  ([1, 2] as const).map((x402Version) => ({ dialect, x402Version, name: `${dialect.id}, payments ${x402Version}` })),
);
const shop = ({ dialect, x402Version, settings, ...options }: PaymentClientOptions & { x402Version?: 1 | 2 } = {}) =>
  createPaymentClient({
    ...(dialect === undefined ? {} : { dialect }),
    ...options,
    settings: { ...(x402Version === undefined ? {} : { x402Version }), ...settings },
  });

const transaction = /^0x[0-9a-f]{64}$/;
const fine = (purchase: PaymentTranscript): void => expect(purchase.agent.crashes).toEqual([]);

async function expectPaid(purchase: PaymentTranscript, seen: Seen, word = 'heron'): Promise<void> {
  expect({ state: seen.state, status: statusOf(seen), error: errorOf(seen) }).toEqual({
    state: 'completed',
    status: 'payment-completed',
    error: undefined,
  });
  expect(seen.text).toContain(`Paid answer: ${word}`);
  expect(receiptsOf(seen).at(-1)).toMatchObject({ success: true, transaction: expect.stringMatching(transaction) });
  expect(await purchase.get(seen.id)).toEqual(seen);
}
async function expectUnpaid(purchase: PaymentTranscript, id: string): Promise<void> {
  const seen = await purchase.get(id);
  expect(seen.text).not.toContain('Paid answer');
  expect(seen.artifacts).toEqual([]);
  expect(receiptsOf(seen).filter(({ success }) => success === true)).toEqual([]);
}

describe.each(worlds)('$name', (world) => {
  test('asks, is paid, and answers', async () => {
    const purchase = await shop(world);
    const asked = await purchase.send('paid-echo heron');
    expect({ state: asked.state, status: statusOf(asked) }).toEqual({
      state: 'input-required',
      status: 'payment-required',
    });
    const { x402Version, options } = readOffer(asked.metadata[metadataKeys.required])!;
    expect(x402Version).toBe(world.x402Version);
    expect(options).toMatchObject([{ usable: true, amount: '10000', payTo: usualMerchant.payTo, ...local }]);
    expect(await purchase.get(asked.id)).toEqual(asked);
    await expectUnpaid(purchase, asked.id);

    const paying = purchase.paying(asked);
    const seen = await purchase.submit(asked.id, payment(paying));
    await expectPaid(purchase, seen);
    expect(seen.artifacts).toHaveLength(1);
    const [settlement, ...more] = await purchase.control.settlements();
    expect(more).toEqual([]);
    expect(settlement).toMatchObject({ to: usualMerchant.payTo, value: '10000', nonce: paying.nonce });
    expect(receiptsOf(seen)).toEqual([
      { success: true, transaction: settlement?.transaction, network: local.network, payer: purchase.wallet.address },
    ]);
    expect((await purchase.control.calls()).map(({ path }) => path)).toEqual(['/verify', '/settle']);
    fine(purchase);
  });

  test('what it says has the form of the documents', async () => {
    const inspector = createInspector('x402');
    const purchase = await shop(world);
    const failed = await purchase.pay('paid-report x', { value: '1' });
    const { asked, seen } = await purchase.pay();
    expect(statusOf(failed.seen)).toBe('payment-failed');
    for (const { metadata } of [asked, seen, failed.seen]) {
      expect(inspector.inspect('metadata.schema.json#/$defs/standalone', metadata).findings).toEqual([]);
    }
    for (const { path, request, answer } of await purchase.control.calls()) {
      const name = `facilitator.schema.json#/$defs${path}`;
      expect(inspector.inspect(`${name}.request`, request).findings).toEqual([]);
      expect(inspector.inspect(`${name}.response`, answer).findings).toEqual([]);
    }
    const card = (await purchase.http('GET', purchase.agent.world.spelling.cardPaths[0] ?? '')).json;
    expect(inspector.inspect('agent-card.schema.json', card).findings).toEqual([]);
  });

  test.each(['settle-first', 'work-first'] as const)('%s: nothing of the work without a payment', async (order) => {
    for (const behaviour of [
      'down',
      'delay',
      'http-500',
      'html',
      'invalid-json',
      'valid-then-fail',
      'settle-fails',
      'success-without-transaction',
    ] as const) {
      for (const on of ['verify', 'settle'] as const) {
        const purchase = await shop({ ...world, settings: { order } });
        await purchase.control.setBehaviour({ behaviour, on, sticky: true });
        // Calls of 0.3 are answered after five seconds at the latest.
        const { asked } = await purchase.pay();
        await purchase.wait(10_000);
        const seen = await purchase.get(asked.id);
        const isHarmless = on === 'verify' && /settle|success|valid-then/.test(behaviour);
        expect([behaviour, on, seen.state]).toEqual([behaviour, on, isHarmless ? 'completed' : 'failed']);
        if (isHarmless) continue;
        expect(receiptsOf(seen)).toMatchObject([{ success: false, transaction: '', network: local.network }]);
        await expectUnpaid(purchase, asked.id);
        expect(await purchase.control.settlements()).toEqual([]);
        fine(purchase);
      }
    }
  });

  test('a settlement that is pending is asked for again', async () => {
    const purchase = await shop({ ...world, settings: { order: 'work-first' } });
    await purchase.control.setBehaviour({ behaviour: 'settlement-pending-once' });
    await expectPaid(purchase, (await purchase.pay()).seen);
    const [, first, second] = await purchase.control.calls();
    expect([first?.path, second?.path, second?.request]).toEqual(['/settle', '/settle', first?.request]);
    expect(await purchase.control.settlements()).toHaveLength(1);
  });

  test('an empty wallet', async () => {
    const purchase = await shop({ ...world, funds: '9999' });
    const { seen, made } = await purchase.pay();
    expect([seen.state, statusOf(seen), errorOf(seen)]).toEqual(['failed', 'payment-failed', 'INSUFFICIENT_FUNDS']);
    // Nothing was sent to be settled, so the same payment may be tried again.
    const again = await purchase.send('paid-echo heron');
    await purchase.control.fund(purchase.wallet.address, local, '1');
    await expectPaid(purchase, await purchase.submit(again.id, made));
  });

  test('a payment counts once', async () => {
    const purchase = await shop(world);
    const { asked, made, seen } = await purchase.pay();
    expect((await purchase.submit(asked.id, made)).code).toBe(-32004);
    for (const other of [made, ...Object.values(rewritings).map((rewrite) => rewrite(made))]) {
      const { id } = await purchase.send('paid-echo tern');
      const refused = await purchase.submit(id, other);
      expect([refused.state, errorOf(refused)]).toEqual(['failed', 'DUPLICATE_NONCE']);
      await expectUnpaid(purchase, id);
    }
    expect(await purchase.get(asked.id)).toEqual(seen);
    expect(await purchase.control.settlements()).toHaveLength(1);
  });

  test('a payment in other spellings is one', async () => {
    for (const [name, rewrite] of Object.entries(rewritings)) {
      const purchase = await shop(world);
      const asked = await purchase.send('paid-echo heron');
      const seen = await purchase.submit(asked.id, rewrite(payment(purchase.paying(asked))));
      // Which token contracts refuse.
      if (name === 'highS') expect([errorOf(seen), seen.artifacts]).toEqual(['INVALID_SIGNATURE', []]);
      else await expectPaid(purchase, seen);
    }
  });

  test('copies at once, for one task and for several', async () => {
    for (let round = 0; round < 25; round++) {
      const purchase = await shop(world);
      const asked = await Promise.all(Array.from({ length: 5 }, () => purchase.send('paid-echo heron')));
      const made = payment(purchase.paying(asked[0]!));
      await Promise.all(
        Array.from({ length: 10 }, (_, at) => purchase.submit(asked[round < 12 ? 0 : at % 5]!.id, made)),
      );
      const seen = await Promise.all(asked.map(({ id }) => purchase.get(id)));
      expect(seen.filter(({ text }) => text.includes('Paid answer'))).toHaveLength(1);
      expect(seen.flatMap(receiptsOf).filter(({ success }) => success === true)).toHaveLength(1);
      expect(await purchase.control.settlements()).toHaveLength(1);
      fine(purchase);
    }
  });

  test('two payments at once for one task', async () => {
    const purchase = await shop(world);
    const asked = await purchase.send('paid-echo heron');
    const answers = await Promise.all([0, 1].map(() => purchase.submit(asked.id, payment(purchase.paying(asked)))));
    expect(answers.map(({ code }) => code).sort()).toEqual([-32004, undefined]);
    expect(await purchase.control.settlements()).toHaveLength(1);
  });

  test('a payment belongs to its task', async () => {
    const purchase = await shop(world);
    const [cheap, dear] = [await purchase.send('paid-echo a'), await purchase.send('paid-report b')];
    const made = payment(purchase.paying(cheap));
    const refused = await purchase.submit(dear.id, made);
    expect([statusOf(refused), errorOf(refused)]).toEqual(['payment-failed', 'INVALID_AMOUNT']);
    const metadata = purchase.submission(made);
    expect((await purchase.send('paid-echo a', { metadata })).code).toBe(-32602);
    expect((await purchase.submit('unknown', made)).code).toBe(-32001);
    expect((await purchase.submit(cheap.id, made, { contextId: dear.contextId })).code).toBe(-32602);
    await expectUnpaid(purchase, cheap.id);
    await expectPaid(purchase, await purchase.submit(cheap.id, made), 'a');
    expect(await purchase.control.settlements()).toHaveLength(1);
  });

  test('tasks that have ended are not paid', async () => {
    const purchase = await shop(world);
    const asked = await purchase.send('paid-echo heron');
    expect((await purchase.cancel(asked.id)).state).toBe('canceled');
    expect((await purchase.submit(asked.id, payment(purchase.paying(asked)))).code).toBe(-32004);
    expect(await purchase.control.calls()).toEqual([]);
  });

  test('offers expire', async () => {
    const purchase = await shop({ ...world, settings: { maxTimeoutSeconds: 60 } });
    const [asked, other] = [await purchase.send('paid-echo heron'), await purchase.send('paid-echo tern')];
    await purchase.wait(61_000);
    const late = await purchase.submit(asked.id, payment(purchase.paying(asked)));
    expect([late.state, errorOf(late)]).toEqual(['failed', 'EXPIRED_PAYMENT']);
    const again = await purchase.send('And now?', { taskId: other.id });
    expect(again.metadata).toEqual(other.metadata);
    await expectPaid(purchase, await purchase.submit(other.id, payment(purchase.paying(other))), 'tern');
  });

  test('asks again for messages that do not pay', async () => {
    const purchase = await shop(world);
    const asked = await purchase.send('paid-echo heron');
    const receipts = [{ success: true, transaction: `0x${'1'.repeat(64)}`, network: local.network }];
    for (const metadata of [
      {},
      { [metadataKeys.status]: 'payment-verified' },
      { [metadataKeys.status]: 'payment-completed', [metadataKeys.receipts]: receipts },
      { [metadataKeys.status]: 7, [metadataKeys.payload]: [] },
      { [metadataKeys.status]: 'paid' },
    ]) {
      const again = await purchase.send('go on', { taskId: asked.id, metadata });
      expect([again.state, again.metadata]).toEqual(['input-required', asked.metadata]);
      await expectUnpaid(purchase, asked.id);
    }
    const empty = await purchase.send('go on', {
      taskId: asked.id,
      metadata: { [metadataKeys.status]: 'payment-submitted' },
    });
    expect(statusOf(empty)).toBe('payment-failed');
    fine(purchase);
  });

  test.each(['failed', 'input-required'] as const)('a rejected offer: %s', async (onRejection) => {
    const purchase = await shop({ ...world, settings: { onRejection } });
    const asked = await purchase.send('paid-echo heron');
    const metadata = { [metadataKeys.status]: 'payment-rejected' };
    const seen = await purchase.send('No.', { taskId: asked.id, metadata });
    expect([seen.state, statusOf(seen), receiptsOf(seen)]).toEqual([onRejection, 'payment-rejected', []]);
    await expectUnpaid(purchase, asked.id);
    const paid = await purchase.submit(asked.id, payment(purchase.paying(asked)));
    expect(paid.code ?? paid.state).toBe(onRejection === 'failed' ? -32004 : 'completed');
  });

  test.each(['input-required', 'ask-again'] as const)('a failure, then a payment: %s', async (onFailure) => {
    const purchase = await shop({ ...world, settings: { onFailure } });
    const { asked, seen: failed } = await purchase.pay('paid-echo heron', { value: '1' });
    expect(failed.state).toBe('input-required');
    expect(statusOf(failed)).toBe(onFailure === 'ask-again' ? 'payment-required' : 'payment-failed');
    expect(receiptsOf(failed)).toMatchObject([{ success: false, payer: purchase.wallet.address }]);
    const seen = await purchase.submit(asked.id, payment(purchase.paying(asked)));
    await expectPaid(purchase, seen);
    expect(receiptsOf(seen)).toEqual([receiptsOf(failed)[0], expect.objectContaining({ success: true })]);
  });

  test('receipts stay when the task is canceled', async () => {
    const purchase = await shop({ ...world, settings: { onFailure: 'input-required' } });
    const { asked, seen } = await purchase.pay('paid-echo heron', { value: '1' });
    await purchase.cancel(asked.id);
    const canceled = await purchase.get(asked.id);
    expect([canceled.state, receiptsOf(canceled)]).toEqual(['canceled', receiptsOf(seen)]);
  });

  test('a task that is canceled before its payment is settled costs nothing; afterwards it cannot be canceled', async () => {
    for (const on of ['verify', 'settle'] as const) {
      const purchase = await shop(world);
      const asked = await purchase.send('paid-echo heron');
      await purchase.control.setBehaviour({ behaviour: 'delay', delayMs: 1000, on });
      const paid = purchase.submit(asked.id, payment(purchase.paying(asked)));
      await purchase.wait(500);
      const canceled = await purchase.cancel(asked.id);
      const seen = await paid;
      if (on === 'settle') {
        expect(canceled.code).toBe(-32002);
        await expectPaid(purchase, seen);
      } else {
        expect([canceled.state, seen.state]).toEqual(['canceled', 'canceled']);
        await purchase.wait(2000);
        expect(await purchase.control.settlements()).toEqual([]);
        await expectUnpaid(purchase, asked.id);
      }
    }
  });

  test('charges in steps', async () => {
    const purchase = await shop({ ...world, settings: { steps: 2 } });
    const { asked, seen: half } = await purchase.pay();
    expect([half.state, statusOf(half), receiptsOf(half).length]).toEqual(['input-required', 'payment-required', 1]);
    const seen = await purchase.submit(asked.id, payment(purchase.paying(half)));
    await expectPaid(purchase, seen);
    expect(receiptsOf(seen)).toEqual([receiptsOf(half)[0], expect.objectContaining({ success: true })]);
    expect(await purchase.control.settlements()).toHaveLength(2);
  });

  test('knows its tasks and payments after a restart', async () => {
    const archive = memoryArchive();
    const first = await shop({ ...world, archive });
    const [{ made, asked }, open] = [await first.pay(), await first.send('paid-echo tern')];
    const busy = await first.send('paid-echo gull');
    await first.control.setBehaviour({ behaviour: 'delay', on: 'settle' });
    void first.submit(busy.id, payment(first.paying(busy))).catch(() => undefined);
    await first.wait(100);
    first.agent.stop();

    const facilitator = { url: 'http://f.test', carrier: first.facilitator.handle };
    const second = await shop({ ...world, archive, facilitator, seed: 2, clock: first.clock });
    expect(receiptsOf(await second.get(asked.id))).toHaveLength(1);
    const again = await second.send('paid-echo heron');
    expect(errorOf(await second.submit(again.id, made))).toBe('DUPLICATE_NONCE');
    await expectPaid(second, await second.submit(open.id, payment(second.paying(open))), 'tern');
    await second.wait(100);
    const stopped = await second.get(busy.id);
    expect([stopped.state, statusOf(stopped), errorOf(stopped)]).toEqual([
      'failed',
      'payment-failed',
      'SETTLEMENT_FAILED',
    ]);
    fine(second);
  });

  test('streams tell the same', async () => {
    const purchase = await shop({ ...world, patches: [able({ streaming: true })] });
    const asked = await purchase.send('paid-echo heron');
    const listen = async (made: unknown) => {
      const message = purchase.message('pay', { taskId: asked.id, metadata: purchase.submission(made) });
      const listening = await purchase.listen(purchase.method('stream'), { message });
      return listening.rest();
    };
    const events = (await listen(payment(purchase.paying(asked)))).map(({ result }) => {
      const { status } = result.task ?? result.statusUpdate ?? result;
      return (
        status?.message?.metadata[metadataKeys.status] ?? (result.artifactUpdate ?? result).kind ?? 'artifact-update'
      );
    });
    expect(events).toEqual([
      'payment-submitted',
      'payment-verified',
      'payment-completed',
      'artifact-update',
      'payment-completed',
    ]);
    await expectPaid(purchase, await purchase.get(asked.id));
  });
});

describe.each(dialects)('activation in $id', (dialect) => {
  const { v01, v02 } = extensionUris;
  const names = ['X-A2A-Extensions', 'a2a-extensions'];
  const required = dialect.id === 'a2a-1.0' ? -32008 : -32600;

  test.each(names)('by the header %s, named in the answer', async (name) => {
    const purchase = await shop({ dialect, headers: dialect.headers });
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: purchase.method('send'),
      params: { message: purchase.message('paid-echo x') },
    });
    const headers = [['content-type', 'application/json'], ...dialect.headers, [name, `urn:other,  ${v01} `]] as const;
    const answer = await purchase.http('POST', dialect.endpointPath || '/', headers, body);
    expect(header(answer.headers, name)).toBe(v01);
    expect(answer.headers.filter(([text]) => /a2a-extensions/i.test(text))).toHaveLength(1);
    expect(statusOf(purchase.read(answer.json))).toBe('payment-required');
  });

  test.each([[], [`${v01}0`], [v01.slice(0, -1)], [v02], [v01.toUpperCase()]])('not by %j', async (...uris) => {
    const headers = uris.map((uri) => ['A2A-Extensions', uri] as const);
    for (const settings of [{ required: true }, { required: false }]) {
      const purchase = await shop({ dialect, headers: [...dialect.headers, ...headers], settings });
      expect((await purchase.send('paid-echo x')).code).toBe(required);
      expect((await purchase.send('hello')).code).toBe(settings.required ? required : undefined);
    }
  });

  test('by either of two', async () => {
    for (const uri of [v01, v02]) {
      const headers = [...dialect.headers, [dialect.extensionHeader, uri] as const];
      const purchase = await shop({ dialect, headers, settings: { uris: [v01, v02] } });
      expect(statusOf(await purchase.send('paid-echo x'))).toBe('payment-required');
    }
  });

  test('without an echo', async () => {
    const purchase = await shop({ dialect, settings: { echo: false } });
    expect(statusOf(await purchase.send('paid-echo x'))).toBe('payment-required');
  });
});

test('other work is free', async () => {
  const purchase = await shop();
  const seen = await purchase.send('hello');
  expect([seen.state, seen.metadata]).toEqual(['completed', undefined]);
  expect(seen.text).toContain('You said: hello');
  expect((await purchase.send('tck-input-required')).metadata).toBeUndefined();
});

test('other tokens, several of them, each of which can be paid', async () => {
  const other = { ...localToken, asset: throwawayWallet(() => new Uint8Array(32).fill(3)).address, name: 'Other' };
  const sepolia = tokens.find(({ chainId }) => chainId === 84532n)!;
  for (const x402Version of [1, 2] as const) {
    for (const option of [0, 1]) {
      const purchase = await shop({ x402Version, settings: { tokens: [localToken, sepolia, other] } });
      await purchase.control.fund(purchase.wallet.address, { network: 'base-sepolia', asset: sepolia.asset }, '10000');
      const asked = await purchase.send('paid-echo heron');
      const seen = await purchase.submit(asked.id, payment(purchase.paying(asked, undefined, option)));
      await expectPaid(purchase, seen);
      const network = option === 0 ? local.network : x402Version === 1 ? 'base-sepolia' : 'eip155:84532';
      expect(readReceipts(receiptsOf(seen))).toMatchObject([{ network }]);
    }
  }
});
