import { isObject, type JsonObject } from '../../model/index.js';
import { metadataKeys } from '../../x402/index.js';
import { edited, set, without } from '../edits.js';
import { type Fault, fault } from '../fault.js';
import { onPayment, onReceipt } from '../x402/edits.js';

type Breaks = Fault['breaks'][0];

/** A fault of receipts: of successful ones, of failed ones, or of any. */
const receipt = (
  breaks: Breaks,
  about: string,
  success: boolean | 'any',
  edit: (one: JsonObject) => unknown,
): Omit<Fault, 'id'> => ({
  about,
  breaks: [breaks],
  patch: onReceipt((one) => {
    const changed = success === 'any' || one['success'] === success ? edit(one) : one;
    return isObject(changed) ? changed : one;
  }),
});

const message = (breaks: Breaks, about: string, edit: (metadata: JsonObject) => JsonObject): Omit<Fault, 'id'> => ({
  about,
  breaks: [breaks],
  patch: onPayment(edit),
});

const { status, receipts } = metadataKeys;

/** Payment metadata in a form that a client cannot read. */
export const x402MessagesFaults: readonly Fault[] = [
  fault(
    'x402-status-upper-case',
    message('x402.status-known', 'Statuses are in upper case, with lines below.', (metadata) => ({
      ...metadata,
      [status]: String(metadata[status]).toUpperCase().replaceAll('-', '_'),
    })),
  ),
  fault(
    'x402-status-of-its-own',
    message('x402.status-known', 'Before a payment is completed it is payment-settled.', (metadata) => ({
      ...metadata,
      [status]: metadata[status] === 'payment-verified' ? 'payment-settled' : metadata[status],
    })),
  ),
  fault(
    'x402-receipts-without-status',
    message('x402.status-carried', 'Messages with receipts have no status.', (metadata) => {
      const { [status]: _, ...others } = metadata;
      return receipts in metadata ? others : metadata;
    }),
  ),
  fault(
    'x402-receipts-as-object',
    message('x402.receipts-array', 'The only receipt is in no list.', (metadata) => {
      const listed = metadata[receipts];
      return Array.isArray(listed) && listed.length === 1
        ? { ...metadata, [receipts]: listed[0] as unknown }
        : metadata;
    }),
  ),
  fault(
    'x402-receipt-success-text',
    receipt('x402.receipt-shape', 'Receipts say in words whether they succeeded.', 'any', (one) =>
      edited(one, 'success', String),
    ),
  ),
  fault(
    'x402-receipt-success-left-out',
    receipt('x402.receipt-shape', 'Receipts do not say whether they succeeded.', 'any', (one) =>
      without(one, 'success'),
    ),
  ),
  fault(
    'x402-receipt-network-left-out',
    receipt('x402.receipt-network', 'Receipts do not say on which network.', 'any', (one) => without(one, 'network')),
  ),
  fault(
    'x402-receipt-network-other-spelling',
    receipt('x402.receipt-network', 'Receipts name a network that was not offered.', true, (one) => ({
      ...one,
      network: 'eip155:8453',
    })),
  ),
  fault(
    'x402-receipt-amount-number',
    receipt('x402.receipt-optional', 'Receipts have the amount as a number.', 'any', (one) => ({
      ...one,
      amount: 10000,
    })),
  ),
  fault(
    'x402-receipt-reason-null',
    receipt('x402.receipt-optional', 'The reason in a successful receipt is null.', true, (one) => ({
      ...one,
      errorReason: null,
    })),
  ),
  fault(
    'x402-receipt-payer-null',
    receipt('x402.receipt-optional', 'The payer in receipts is null.', 'any', (one) => ({ ...one, payer: null })),
  ),
  fault('x402-receipt-payer-left-out', {
    ...receipt('x402.receipt-payer-stated', 'Receipts of version 1 do not name the payer.', 'any', (one) =>
      without(one, 'payer'),
    ),
    on: 'x402-version-1',
  }),
  fault(
    'x402-failed-transaction-left-out',
    receipt('x402.failed-transaction', 'A payment that failed has no transaction in its receipt.', false, (one) =>
      without(one, 'transaction'),
    ),
  ),
  fault(
    'x402-failed-reason-empty',
    receipt('x402.failed-reason', 'The reason of a failure is empty.', false, (one) => set(one, 'errorReason', '')),
  ),
];
