import { describe, expect, test } from 'vitest';
import { isObject, type Task } from '../../../src/model/index.js';
import { edited, onCard, onResult, without } from '../../../src/reference/edits.js';
import { type Patch, together } from '../../../src/reference/seams.js';
import { sleep } from '../../../src/wire/index.js';
import {
  type DefectId,
  defects,
  domainOf,
  extensionUris,
  headerEntries,
  localToken,
  metadataKeys,
  payment,
  readOffer,
  recoverAuthorization,
  rewritings,
} from '../payments/index.js';
import { believing, onSeller, onX402, selling } from './patches.js';
import {
  createPaymentClient,
  errorOf,
  type PaymentClientOptions,
  type PaymentTranscript,
  receiptsOf,
  type Seen,
  statusOf,
} from './payer.js';

// That each weakness of the table is one short patch, and can be seen from outside. The right agent shows none of them.

const wrong = '0x'.padEnd(66, '0');
const isPaid = (seen: Seen): boolean => statusOf(seen) === 'payment-completed' && seen.text.includes('Paid answer');
const paidTwice = believing((reason) => /nonce/.test(reason));
const forgetful = together(
  onX402(() => ({ claim: () => true })),
  paidTwice,
);

/** Whether the weakness shows. */
type Probe = (purchase: PaymentTranscript) => Promise<boolean>;

const defective =
  (id: DefectId): Probe =>
  async (purchase) => {
    const asked = await purchase.send('paid-echo heron');
    return isPaid(await purchase.submit(asked.id, defects[id].make(purchase.paying(asked))));
  };
const replayed =
  (rewrite: (typeof rewritings)[keyof typeof rewritings] = (paymentPayload) => paymentPayload): Probe =>
  async (purchase) => {
    const { made } = await purchase.pay();
    const other = await purchase.send('paid-echo tern');
    return isPaid(await purchase.submit(other.id, rewrite(made)));
  };
const settles: Probe = async (purchase) => {
  await purchase.control.setBehaviour({ behaviour: 'settle-fails' });
  const { asked } = await purchase.pay();
  return (await purchase.get(asked.id)).text.includes('Paid answer');
};
const raced =
  (tasks: number): Probe =>
  async (purchase) => {
    const asked = await Promise.all(Array.from({ length: tasks }, () => purchase.send('paid-echo heron')));
    const made = payment(purchase.paying(asked[0]!));
    await Promise.all(Array.from({ length: 10 }, (_, at) => purchase.submit(asked[at % tasks]!.id, made)));
    await purchase.wait(1000);
    const seen = await Promise.all(asked.map(({ id }) => purchase.get(id)));
    return seen.flatMap((item) => item.artifacts).length > 1;
  };
const claims =
  (metadata: object): Probe =>
  async (purchase) => {
    const asked = await purchase.send('paid-echo heron');
    await purchase.send('go on', { taskId: asked.id, metadata });
    await purchase.wait(100);
    return (await purchase.get(asked.id)).text.includes('Paid answer');
  };
const failure =
  (shows: (seen: Seen, before: Seen) => boolean): Probe =>
  async (purchase) => {
    const first = await purchase.pay('paid-echo heron', { value: '1' });
    const again = await purchase.submit(first.asked.id, payment(purchase.paying(first.asked)));
    return shows(first.seen, again);
  };
const shown =
  (shows: (asked: Seen, seen: Seen) => boolean): Probe =>
  async (purchase) => {
    const { asked, seen } = await purchase.pay();
    return shows(asked, seen);
  };
const inactive =
  (uri: string): Probe =>
  async (purchase) =>
    (await purchase.send('paid-echo x', {}, uri === '' ? [] : [['X-A2A-Extensions', uri]])).code === undefined;

const changing = (edit: (requirements: Record<string, unknown>, value: string, to: string) => object): Patch =>
  onX402((inner) => ({
    request(attempt) {
      const body = inner.request(attempt);
      const { value, to } = attempt.payment.payload.authorization;
      const requirements = { ...(body['paymentRequirements'] as object) };
      return { ...body, paymentRequirements: { ...requirements, ...edit(requirements, value, to) } };
    },
  }));
const onOption = (edit: (option: Record<string, unknown>) => object): Patch =>
  onX402((inner) => ({
    offer(skill, step) {
      const offer = inner.offer(skill, step);
      const accepts = (offer['accepts'] as Record<string, unknown>[]).map((item) => ({ ...item, ...edit(item) }));
      return { ...offer, accepts };
    },
  }));
const onMetadata = (edit: (metadata: Record<string, unknown>) => Record<string, unknown>): Patch =>
  onX402((inner) => ({
    metadata(account, state) {
      const metadata = inner.metadata(account, state);
      return metadata && edit({ ...metadata });
    },
  }));

const mutants: readonly (readonly [string, Patch, Probe, PaymentClientOptions?])[] = [
  ['no memory of nonces', forgetful, replayed()],
  [
    'a memory for each task',
    together(
      onX402((inner) => ({ mark: (attempt) => `${attempt.account.taskId} ${inner.mark(attempt)}` })),
      paidTwice,
    ),
    replayed(),
  ],
  [
    'letters of a nonce count',
    together(
      onX402(() => ({ mark: ({ payment: { payload } }) => payload.authorization.nonce })),
      paidTwice,
    ),
    replayed(rewritings.nonceCase),
  ],
  [
    'looks, waits, takes a note; several tasks',
    together(
      onX402((inner, { clock }) => {
        const used = new Set<string>();
        return {
          async claim(attempt) {
            const mark = inner.mark(attempt);
            if (used.has(mark)) return false;
            await sleep(clock, 1);
            used.add(mark);
            return true;
          },
        };
      }),
      paidTwice,
    ),
    raced(5),
  ],
  [
    'several payments of one task at once',
    together(
      forgetful,
      onX402((_, __, { x402 }) => ({
        meanwhile: (account, message) => void x402.pay(account, message) as undefined,
      })),
      (inner) => ({
        transition: (task, event) =>
          event.type === 'artifact' ? inner.transition(revived(task), event) : inner.transition(task, event),
      }),
    ),
    raced(1),
  ],
  ['more is enough', changing((_, value) => (BigInt(value) > 10000n ? { amount: value } : {})), defective('n02')],
  ['less is enough', changing((_, value) => (BigInt(value) < 10000n ? { amount: value } : {})), defective('n01')],
  ['value unchecked', believing((reason) => /_value/.test(reason)), defective('n03')],
  [
    'trusts accepted',
    onX402(() => ({
      match: (offer, made) =>
        readOffer({ ...offer.raw, accepts: [made.x402Version === 2 ? made.accepted : {}] })!.options[0]!,
    })),
    defective('n28'),
  ],
  ['recipient unchecked', changing((_, __, to) => ({ payTo: to })), defective('n05')],
  [
    'network unchecked',
    together(
      onX402(() => ({ match: (offer) => offer.options[0]! })),
      believing((reason) => /network/.test(reason)),
    ),
    defective('n26'),
  ],
  ['signature unchecked', believing((reason) => /signature/.test(reason)), defective('n18')],
  [
    'recovers, and does not compare',
    believing((reason, { option, payment: { payload } }) => {
      const signer = recoverAuthorization(domainOf(option)!, payload.authorization, payload.signature);
      return /signature/.test(reason) && signer !== undefined;
    }),
    defective('n11'),
  ],
  [
    'a high s',
    believing((reason, { option, payment: { payload } }) => {
      const { authorization, signature } = payload;
      const signer = recoverAuthorization(domainOf(option)!, authorization, signature, { lenient: true });
      return /signature/.test(reason) && signer === authorization.from;
    }),
    defective('n25'),
  ],
  ['validBefore ignored', believing((reason) => /valid_before/.test(reason)), defective('n14')],
  ['validAfter ignored', believing((reason) => /valid_after/.test(reason)), defective('n16')],
  [
    'no look at the money',
    believing((reason) => /insufficient/.test(reason)),
    shown((_, seen) => isPaid(seen)),
    { funds: '0' },
  ],
  [
    'one offer for all tasks',
    onX402(() => {
      let newest: Record<string, unknown> | undefined;
      return {
        offerFor(account) {
          newest ??= account.offer;
          return newest;
        },
      };
    }),
    async (purchase) => {
      const cheap = await purchase.send('paid-echo a');
      await purchase.submit(cheap.id, payment(purchase.paying(cheap)));
      const dear = await purchase.send('paid-report b');
      return isPaid(await purchase.submit(dear.id, payment(purchase.paying(cheap))));
    },
  ],
  [
    'the task id may be left out',
    together(
      onX402(() => ({ unbound: () => undefined })),
      onSeller((inner, { store }, { x402 }) => ({
        execute(command, call) {
          if (command.op !== 'send' || x402.intent(command.params.message) !== 'pay')
            return inner.execute(command, call);
          const taskId = command.params.message.taskId ?? store.all().at(-1)?.id ?? '';
          return inner.execute({ ...command, params: { message: { ...command.params.message, taskId } } }, call);
        },
      })),
    ),
    async (purchase) => {
      const asked = await purchase.send('paid-echo heron');
      const metadata = purchase.submission(payment(purchase.paying(asked)));
      return isPaid(await purchase.send('paid-echo heron', { metadata }));
    },
  ],
  [
    'tasks that have ended are paid',
    onSeller((inner, _, { x402 }) => ({
      refusal(command, task) {
        const account = x402.account(task);
        const found = inner.refusal(command, task);
        if (command.op !== 'send' || account === undefined || found === undefined) return found;
        x402.pay(account, command.params.message);
        return undefined;
      },
      transition: (task, event) => inner.transition(x402.account(task) ? revived(task) : task, event),
    })),
    async (purchase) => {
      const asked = await purchase.send('paid-echo heron');
      await purchase.cancel(asked.id);
      await purchase.submit(asked.id, payment(purchase.paying(asked)));
      await purchase.wait(100);
      return (await purchase.control.settlements()).length > 0;
    },
  ],
  [
    'believes the client',
    onX402((inner, _, { x402 }) => ({
      answer(account, message) {
        const done = message.metadata?.[metadataKeys.status] === 'payment-completed';
        return done ? x402.deliver(account, x402.work(account)) : inner.answer(account, message);
      },
    })),
    claims({ [metadataKeys.status]: 'payment-completed' }),
  ],
  [
    'rejections are ignored',
    onX402((inner, _, { x402 }) => ({
      answer: (account, message) =>
        x402.intent(message) === 'reject' ? x402.deliver(account, x402.work(account)) : inner.answer(account, message),
    })),
    claims({ [metadataKeys.status]: 'payment-rejected' }),
  ],
  [
    'the work is given before it is paid',
    onX402((inner, _, { x402 }) => ({
      async settle(attempt) {
        x402.publish(attempt.account, { type: 'artifact', name: 'answer', parts: x402.work(attempt.account) });
        return inner.settle(attempt);
      },
    })),
    settles,
  ],
  [
    'the work is told in the text of the failure',
    onX402((inner, _, { x402 }) => ({
      words: (account, state) => `${inner.words(account, state)} ${JSON.stringify(x402.work(account))}`,
    })),
    settles,
  ],
  [
    'nothing is settled',
    onX402(() => ({ settle: async () => wrong })),
    async (purchase) => {
      const { seen } = await purchase.pay();
      return isPaid(seen) && (await purchase.control.settlements()).length === 0;
    },
  ],
  [
    'receipts are no array',
    onMetadata((metadata) => ({
      ...metadata,
      [metadataKeys.receipts]: (metadata[metadataKeys.receipts] as unknown[])?.[0],
    })),
    shown((_, seen) => isObject(seen.metadata[metadataKeys.receipts])),
  ],
  [
    'receipts are overwritten',
    onX402((inner) => ({ receiptsFor: (account) => inner.receiptsFor(account).slice(-1) })),
    failure((_, again) => isPaid(again) && receiptsOf(again).length === 1),
    { settings: { onFailure: 'input-required' } },
  ],
  [
    'receipts are missing in tasks/get',
    onResult('get', (task) =>
      edited(task, 'status.message.metadata', (metadata) => ({
        ...(metadata as object),
        [metadataKeys.receipts]: [],
      })),
    ),
    async (purchase) => {
      const { asked, seen } = await purchase.pay();
      return receiptsOf(await purchase.get(asked.id)).length < receiptsOf(seen).length;
    },
  ],
  [
    'no code',
    onMetadata(({ [metadataKeys.error]: _, ...rest }) => rest),
    failure((seen) => errorOf(seen) === undefined),
  ],
  [
    'failed, and completed',
    onX402(() => ({ stateAfter: () => 'completed' })),
    failure((seen) => seen.state === 'completed'),
  ],
  [
    'no echo',
    selling({ echo: false }),
    async (purchase) => {
      const params = { message: purchase.message('paid-echo x') };
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'message/send', params });
      const headers = [
        ['content-type', 'application/json'],
        ['X-A2A-Extensions', extensionUris.v01],
      ] as const;
      const answer = await purchase.http('POST', '/', headers, body);
      return answer.status === 200 && !answer.headers.some(([name]) => /extensions/i.test(name));
    },
  ],
  [
    'part of a URI activates',
    onX402((_, __, { x402 }) => ({
      isActive: ({ headers }) =>
        headers.some(([, value]) =>
          headerEntries(value).some((headerEntry) => x402.settings().uris.some((uri) => headerEntry.includes(uri))),
        ),
    })),
    inactive(`${extensionUris.v01}0`),
    { headers: [] },
  ],
  ['activation is ignored', onX402(() => ({ isActive: () => true })), inactive(''), { headers: [] }],
  [
    'the amount is a number',
    onOption(({ amount }) => ({ amount: Number(amount) })),
    async (purchase) => JSON.stringify((await purchase.send('paid-echo x')).metadata).includes('"amount":10000'),
  ],
  [
    'a network name of version 1',
    onOption(() => ({ network: 'base-sepolia' })),
    async (purchase) => JSON.stringify((await purchase.send('paid-echo x')).metadata).includes('base-sepolia'),
  ],
  [
    'the card does not declare it',
    onCard((card) => without(card, 'capabilities.extensions')),
    async (purchase) => !(await purchase.http('GET', '/.well-known/agent-card.json')).text.includes(extensionUris.v01),
  ],
];

/** A task that has ended, as if it had not. */
const revived = (task: Task): Task =>
  ['completed', 'failed', 'canceled'].includes(task.status.state)
    ? { ...task, status: { ...task.status, state: 'working' } }
    : task;

describe.each(mutants.map(([name, patch, probe, options = {}]) => ({ name, patch, probe, options })))(
  '$name',
  ({ patch, probe, options }) => {
    test('shows', async () => {
      const purchase = await createPaymentClient({ ...options, patches: [patch] });
      expect(await probe(purchase)).toBe(true);
      expect(purchase.agent.crashes).toEqual([]);
    });

    test('and the right agent does not', async () => {
      const purchase = await createPaymentClient(options);
      expect(await probe(purchase)).toBe(false);
      expect(purchase.agent.crashes).toEqual([]);
    });
  },
);

test('a crash over what is malformed refuses the call, and the task lives', async () => {
  const crashing = onX402((inner) => ({
    payment(message, offer) {
      const payload = message.metadata?.[metadataKeys.payload] as { payload: { signature: string } };
      void payload.payload.signature.length;
      return inner.payment(message, offer);
    },
  }));
  const purchase = await createPaymentClient({ patches: [crashing] });
  const asked = await purchase.send('paid-echo heron');
  expect((await purchase.submit(asked.id, {})).code).toBe(-32603);
  expect(isPaid(await purchase.submit(asked.id, payment(purchase.paying(asked))))).toBe(true);
  expect(localToken.chainId).toBe(31337n);
});
