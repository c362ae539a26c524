import { isObject, type JsonObject } from '../../model/index.js';
import { metadataKeys } from '../../x402/index.js';
import { edited, set, without } from '../edits.js';
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
/** The same fault in an agent of payment version 1. */
const old = (one: Omit<Fault, 'id'>): Omit<Fault, 'id'> => ({ ...one, on: 'x402-version-1' });

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
    'x402-offer-as-text',
    offer('x402.offer-shape', 'The offer is a text of JSON.', (whole) => JSON.stringify(whole)),
  ),
  fault(
    'x402-offer-version-text',
    offer('x402.offer-version', 'The payment version is a text.', (whole) => set(whole, 'x402Version', '2')),
  ),
  fault(
    'x402-offer-version-3',
    offer('x402.offer-version', 'The payment version is one that there is not.', (whole) =>
      set(whole, 'x402Version', 3),
    ),
  ),
  fault(
    'x402-offer-accepts-one',
    offer('x402.offer-accepts', 'The only option is in no list.', (whole) =>
      edited(whole, 'accepts', (options) => (Array.isArray(options) ? (options as unknown[])[0] : options)),
    ),
  ),
  fault(
    'x402-offer-accepts-nothing',
    offer('x402.offer-accepts', 'The offer has no options.', (whole) => set(whole, 'accepts', [])),
  ),
  fault(
    'x402-offer-resource-left-out',
    offer('x402.offer-resource', 'The offer does not say what for.', (whole) => without(whole, 'resource')),
  ),
  fault(
    'x402-offer-resource-text',
    offer('x402.offer-resource', 'The resource is a text, as in version 1.', (whole) =>
      set(whole, 'resource', 'https://merchant.example/skills/paid-echo'),
    ),
  ),
  fault(
    'x402-offer-resource-url-empty',
    offer('x402.offer-resource', 'The URL of the resource is empty.', (whole) => set(whole, 'resource.url', '')),
  ),
  fault(
    'x402-offer-description-null',
    offer('x402.offer-optional', 'The description of the resource is null.', (whole) =>
      set(whole, 'resource.description', null),
    ),
  ),
  fault(
    'x402-offer-mime-type-list',
    offer('x402.offer-optional', 'The media type of the resource is a list.', (whole) =>
      set(whole, 'resource.mimeType', ['text/plain']),
    ),
  ),
  fault(
    'x402-offer-extensions-list',
    offer('x402.offer-optional', 'The extensions of the offer are a list of names.', (whole) =>
      set(whole, 'extensions', ['payment-identifier']),
    ),
  ),
  fault(
    'x402-offer-error-left-out',
    old(
      offer('x402.offer-error-stated', 'An offer of version 1 has no error text.', (whole) => without(whole, 'error')),
    ),
  ),
  fault(
    'x402-option-scheme-empty',
    option('x402.option-scheme', 'The scheme is empty.', (one) => ({ ...one, scheme: '' })),
  ),
  fault(
    'x402-option-scheme-left-out',
    option('x402.option-scheme', 'An option has no scheme.', (one) => without(one, 'scheme')),
  ),
  fault(
    'x402-option-network-name',
    option('x402.option-network', 'A network of version 2 has its name of version 1.', (one) => ({
      ...one,
      network: 'base-sepolia',
    })),
  ),
  fault(
    'x402-option-network-number',
    option('x402.option-network', 'The network is the number of the chain.', (one) => ({ ...one, network: 31337 })),
  ),
  fault(
    'x402-option-amount-number',
    option('x402.option-amount', 'The price is a number.', (one) => edited(one, 'amount', Number)),
  ),
  fault(
    'x402-option-amount-in-units',
    option('x402.option-amount', 'The price is in whole units of the token.', (one) => ({ ...one, amount: '0.01' })),
  ),
  fault(
    'x402-option-amount-hex',
    option('x402.option-amount', 'The price is in hexadecimal digits.', (one) => ({ ...one, amount: '0x2710' })),
  ),
  fault(
    'x402-option-asset-symbol',
    option('x402.option-asset', 'The token is named by its symbol.', (one) => ({ ...one, asset: 'USDC' })),
  ),
  fault(
    'x402-option-asset-left-out',
    option('x402.option-asset', 'An option does not say in which token.', (one) => without(one, 'asset')),
  ),
  fault(
    'x402-option-pay-to-name',
    option('x402.option-pay-to', 'The recipient is named by a name.', (one) => ({ ...one, payTo: 'merchant.eth' })),
  ),
  fault(
    'x402-option-pay-to-left-out',
    option('x402.option-pay-to', 'An option does not say to whom.', (one) => without(one, 'payTo')),
  ),
  fault(
    'x402-option-timeout-text',
    option('x402.option-timeout', 'The time to pay is a text.', (one) => edited(one, 'maxTimeoutSeconds', String)),
  ),
  fault(
    'x402-option-timeout-zero',
    option('x402.option-timeout', 'There is no time to pay.', (one) => ({ ...one, maxTimeoutSeconds: 0 })),
  ),
  fault(
    'x402-option-timeout-left-out',
    old(
      option('x402.option-timeout-stated', 'An option of version 1 does not say for how long it stands.', (one) =>
        without(one, 'maxTimeoutSeconds'),
      ),
    ),
  ),
  fault(
    'x402-option-resource-object',
    old(
      option('x402.option-resource', 'The resource of an option of version 1 is an object, as in version 2.', (one) =>
        edited(one, 'resource', (url) => ({ url })),
      ),
    ),
  ),
  fault(
    'x402-option-description-list',
    old(
      option('x402.option-resource', 'The description of an option is a list.', (one) =>
        edited(one, 'description', (text) => [text]),
      ),
    ),
  ),
  fault(
    'x402-option-resource-left-out',
    old(
      option('x402.option-resource-stated', 'An option of version 1 does not say what for.', (one) =>
        without(one, 'resource'),
      ),
    ),
  ),
  fault(
    'x402-option-extra-left-out',
    option('x402.option-extra', 'The token is paid by EIP-3009, and has no name to be signed.', (one) => ({
      ...one,
      extra: { assetTransferMethod: 'eip3009' },
    })),
  ),
  fault(
    'x402-option-token-version-number',
    option('x402.option-extra', 'The version of the token is a number.', (one) => edited(one, 'extra.version', Number)),
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
