import { type Fault, fault } from '../../../fixtures/faults/shared/fault.js';
import { isObject, type JsonObject } from '../../../src/model/index.js';
import { edited, without } from '../../../src/reference/patching.js';
import { onPayment, onReceipt } from '../agent/index.js';
import { metadataKeys } from '../payments/index.js';

type Breaks = Fault['breaks'][0];

/** A fault of receipts: of successful ones, of failed ones, or of any. */
const receipt = (
  breaks: Breaks,
  about: string,
  success: boolean | 'any',
  edit: (receipt: JsonObject) => unknown,
): Omit<Fault, 'id'> => ({
  about,
  breaks: [breaks],
  patch: onReceipt((receipt) => {
    const changed = success === 'any' || receipt['success'] === success ? edit(receipt) : receipt;
    return isObject(changed) ? changed : receipt;
  }),
});

const message = (breaks: Breaks, about: string, edit: (metadata: JsonObject) => JsonObject): Omit<Fault, 'id'> => ({
  about,
  breaks: [breaks],
  patch: onPayment(edit),
});

const { status } = metadataKeys;

export const faults: readonly Fault[] = [
  fault(
    'x402-status-upper-case',
    message('x402.status-known', 'Statuses are in upper case, with lines below.', (metadata) => ({
      ...metadata,
      [status]: String(metadata[status]).toUpperCase().replaceAll('-', '_'),
    })),
  ),
  fault(
    'x402-receipt-success-text',
    receipt('x402.receipt-shape', 'Receipts say in words whether they succeeded.', 'any', (receipt) =>
      edited(receipt, 'success', String),
    ),
  ),
  fault('x402-receipt-payer-left-out', {
    ...receipt('x402.receipt-payer-stated', 'Receipts of version 1 do not name the payer.', 'any', (receipt) =>
      without(receipt, 'payer'),
    ),
    on: 'x402-version-1',
  }),
];
