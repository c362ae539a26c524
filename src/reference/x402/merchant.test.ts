import { describe, expect, test } from 'vitest';
import { type Dialect, dialectById } from '../../dialect/index.js';
import { createInspector } from '../../ledger/schemas.js';
import { header } from '../../wire/index.js';
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
} from '../../x402/index.js';
import { memoryArchive } from '../archive.js';
import { able } from '../variants/declaring.js';
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
const meet = ({ dialect, x402Version, settings, ...options }: PaymentClientOptions & { x402Version?: 1 | 2 } = {}) =>
  createPaymentClient({
    ...(dialect === undefined ? {} : { dialect }),
    ...options,
    settings: { ...(x402Version === undefined ? {} : { x402Version }), ...settings },
  });

const transaction = /^0x[0-9a-f]{64}$/;
const fine = (meeting: PaymentTranscript): void => expect(meeting.agent.crashes).toEqual([]);

async function expectPaid(meeting: PaymentTranscript, seen: Seen, word = 'heron'): Promise<void> {
  expect({ state: seen.state, status: statusOf(seen), error: errorOf(seen) }).toEqual({
    state: 'completed',
    status: 'payment-completed',
    error: undefined,
  });
  expect(seen.text).toContain(`Paid answer: ${word}`);
  expect(receiptsOf(seen).at(-1)).toMatchObject({ success: true, transaction: expect.stringMatching(transaction) });
  expect(await meeting.get(seen.id)).toEqual(seen);
}
async function expectUnpaid(meeting: PaymentTranscript, id: string): Promise<void> {
  const seen = await meeting.get(id);
  expect(seen.text).not.toContain('Paid answer');
  expect(seen.artifacts).toEqual([]);
  expect(receiptsOf(seen).filter(({ success }) => success === true)).toEqual([]);
}

describe.each(worlds)('$name', (world) => {
  test('asks, is paid, and answers', async () => {
    const meeting = await meet(world);
    const asked = await meeting.send('paid-echo heron');
    expect({ state: asked.state, status: statusOf(asked) }).toEqual({
      state: 'input-required',
      status: 'payment-required',
    });
    const { x402Version, options } = readOffer(asked.metadata[metadataKeys.required])!;
    expect(x402Version).toBe(world.x402Version);
    expect(options).toMatchObject([{ usable: true, amount: '10000', payTo: usualMerchant.payTo, ...local }]);
    expect(await meeting.get(asked.id)).toEqual(asked);
    await expectUnpaid(meeting, asked.id);

    const paying = meeting.paying(asked);
    const seen = await meeting.submit(asked.id, payment(paying));
    await expectPaid(meeting, seen);
    expect(seen.artifacts).toHaveLength(1);
    const [settlement, ...more] = await meeting.control.settlements();
    expect(more).toEqual([]);
    expect(settlement).toMatchObject({ to: usualMerchant.payTo, value: '10000', nonce: paying.nonce });
    expect(receiptsOf(seen)).toEqual([
      { success: true, transaction: settlement?.transaction, network: local.network, payer: meeting.wallet.address },
    ]);
    expect((await meeting.control.calls()).map(({ path }) => path)).toEqual(['/verify', '/settle']);
    fine(meeting);
  });

  test('what it says has the form of the documents', async () => {
    const inspector = createInspector('x402');
    const meeting = await meet(world);
    const failed = await meeting.pay('paid-report x', { value: '1' });
    const { asked, seen } = await meeting.pay();
    expect(statusOf(failed.seen)).toBe('payment-failed');
    for (const { metadata } of [asked, seen, failed.seen]) {
      expect(inspector.inspect('metadata.schema.json#/$defs/standalone', metadata).findings).toEqual([]);
    }
    for (const { path, request, answer } of await meeting.control.calls()) {
      const name = `facilitator.schema.json#/$defs${path}`;
      expect(inspector.inspect(`${name}.request`, request).findings).toEqual([]);
      expect(inspector.inspect(`${name}.response`, answer).findings).toEqual([]);
    }
    const card = (await meeting.http('GET', meeting.agent.world.spelling.cardPaths[0] ?? '')).json;
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
        const meeting = await meet({ ...world, settings: { order } });
        await meeting.control.setBehaviour({ behaviour, on, sticky: true });
        // Calls of 0.3 are answered after five seconds at the latest.
        const { asked } = await meeting.pay();
        await meeting.wait(10_000);
        const seen = await meeting.get(asked.id);
        const isHarmless = on === 'verify' && /settle|success|valid-then/.test(behaviour);
        expect([behaviour, on, seen.state]).toEqual([behaviour, on, isHarmless ? 'completed' : 'failed']);
        if (isHarmless) continue;
        expect(receiptsOf(seen)).toMatchObject([{ success: false, transaction: '', network: local.network }]);
        await expectUnpaid(meeting, asked.id);
        expect(await meeting.control.settlements()).toEqual([]);
        fine(meeting);
      }
    }
  });

  test('a settlement that is pending is asked for again', async () => {
    const meeting = await meet({ ...world, settings: { order: 'work-first' } });
    await meeting.control.setBehaviour({ behaviour: 'settlement-pending-once' });
    await expectPaid(meeting, (await meeting.pay()).seen);
    const [, first, second] = await meeting.control.calls();
    expect([first?.path, second?.path, second?.request]).toEqual(['/settle', '/settle', first?.request]);
    expect(await meeting.control.settlements()).toHaveLength(1);
  });

  test('an empty wallet', async () => {
    const meeting = await meet({ ...world, funds: '9999' });
    const { seen, made } = await meeting.pay();
    expect([seen.state, statusOf(seen), errorOf(seen)]).toEqual(['failed', 'payment-failed', 'INSUFFICIENT_FUNDS']);
    // Nothing was sent to be settled, so the same payment may be tried again.
    const again = await meeting.send('paid-echo heron');
    await meeting.control.fund(meeting.wallet.address, local, '1');
    await expectPaid(meeting, await meeting.submit(again.id, made));
  });

  test('a payment counts once', async () => {
    const meeting = await meet(world);
    const { asked, made, seen } = await meeting.pay();
    expect((await meeting.submit(asked.id, made)).code).toBe(-32004);
    for (const other of [made, ...Object.values(rewritings).map((rewrite) => rewrite(made))]) {
      const { id } = await meeting.send('paid-echo tern');
      const refused = await meeting.submit(id, other);
      expect([refused.state, errorOf(refused)]).toEqual(['failed', 'DUPLICATE_NONCE']);
      await expectUnpaid(meeting, id);
    }
    expect(await meeting.get(asked.id)).toEqual(seen);
    expect(await meeting.control.settlements()).toHaveLength(1);
  });

  test('a payment in other spellings is one', async () => {
    for (const [name, rewrite] of Object.entries(rewritings)) {
      const meeting = await meet(world);
      const asked = await meeting.send('paid-echo heron');
      const seen = await meeting.submit(asked.id, rewrite(payment(meeting.paying(asked))));
      // Which token contracts refuse.
      if (name === 'highS') expect([errorOf(seen), seen.artifacts]).toEqual(['INVALID_SIGNATURE', []]);
      else await expectPaid(meeting, seen);
    }
  });

  test('copies at once, for one task and for several', async () => {
    for (let round = 0; round < 25; round++) {
      const meeting = await meet(world);
      const asked = await Promise.all(Array.from({ length: 5 }, () => meeting.send('paid-echo heron')));
      const made = payment(meeting.paying(asked[0]!));
      await Promise.all(
        Array.from({ length: 10 }, (_, at) => meeting.submit(asked[round < 12 ? 0 : at % 5]!.id, made)),
      );
      const seen = await Promise.all(asked.map(({ id }) => meeting.get(id)));
      expect(seen.filter(({ text }) => text.includes('Paid answer'))).toHaveLength(1);
      expect(seen.flatMap(receiptsOf).filter(({ success }) => success === true)).toHaveLength(1);
      expect(await meeting.control.settlements()).toHaveLength(1);
      fine(meeting);
    }
  });

  test('two payments at once for one task', async () => {
    const meeting = await meet(world);
    const asked = await meeting.send('paid-echo heron');
    const answers = await Promise.all([0, 1].map(() => meeting.submit(asked.id, payment(meeting.paying(asked)))));
    expect(answers.map(({ code }) => code).sort()).toEqual([-32004, undefined]);
    expect(await meeting.control.settlements()).toHaveLength(1);
  });

  test('a payment belongs to its task', async () => {
    const meeting = await meet(world);
    const [cheap, dear] = [await meeting.send('paid-echo a'), await meeting.send('paid-report b')];
    const made = payment(meeting.paying(cheap));
    const refused = await meeting.submit(dear.id, made);
    expect([statusOf(refused), errorOf(refused)]).toEqual(['payment-failed', 'INVALID_AMOUNT']);
    const metadata = meeting.submission(made);
    expect((await meeting.send('paid-echo a', { metadata })).code).toBe(-32602);
    expect((await meeting.submit('unknown', made)).code).toBe(-32001);
    expect((await meeting.submit(cheap.id, made, { contextId: dear.contextId })).code).toBe(-32602);
    await expectUnpaid(meeting, cheap.id);
    await expectPaid(meeting, await meeting.submit(cheap.id, made), 'a');
    expect(await meeting.control.settlements()).toHaveLength(1);
  });

  test('tasks that have ended are not paid', async () => {
    const meeting = await meet(world);
    const asked = await meeting.send('paid-echo heron');
    expect((await meeting.cancel(asked.id)).state).toBe('canceled');
    expect((await meeting.submit(asked.id, payment(meeting.paying(asked)))).code).toBe(-32004);
    expect(await meeting.control.calls()).toEqual([]);
  });

  test('offers expire', async () => {
    const meeting = await meet({ ...world, settings: { maxTimeoutSeconds: 60 } });
    const [asked, other] = [await meeting.send('paid-echo heron'), await meeting.send('paid-echo tern')];
    await meeting.wait(61_000);
    const late = await meeting.submit(asked.id, payment(meeting.paying(asked)));
    expect([late.state, errorOf(late)]).toEqual(['failed', 'EXPIRED_PAYMENT']);
    const again = await meeting.send('And now?', { taskId: other.id });
    expect(again.metadata).toEqual(other.metadata);
    await expectPaid(meeting, await meeting.submit(other.id, payment(meeting.paying(other))), 'tern');
  });

  test('asks again for messages that do not pay', async () => {
    const meeting = await meet(world);
    const asked = await meeting.send('paid-echo heron');
    const receipts = [{ success: true, transaction: `0x${'1'.repeat(64)}`, network: local.network }];
    for (const metadata of [
      {},
      { [metadataKeys.status]: 'payment-verified' },
      { [metadataKeys.status]: 'payment-completed', [metadataKeys.receipts]: receipts },
      { [metadataKeys.status]: 7, [metadataKeys.payload]: [] },
      { [metadataKeys.status]: 'paid' },
    ]) {
      const again = await meeting.send('go on', { taskId: asked.id, metadata });
      expect([again.state, again.metadata]).toEqual(['input-required', asked.metadata]);
      await expectUnpaid(meeting, asked.id);
    }
    const empty = await meeting.send('go on', {
      taskId: asked.id,
      metadata: { [metadataKeys.status]: 'payment-submitted' },
    });
    expect(statusOf(empty)).toBe('payment-failed');
    fine(meeting);
  });

  test.each(['failed', 'input-required'] as const)('a rejected offer: %s', async (onRejection) => {
    const meeting = await meet({ ...world, settings: { onRejection } });
    const asked = await meeting.send('paid-echo heron');
    const metadata = { [metadataKeys.status]: 'payment-rejected' };
    const seen = await meeting.send('No.', { taskId: asked.id, metadata });
    expect([seen.state, statusOf(seen), receiptsOf(seen)]).toEqual([onRejection, 'payment-rejected', []]);
    await expectUnpaid(meeting, asked.id);
    const paid = await meeting.submit(asked.id, payment(meeting.paying(asked)));
    expect(paid.code ?? paid.state).toBe(onRejection === 'failed' ? -32004 : 'completed');
  });

  test.each(['input-required', 'ask-again'] as const)('a failure, then a payment: %s', async (onFailure) => {
    const meeting = await meet({ ...world, settings: { onFailure } });
    const { asked, seen: failed } = await meeting.pay('paid-echo heron', { value: '1' });
    expect(failed.state).toBe('input-required');
    expect(statusOf(failed)).toBe(onFailure === 'ask-again' ? 'payment-required' : 'payment-failed');
    expect(receiptsOf(failed)).toMatchObject([{ success: false, payer: meeting.wallet.address }]);
    const seen = await meeting.submit(asked.id, payment(meeting.paying(asked)));
    await expectPaid(meeting, seen);
    expect(receiptsOf(seen)).toEqual([receiptsOf(failed)[0], expect.objectContaining({ success: true })]);
  });

  test('receipts stay when the task is canceled', async () => {
    const meeting = await meet({ ...world, settings: { onFailure: 'input-required' } });
    const { asked, seen } = await meeting.pay('paid-echo heron', { value: '1' });
    await meeting.cancel(asked.id);
    const canceled = await meeting.get(asked.id);
    expect([canceled.state, receiptsOf(canceled)]).toEqual(['canceled', receiptsOf(seen)]);
  });

  test('canceled before it is settled nobody is charged, afterwards it cannot be', async () => {
    for (const on of ['verify', 'settle'] as const) {
      const meeting = await meet(world);
      const asked = await meeting.send('paid-echo heron');
      await meeting.control.setBehaviour({ behaviour: 'delay', delayMs: 1000, on });
      const paid = meeting.submit(asked.id, payment(meeting.paying(asked)));
      await meeting.wait(500);
      const canceled = await meeting.cancel(asked.id);
      const seen = await paid;
      if (on === 'settle') {
        expect(canceled.code).toBe(-32002);
        await expectPaid(meeting, seen);
      } else {
        expect([canceled.state, seen.state]).toEqual(['canceled', 'canceled']);
        await meeting.wait(2000);
        expect(await meeting.control.settlements()).toEqual([]);
        await expectUnpaid(meeting, asked.id);
      }
    }
  });

  test('charges in steps', async () => {
    const meeting = await meet({ ...world, settings: { steps: 2 } });
    const { asked, seen: half } = await meeting.pay();
    expect([half.state, statusOf(half), receiptsOf(half).length]).toEqual(['input-required', 'payment-required', 1]);
    const seen = await meeting.submit(asked.id, payment(meeting.paying(half)));
    await expectPaid(meeting, seen);
    expect(receiptsOf(seen)).toEqual([receiptsOf(half)[0], expect.objectContaining({ success: true })]);
    expect(await meeting.control.settlements()).toHaveLength(2);
  });

  test('knows its tasks and payments after a restart', async () => {
    const archive = memoryArchive();
    const first = await meet({ ...world, archive });
    const [{ made, asked }, open] = [await first.pay(), await first.send('paid-echo tern')];
    const busy = await first.send('paid-echo gull');
    await first.control.setBehaviour({ behaviour: 'delay', on: 'settle' });
    void first.submit(busy.id, payment(first.paying(busy))).catch(() => undefined);
    await first.wait(100);
    first.agent.stop();

    const facilitator = { url: 'http://f.test', carrier: first.facilitator.handle };
    const second = await meet({ ...world, archive, facilitator, seed: 2, clock: first.clock });
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
    const meeting = await meet({ ...world, patches: [able({ streaming: true })] });
    const asked = await meeting.send('paid-echo heron');
    const listen = async (made: unknown) => {
      const message = meeting.message('pay', { taskId: asked.id, metadata: meeting.submission(made) });
      const listening = await meeting.listen(meeting.method('stream'), { message });
      return listening.rest();
    };
    const events = (await listen(payment(meeting.paying(asked)))).map(({ result }) => {
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
    await expectPaid(meeting, await meeting.get(asked.id));
  });
});

describe.each(dialects)('activation in $id', (dialect) => {
  const { v01, v02 } = extensionUris;
  const names = ['X-A2A-Extensions', 'a2a-extensions'];
  const required = dialect.id === 'a2a-1.0' ? -32008 : -32600;

  test.each(names)('by the header %s, named in the answer', async (name) => {
    const meeting = await meet({ dialect, headers: dialect.headers });
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: meeting.method('send'),
      params: { message: meeting.message('paid-echo x') },
    });
    const headers = [['content-type', 'application/json'], ...dialect.headers, [name, `urn:other,  ${v01} `]] as const;
    const answer = await meeting.http('POST', dialect.endpointPath || '/', headers, body);
    expect(header(answer.headers, name)).toBe(v01);
    expect(answer.headers.filter(([one]) => /a2a-extensions/i.test(one))).toHaveLength(1);
    expect(statusOf(meeting.read(answer.json))).toBe('payment-required');
  });

  test.each([[], [`${v01}0`], [v01.slice(0, -1)], [v02], [v01.toUpperCase()]])('not by %j', async (...uris) => {
    const headers = uris.map((uri) => ['A2A-Extensions', uri] as const);
    for (const settings of [{ required: true }, { required: false }]) {
      const meeting = await meet({ dialect, headers: [...dialect.headers, ...headers], settings });
      expect((await meeting.send('paid-echo x')).code).toBe(required);
      expect((await meeting.send('hello')).code).toBe(settings.required ? required : undefined);
    }
  });

  test('by either of two', async () => {
    for (const uri of [v01, v02]) {
      const headers = [...dialect.headers, [dialect.extensionHeader, uri] as const];
      const meeting = await meet({ dialect, headers, settings: { uris: [v01, v02] } });
      expect(statusOf(await meeting.send('paid-echo x'))).toBe('payment-required');
    }
  });

  test('without an echo', async () => {
    const meeting = await meet({ dialect, settings: { echo: false } });
    expect(statusOf(await meeting.send('paid-echo x'))).toBe('payment-required');
  });
});

test('other work is free', async () => {
  const meeting = await meet();
  const seen = await meeting.send('hello');
  expect([seen.state, seen.metadata]).toEqual(['completed', undefined]);
  expect(seen.text).toContain('You said: hello');
  expect((await meeting.send('tck-input-required')).metadata).toBeUndefined();
});

test('other tokens, several of them, each of which can be paid', async () => {
  const other = { ...localToken, asset: throwawayWallet(() => new Uint8Array(32).fill(3)).address, name: 'Other' };
  const sepolia = tokens.find(({ chainId }) => chainId === 84532n)!;
  for (const x402Version of [1, 2] as const) {
    for (const option of [0, 1]) {
      const meeting = await meet({ x402Version, settings: { tokens: [localToken, sepolia, other] } });
      await meeting.control.fund(meeting.wallet.address, { network: 'base-sepolia', asset: sepolia.asset }, '10000');
      const asked = await meeting.send('paid-echo heron');
      const seen = await meeting.submit(asked.id, payment(meeting.paying(asked, undefined, option)));
      await expectPaid(meeting, seen);
      const network = option === 0 ? local.network : x402Version === 1 ? 'base-sepolia' : 'eip155:84532';
      expect(readReceipts(receiptsOf(seen))).toMatchObject([{ network }]);
    }
  }
});
