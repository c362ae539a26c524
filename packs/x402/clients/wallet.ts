import { randomBytes } from 'node:crypto';
import type { ClientPatch, Parts, World } from '../../../fixtures/clients/shared/parts.js';
import { type Message, member, type SendReply, type Task } from '../../../src/model/index.js';
import {
  caip2Of,
  isX402Extension,
  metadataKeys,
  type Offer,
  type Option,
  type Paying,
  type PaymentPayload,
  payment,
  readOffer,
  readReceipts,
  readStatus,
  throwawayWallet,
  tokenOf,
} from '../payments/index.js';

// The wallet of the reference client (a2a-x402 v0.1 §4; x402 core v1 §5, v2 §5). It signs an offer of a task once, and
// only within what the errand allows.

const metadataOf = ({ status }: Task): unknown => status.message?.metadata;

/** The offer that a task waits for; undefined: none. */
function offerOf(task: Task): Offer | undefined {
  const metadata = metadataOf(task);
  const isAsked = task.status.state === 'input-required' && readStatus(metadata) === 'payment-required';
  return isAsked ? readOffer(member(metadata, metadataKeys.required)) : undefined;
}

/** How a client pays. */
export interface WalletParts {
  /** 32 bytes in hex, used once. */
  nonce(): string;
  /** The option of an offer that is paid; undefined: none, and the offer is rejected. */
  option(offer: Offer): Option | undefined;
  /** The signed payment of an option; `more`: other values than the right ones. */
  paid(offer: Offer, option: Option, more?: Partial<Paying>): PaymentPayload;
  /** The message about an offer on a task: it pays or rejects. undefined: nothing is said. */
  settlement(task: Task, offer: Offer): Message | undefined;
}

const walletIn = ({ parts }: Parts): WalletParts => parts['x402'] as WalletParts;

/** What makes the reference client one that pays. */
export const paying: ClientPatch = (inner, world, whole) => ({
  parts: { ...inner.parts, x402: wallet(world, whole) },
  paysBy: isX402Extension,
  pay: payer(whole),
  receipt(task) {
    const last = readReceipts(member(metadataOf(task), metadataKeys.receipts))?.at(-1);
    return last?.success === true && last.transaction !== undefined ? { transaction: last.transaction } : {};
  },
});

function wallet({ errand }: World, whole: Parts): WalletParts {
  const { key = '', most = '0', network = '' } = errand.wallet ?? {};
  return {
    nonce: () => `0x${randomBytes(32).toString('hex')}`,
    option: ({ options }) =>
      options.find(
        (option) =>
          option.usable &&
          option.chainId !== undefined &&
          caip2Of(option.chainId) === network &&
          tokenOf(option.chainId, option.asset) !== undefined &&
          BigInt(option.amount) <= BigInt(most),
      ),
    paid: (offer, option, more = {}) =>
      payment({
        offer,
        option,
        wallet: throwawayWallet(() => new Uint8Array(Buffer.from(key, 'hex'))),
        now: Math.floor(Date.now() / 1000),
        nonce: walletIn(whole).nonce(),
        ...more,
      }),
    settlement(task, offer) {
      const option = walletIn(whole).option(offer);
      const { contextId } = task;
      const plain = whole.message(option === undefined ? 'I do not pay that.' : 'Here is the payment.', {
        taskId: task.id,
        contextId,
      });
      const metadata =
        option === undefined
          ? { [metadataKeys.status]: 'payment-rejected' }
          : { [metadataKeys.status]: 'payment-submitted', [metadataKeys.payload]: walletIn(whole).paid(offer, option) };
      return { ...plain, metadata };
    },
  };
}

/** Answers each offer once. */
function payer(whole: Parts): Parts['pay'] {
  const answered = new Set<string>();
  return async (so) => {
    const { task } = so;
    const offer = task === undefined ? undefined : offerOf(task);
    if (task === undefined || offer === undefined || answered.has(task.id)) return so;
    answered.add(task.id);
    const message = walletIn(whole).settlement(task, offer);
    if (message === undefined) return so;
    const reply = (await whole.call('send', { message })) as SendReply;
    if (reply.type === 'message') return { ...so, message: reply.message };
    return whole.follow(whole.collect(so, { type: 'task', task: reply.task }));
  };
}
