import { isObject, type JsonObject } from '../../model/index.js';
import { metadataKeys } from '../../x402/index.js';
import { edited, set } from '../edits.js';
import { type Fault, fault } from '../fault.js';
import type { Patch } from '../seams.js';
import { onPayment } from '../x402/edits.js';

type Breaks = Fault['breaks'][0];
type Edit = (value: JsonObject) => unknown;

/** Edits the offer that the client is told; undefined removes it. The agent itself keeps the right one. */
const telling = (edit: Edit): Patch =>
  onPayment((metadata) => {
    const { [metadataKeys.required]: offer, ...others } = metadata;
    if (!isObject(offer)) return metadata;
    const told = edit(offer);
    return told === undefined ? others : { ...others, [metadataKeys.required]: told };
  });

const offer = (breaks: Breaks, about: string, edit: Edit): Omit<Fault, 'id'> => ({
  about,
  breaks: [breaks],
  patch: telling(edit),
});
const option = (breaks: Breaks, about: string, edit: Edit): Omit<Fault, 'id'> =>
  offer(breaks, about, (whole) => edited(whole, 'accepts.*', (one) => (isObject(one) ? edit(one) : one)));

const swapped = (text: unknown): string =>
  String(text).replace(/[a-f](?=[^a-f]*$)/i, (one) =>
    one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase(),
  );

/** Offers with members that are missing or of another type. */
export const x402ShapesFaults: readonly Fault[] = [
  fault(
    'x402-offer-left-out',
    offer('x402.offer-shape', 'A task asks to be paid, and does not say how much.', () => undefined),
  ),
  fault(
    'x402-option-amount-hex',
    option('x402.option-amount', 'The price is in hexadecimal digits.', (one) => ({ ...one, amount: '0x2710' })),
  ),
  fault(
    'x402-flow-unknown',
    option('x402.flow-known', 'An option is paid in a flow that nobody knows.', (one) =>
      set(one, 'extra.paymentFlow', 'prepaid'),
    ),
  ),
  fault(
    'x402-flow-escrow-exact',
    option('x402.flow-fits-scheme', 'An option of scheme exact is paid in escrow.', (one) =>
      set(one, 'extra.paymentFlow', 'escrow'),
    ),
  ),
  fault(
    'x402-option-checksum-wrong',
    option('x402.option-checksum', 'A letter of the recipient is in the wrong case.', (one) =>
      edited(one, 'payTo', swapped),
    ),
  ),
];
