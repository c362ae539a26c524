import { isDeepStrictEqual } from 'node:util';
import { type Fault, fault } from '../../../fixtures/faults/shared/fault.js';
import { type JsonObject, member } from '../../../src/model/index.js';
import type { Patch } from '../../../src/reference/patching.js';
import { onX402, PaymentRefusal } from '../agent/index.js';
import { metadataKeys } from '../payments/index.js';

/** Edits the metadata that has payment-completed. */
const onCompleted = (edit: (said: JsonObject, offer: JsonObject) => JsonObject): Patch =>
  onX402((inner) => ({
    metadata(account, state) {
      const said = inner.metadata(account, state);
      return said?.[metadataKeys.status] === 'payment-completed' ? edit(said, account.offer) : said;
    },
  }));

/** Edits the receipts of settled payments. */
const onSuccess = (edit: (receipt: JsonObject) => JsonObject): Patch =>
  onX402((inner) => ({
    receipt(account, outcome, attempt) {
      const receipt = inner.receipt(account, outcome, attempt);
      return receipt['success'] === true ? edit(receipt) : receipt;
    },
  }));

/** Refuses payments of version 2 whose `accepted` does not fit the option that would be paid. */
const matching = (fits: (accepted: JsonObject, offered: unknown) => boolean): Patch =>
  onX402((inner) => ({
    match(offer, payment) {
      const option = inner.match(offer, payment);
      if (payment.x402Version === 2 && !fits(payment.accepted, option.raw))
        throw new PaymentRefusal('invalid_payment_requirements');
      return option;
    },
  }));

export const faults: readonly Fault[] = [
  fault('x402-right-payments-refused', {
    about: 'The agent refuses payments although the facilitator calls them valid.',
    breaks: ['x402.paid'],
    patch: onX402((inner) => ({
      verify: async (attempt) => (await inner.verify(attempt)) ?? new PaymentRefusal('unexpected_verify_error'),
    })),
  }),
  fault('x402-never-settled', {
    about: 'A verified payment counts as paid: it is never settled, and the transaction is made up.',
    breaks: ['x402.paid', 'x402.receipt-transaction'],
    patch: onX402(() => ({ settle: async ({ payment }) => payment.payload.authorization.nonce })),
  }),
  fault('x402-receipts-doubled', {
    about: 'One payment leaves two receipts.',
    breaks: ['x402.receipt-single'],
    patch: onX402((inner) => ({
      onSettled(attempt, transaction) {
        inner.onSettled(attempt, transaction);
        attempt.account.receipts = [...attempt.account.receipts, ...attempt.account.receipts.slice(-1)];
      },
    })),
  }),
  fault('x402-receipt-transaction-empty', {
    about: 'A successful receipt names no transaction.',
    breaks: ['x402.receipt-transaction'],
    patch: onSuccess((receipt) => ({ ...receipt, transaction: '' })),
  }),
  fault('x402-receipt-transaction-short', {
    about: 'The hash of the transaction is cut.',
    breaks: ['x402.receipt-transaction'],
    patch: onSuccess((receipt) => ({ ...receipt, transaction: String(receipt['transaction']).slice(0, 18) })),
  }),
  fault('x402-receipt-transaction-other', {
    about: 'The receipt names another transaction than the one of the payment.',
    breaks: ['x402.receipt-transaction'],
    patch: onSuccess((receipt) => ({ ...receipt, transaction: `0x${'ab'.repeat(32)}` })),
  }),
  fault('x402-receipt-payer-wrong', {
    about: 'The receipt names the recipient as the payer.',
    breaks: ['x402.receipt-payer'],
    patch: onX402((inner, _, { x402 }) => ({
      receipt: (...given) => ({ ...inner.receipt(...given), payer: x402.settings().payTo }),
    })),
  }),
  fault('x402-receipt-payer-number', {
    about: 'The payer of a receipt is a number.',
    breaks: ['x402.receipt-payer'],
    patch: onSuccess((receipt) => ({ ...receipt, payer: 42 })),
  }),
  fault('x402-paid-with-error', {
    about: 'A completed payment still shows an error code.',
    breaks: ['x402.paid-without-error'],
    patch: onCompleted((said) => ({ ...said, [metadataKeys.error]: 'INVALID_AMOUNT' })),
  }),
  fault('x402-paid-with-other-offer', {
    about: 'A completed payment shows another offer than the one that was paid.',
    breaks: ['x402.paid-without-error'],
    patch: onCompleted((said, offer) => ({ ...said, [metadataKeys.required]: { ...offer, error: 'Paid' } })),
  }),
  fault('x402-first-option-only', {
    about: 'Of several options the first can be paid.',
    breaks: ['x402.options-payable'],
    on: 'x402-two-options',
    patch: onX402((inner) => ({
      match: (offer, payment) => inner.match({ ...offer, options: offer.options.slice(0, 1) }, payment),
    })),
  }),
  fault('x402-accepted-compared-as-text', {
    about: 'The agent compares the copy of the option as text.',
    breaks: ['x402.payload-reordered'],
    patch: matching((accepted, offered) => JSON.stringify(accepted) === JSON.stringify(offered)),
  }),
  fault('x402-extra-compared-exactly', {
    about: 'One more member in the extra of the copy refuses the payment.',
    breaks: ['x402.payload-reordered'],
    patch: matching((accepted, offered) => isDeepStrictEqual(member(accepted, 'extra'), member(offered, 'extra'))),
  }),
  fault('x402-resource-demanded', {
    about: 'The agent refuses payments without the optional resource.',
    breaks: ['x402.payload-without-resource'],
    patch: onX402((inner) => ({
      payment(message, offer) {
        const payment = inner.payment(message, offer);
        if (payment.x402Version === 2 && payment.resource === undefined) throw new PaymentRefusal('invalid_payload');
        return payment;
      },
    })),
  }),
  fault('x402-receipt-left-out', {
    about: 'A client that has paid gets the work and no receipt.',
    breaks: ['x402.receipt-single'],
    patch: onX402((inner) => ({
      receiptsFor: (account) => inner.receiptsFor(account).filter((receipt) => receipt['success'] !== true),
    })),
  }),
];
