import { type Fault, fault } from '../../../fixtures/faults/shared/fault.js';
import type { Patch } from '../../../src/reference/patching.js';
import { believing, onX402 } from '../agent/index.js';
import { metadataKeys, readStatus } from '../payments/index.js';

type Metadata = Record<string, unknown>;

/** Edits the metadata of payments that failed. */
const onFailure = (edit: (metadata: Metadata) => Metadata): Patch =>
  onX402((inner) => ({
    metadata(account, state) {
      const metadata = inner.metadata(account, state);
      return metadata !== undefined && readStatus(metadata) === 'payment-failed' ? edit({ ...metadata }) : metadata;
    },
  }));

/** Edits the receipts of payments that failed. */
const onFailedReceipt = (edit: (receipt: Metadata) => Metadata): Patch =>
  onX402((inner) => ({
    receipt(account, outcome, attempt) {
      const receipt = inner.receipt(account, outcome, attempt);
      return 'transaction' in outcome ? receipt : edit({ ...receipt });
    },
  }));

export const faults: readonly Fault[] = [
  fault('x402-wrong-payments-stick', {
    about: 'The agent does not report a refused payment, and its task is at work forever.',
    breaks: ['x402.failure-status'],
    patch: onX402(() => ({ onRefused: () => undefined })),
  }),
  fault('x402-funds-not-looked-at', {
    about: 'The agent does not check whether the payer has the money.',
    breaks: ['x402.unfunded'],
    patch: believing((reason) => /insufficient/.test(reason)),
  }),
  fault('x402-one-code-for-all', {
    about: 'Whatever is wrong with a payment, the code is INVALID_SIGNATURE.',
    breaks: ['x402.failure-code', 'x402.unfunded-code'],
    patch: onX402(() => ({ code: () => 'INVALID_SIGNATURE' })),
  }),
  fault('x402-codes-of-its-own', {
    about: 'Codes are those of the facilitator, which the extension does not know.',
    breaks: ['x402.failure-code-listed', 'x402.failure-code', 'x402.unfunded-code'],
    patch: onX402((inner) => ({
      metadata(account, state) {
        const metadata = inner.metadata(account, state);
        return metadata?.[metadataKeys.error] === undefined
          ? metadata
          : { ...metadata, [metadataKeys.error]: account.error?.reason };
      },
    })),
  }),
  fault('x402-failure-without-status', {
    about: 'A task ends in failure when its payment is refused, and says nothing of payments.',
    breaks: ['x402.failure-status'],
    patch: onFailure(() => ({})),
  }),
  fault('x402-failure-without-code', {
    about: 'payment-failed comes without an error code.',
    breaks: ['x402.failure-error'],
    patch: onFailure(({ [metadataKeys.error]: _, ...rest }) => rest),
  }),
  fault('x402-failure-without-text', {
    about: 'The message of a failed payment has no parts.',
    breaks: ['x402.failure-text'],
    patch: (inner) => ({
      stamp(act, task) {
        const event = inner.stamp(act, task);
        if (event.type !== 'status' || readStatus(event.status.message?.metadata) !== 'payment-failed') return event;
        const { message } = event.status;
        return message === undefined
          ? event
          : { ...event, status: { ...event.status, message: { ...message, parts: [] } } };
      },
    }),
  }),
  fault('x402-refused-without-receipt', {
    about: 'A payment that was refused leaves no receipt.',
    breaks: ['x402.failure-receipt', 'x402.settle-failure-receipt'],
    patch: onX402((inner) => ({
      receiptsFor: (account) => inner.receiptsFor(account).filter(({ success }) => success === true),
    })),
  }),
  fault('x402-failed-receipt-network', {
    about: 'The receipt of a refused payment names the network "base", whatever was offered.',
    breaks: ['x402.failure-receipt'],
    patch: onFailedReceipt((receipt) => ({ ...receipt, network: 'base' })),
  }),
  fault('x402-failed-receipt-null', {
    about: 'The transaction of a refused payment is null.',
    breaks: ['x402.failure-receipt'],
    patch: onFailedReceipt((receipt) => ({ ...receipt, transaction: null })),
  }),
  fault('x402-failed-receipt-without-reason', {
    about: 'The receipt of a refused payment gives no reason.',
    breaks: ['x402.failure-receipt'],
    patch: onFailedReceipt(({ errorReason: _, ...rest }) => rest),
  }),
  fault('x402-failed-and-completed', {
    about: 'The payment has failed, and the task is completed.',
    breaks: ['x402.failure-state'],
    patch: onX402((inner) => ({
      stateAfter: (event) => (event === 'failure' ? 'completed' : inner.stateAfter(event)),
      words: (account, state) =>
        account.status === 'payment-failed' ? inner.words(account, 'failed') : inner.words(account, state),
    })),
  }),
];
