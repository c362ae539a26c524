import { type Message, member, type TaskState } from '../../../src/model/index.js';
import { RpcFailure, said, type World } from '../../../src/reference/patching.js';
import { flowOf, metadataKeys, readOffer, readStatus } from '../payments/index.js';
import type { X402Whole } from './patches.js';
import { type Account, type Attempt, PaymentRefusal, type X402Seams } from './seams.js';

export type PaymentFlowSeams = Pick<
  X402Seams,
  | 'intent'
  | 'unbound'
  | 'meanwhile'
  | 'answer'
  | 'pay'
  | 'resumed'
  | 'onSettled'
  | 'onRefused'
  | 'stateAfter'
  | 'work'
  | 'deliver'
>;

const stepMs = 5;
/** The reason where the outcome of a payment is unknown. */
const unknown = 'unexpected_settle_error';

/** Takes payments, and delivers the paid work. a2a-x402 v0.1 §4, §6; x402 A2A transport, Payment Flow. */
export function paymentFlow({ clock, store }: World, whole: X402Whole): PaymentFlowSeams {
  const soon = (then: () => void): void => void clock.after(stepMs, then);
  const isOpen = ({ taskId }: Account): boolean => store.get(taskId)?.status.state === 'working';

  function tell(account: Account, status: Account['status'], state: TaskState): void {
    account.status = status;
    whole.x402.publish(account, { type: 'status', state, say: whole.x402.words(account, state) });
  }
  function ask(account: Account): void {
    account.askedAt = clock.now();
    tell(account, 'payment-required', 'input-required');
  }

  async function settle(attempt: Attempt, claimed: boolean | Promise<boolean>): Promise<void> {
    const { account } = attempt;
    let hasClaim = false;
    try {
      hasClaim = await claimed;
      if (!hasClaim) throw new PaymentRefusal('invalid_exact_evm_nonce_already_used');
      const isUpfront = flowOf(attempt.option) === 'upfront';
      const refusal = isUpfront ? undefined : await whole.x402.verify(attempt);
      if (refusal !== undefined) throw refusal;
      // Canceled meanwhile: the agent charges no client.
      if (!isOpen(account)) return whole.x402.release(attempt);
      if (!isUpfront) tell(account, 'payment-verified', 'working');
      const made = whole.x402.settings().order === 'work-first' ? whole.x402.work(account) : undefined;
      account.underWay = 'settling';
      // A payment that was sent to be settled may be settled, whatever the answer is: its claim stays.
      hasClaim = false;
      const settled = await whole.x402.settle(attempt);
      if (typeof settled !== 'string') throw settled;
      whole.x402.onSettled(attempt, settled);
      tell(account, 'payment-completed', 'working');
      whole.x402.deliver(account, made ?? whole.x402.work(account));
    } catch (cause) {
      if (hasClaim) whole.x402.release(attempt);
      whole.x402.onRefused(account, cause instanceof PaymentRefusal ? cause : new PaymentRefusal(unknown), attempt);
    }
  }

  return {
    intent({ metadata }) {
      const status = readStatus(metadata);
      if (status === 'payment-submitted') return 'pay';
      return status === 'payment-rejected' ? 'reject' : 'other';
    },
    unbound: (message) =>
      whole.x402.intent(message) === 'pay' || member(message.metadata, metadataKeys.payload) !== undefined
        ? new RpcFailure('InvalidParams', 'a payment must name the task that it pays', 'message.taskId')
        : undefined,
    meanwhile: () => new RpcFailure('UnsupportedOperation', 'a payment of this task is under way'),
    answer(account, message) {
      const intent = whole.x402.intent(message);
      if (intent === 'pay') return whole.x402.pay(account, message);
      soon(() => {
        if (intent === 'reject') tell(account, 'payment-rejected', whole.x402.stateAfter('rejection'));
        else ask(account);
      });
    },
    pay(account, message) {
      const begun = begin(account, message);
      account.status = 'payment-submitted';
      account.underWay = 'verifying';
      if (begun instanceof PaymentRefusal) soon(() => whole.x402.onRefused(account, begun, undefined));
      else void settle(begun.attempt, begun.claimed);
    },
    resumed(account) {
      if (account.status === 'payment-completed') {
        soon(() => whole.x402.deliver(account, whole.x402.work(account)));
      } else if (account.status === 'payment-submitted' || account.status === 'payment-verified') {
        soon(() => whole.x402.onRefused(account, new PaymentRefusal(unknown), undefined));
      } else soon(() => ask(account));
      return { reply: 'task', steps: [] };
    },
    onSettled(attempt, transaction) {
      const { account } = attempt;
      account.receipts = [...account.receipts, whole.x402.receipt(account, { transaction }, attempt)];
      account.error = undefined;
      account.step++;
    },
    onRefused(account, { reason }, attempt) {
      account.receipts = [...account.receipts, whole.x402.receipt(account, { reason }, attempt)];
      account.error = { code: whole.x402.code(reason), reason };
      account.underWay = 'no';
      const asksAgain = whole.x402.settings().onFailure === 'ask-again';
      tell(account, 'payment-failed', asksAgain ? 'working' : whole.x402.stateAfter('failure'));
      if (asksAgain) soon(() => ask(account));
    },
    stateAfter(event) {
      const { onFailure, onRejection } = whole.x402.settings();
      if (event === 'rejection') return onRejection;
      return onFailure === 'ask-again' ? 'input-required' : onFailure;
    },
    work: ({ message, skill }) => [
      { kind: 'text', text: `Paid answer: ${said(message).trim().slice(skill.id.length).trim()}` },
    ],
    deliver(account, parts) {
      soon(() => {
        whole.x402.publish(account, { type: 'artifact', name: 'answer', parts });
        const isDone = account.step >= whole.x402.settings().steps;
        if (!isDone) account.offer = whole.x402.offer(account.skill, account.step);
        soon(() => {
          account.underWay = 'no';
          if (isDone) tell(account, 'payment-completed', 'completed');
          else ask(account);
        });
      });
    },
  };

  /** Everything that runs without waiting; of many concurrent copies, the first gets the claim. */
  function begin(account: Account, message: Message) {
    try {
      const offer = readOffer(whole.x402.offerFor(account));
      if (offer === undefined) throw new PaymentRefusal('invalid_payment_requirements');
      const payment = whole.x402.payment(message, offer);
      const option = whole.x402.match(offer, payment);
      whole.x402.timely(account, option);
      const attempt: Attempt = { account, offer, payment, option };
      return { attempt, claimed: whole.x402.claim(attempt) };
    } catch (cause) {
      if (cause instanceof PaymentRefusal) return cause;
      throw cause;
    }
  }
}
