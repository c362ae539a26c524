import { type Fault, fault } from '../../../fixtures/faults/shared/fault.js';
import { isObject, type JsonObject } from '../../../src/model/index.js';
import { edited, type Patch, set } from '../../../src/reference/patching.js';
import { onPayment } from '../agent/index.js';
import { metadataKeys } from '../payments/index.js';

type Breaks = Fault['breaks'][0];

type Edit = (value: JsonObject) => unknown;

/** Edits the offer that the client gets; undefined removes it. The agent itself keeps the right one. */
const telling = (edit: Edit): Patch =>
  onPayment((metadata) => {
    const { [metadataKeys.required]: offer, ...others } = metadata;
    if (!isObject(offer)) return metadata;
    const changed = edit(offer);
    return changed === undefined ? others : { ...others, [metadataKeys.required]: changed };
  });

const offer = (breaks: Breaks, about: string, edit: Edit): Omit<Fault, 'id'> => ({
  about,
  breaks: [breaks],
  patch: telling(edit),
});

const option = (breaks: Breaks, about: string, edit: Edit): Omit<Fault, 'id'> =>
  offer(breaks, about, (whole) => edited(whole, 'accepts.*', (item) => (isObject(item) ? edit(item) : item)));

const swapped = (text: unknown): string =>
  String(text).replace(/[a-f](?=[^a-f]*$)/i, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );

export const faults: readonly Fault[] = [
  fault(
    'x402-offer-left-out',
    offer('x402.offer-shape', 'A task asks to be paid, and does not say how much.', () => undefined),
  ),
  fault(
    'x402-option-amount-hex',
    option('x402.option-amount', 'The price is in hexadecimal digits.', (offered) => ({
      ...offered,
      amount: '0x2710',
    })),
  ),
  fault(
    'x402-flow-unknown',
    option('x402.flow-known', 'The agent offers an option with an unknown flow.', (offered) =>
      set(offered, 'extra.paymentFlow', 'prepaid'),
    ),
  ),
  fault(
    'x402-flow-escrow-exact',
    option('x402.flow-fits-scheme', 'An option of scheme exact is paid in escrow.', (offered) =>
      set(offered, 'extra.paymentFlow', 'escrow'),
    ),
  ),
  fault(
    'x402-option-checksum-wrong',
    option('x402.option-checksum', 'A letter of the recipient is in the wrong case.', (offered) =>
      edited(offered, 'payTo', swapped),
    ),
  ),
];
