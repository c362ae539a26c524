import type { JsonObject, TaskState } from '../../../src/model/index.js';
import type { World } from '../../../src/reference/patching.js';
import { metadataKeys, type Status } from '../payments/index.js';
import type { X402Whole } from './patches.js';
import type { Account, X402Seams } from './seams.js';

export type PaymentMetadataSeams = Pick<
  X402Seams,
  'receiptsFor' | 'metadata' | 'words' | 'publish' | 'receipt' | 'code'
>;

/**
 * The codes of the extension for the reasons of facilitators, by the first pattern that fits. a2a-x402 v0.1 §8.1, v0.2
 * §9.1.
 */
const codes = [
  [/insufficient/, 'INSUFFICIENT_FUNDS'],
  [/nonce/, 'DUPLICATE_NONCE'],
  [/valid_(before|after)|expired/, 'EXPIRED_PAYMENT'],
  [/network/, 'NETWORK_MISMATCH'],
  [/_value|amount/, 'INVALID_AMOUNT'],
  [/unexpected|transaction|transfer|simulation|settle/, 'SETTLEMENT_FAILED'],
] as const;

const said: Readonly<Record<Status, string>> = {
  'payment-required': 'This costs something: pay to go on.',
  'payment-submitted': 'Looking at the payment.',
  'payment-rejected': 'Nothing was paid, and nothing was done.',
  'payment-verified': 'The payment is valid.',
  'payment-completed': 'The payment has arrived.',
  'payment-failed': 'The payment failed',
};

/** What clients learn of a payment. a2a-x402 v0.1 §4 to §6. */
export function paymentMetadata({ store }: World, whole: X402Whole): PaymentMetadataSeams {
  return {
    receiptsFor: ({ receipts }) => receipts,
    metadata(account, state) {
      const status = shownStatus(account, state);
      if (status === undefined) return undefined;
      const receipts = whole.x402.receiptsFor(account);
      const { code } = account.error ?? {};
      return {
        [metadataKeys.status]: status,
        ...(status === 'payment-required' ? { [metadataKeys.required]: account.offer } : {}),
        ...(status === 'payment-failed' && code !== undefined ? { [metadataKeys.error]: code } : {}),
        ...(receipts.length > 0 ? { [metadataKeys.receipts]: receipts } : {}),
      };
    },
    words(account, state) {
      if (state === 'completed') return 'Done.';
      const status = shownStatus(account, state) ?? account.status;
      return status === 'payment-failed' ? `${said[status]}: ${account.error?.reason ?? 'unknown'}.` : said[status];
    },
    publish({ taskId }, act) {
      const task = store.get(taskId);
      if (task === undefined) return;
      const event = whole.stamp(act, task);
      const next = whole.transition(task, event);
      if (next !== task) store.publish(next, event);
    },
    receipt(account, outcome, attempt) {
      const success = 'transaction' in outcome;
      const payer = attempt?.payment.payload.authorization.from;
      return {
        success,
        transaction: success ? outcome.transaction : '',
        network: attempt?.option.network ?? firstNetwork(account.offer),
        ...(payer === undefined ? {} : { payer }),
        ...(success ? {} : { errorReason: outcome.reason }),
      };
    },
    code: (reason) => codes.find(([pattern]) => pattern.test(reason))?.[1] ?? 'INVALID_SIGNATURE',
  };
}

/** The payment status that is shown with a state; undefined: none. */
function shownStatus({ status, receipts }: Account, state: TaskState): Status | undefined {
  if (state === 'canceled') {
    if (receipts.length === 0) return undefined;
    return status === 'payment-failed' ? status : 'payment-rejected';
  }
  const isWaiting = status === 'payment-required' || status === 'payment-rejected' || status === 'payment-failed';
  // Between a message and its answer the task is at work for a moment; receipts are still shown.
  if (state !== 'working' || !isWaiting) return status;
  const last = receipts.at(-1);
  if (last === undefined) return undefined;
  return last['success'] === true ? 'payment-completed' : 'payment-failed';
}

/** For a payment that names no option: the offer has at least one. */
function firstNetwork(offer: JsonObject): string {
  const accepts = offer['accepts'] as readonly JsonObject[];
  return String(accepts[0]?.['network']);
}
