import { isObject, type JsonObject } from '../../../src/model/index.js';
import {
  able,
  edited,
  onCard,
  type Patch,
  together,
  type Variant,
  variant,
  without,
} from '../../../src/reference/patching.js';
import { metadataKeys, tokenOf } from '../payments/index.js';
import { hidingFailures, onOffer, onOption, onPayment, onReceipt, optionsOf } from './edits.js';
import { onX402, selling } from './patches.js';

const telling = (id: string, about: string, patch: Patch): Variant => variant(id, { about, charges: true, patch });

const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});
const lower = (text: unknown): string => String(text).toLowerCase();

/** Puts each option for another way of transfer (Permit2) before the usual options. */
const permitFirst: Patch = onOffer((offer) => {
  const options = optionsOf(offer);
  const permits = options.map((option) => ({
    ...option,
    extra: { ...objectOf(option['extra']), assetTransferMethod: 'permit2' },
  }));
  return { ...offer, accepts: [...permits, ...options] };
});

/** Puts two options before the usual ones that another facilitator settles. */
const othersFirst: Patch = onOffer((offer) => {
  const options = optionsOf(offer);
  const [first] = options;
  const onSolana = {
    ...first,
    network: 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
    asset: '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU',
    payTo: '2wKupLR9q6wXYppw8Gr2NvWxKBUqm4PPJKkQfoxHDBg4',
    extra: { feePayer: 'EwWqGE4ZFKLofuestmU4LDdK7XM1N4ALgdZccwYugwGd' },
  };
  return { ...offer, accepts: [onSolana, { ...first, scheme: 'upto' }, ...options] };
});

/** Agents that say the same in another way. */
export const x402TellingVariants: readonly Variant[] = [
  telling('x402-streaming', 'It streams as well.', able({ streaming: true })),
  telling(
    'x402-card-described',
    'The card describes the extension, and has params for it.',
    onCard((card) =>
      edited(card, 'capabilities.extensions.*', (entry) => ({
        ...objectOf(entry),
        description: 'Payments in stable coins.',
        params: { currencies: ['TCK'] },
      })),
    ),
  ),
  telling(
    'x402-offer-bare',
    'Its offers have what the documents demand, and nothing else.',
    onOffer((offer) => ({
      ...objectOf(without(without(without(offer, 'error'), 'resource.description'), 'resource.mimeType')),
    })),
  ),
  telling(
    'x402-offer-rich',
    'Its offers and options have members of later documents, and an extension.',
    together(
      onOption((option) => ({ ...option, extra: { ...objectOf(option['extra']), decimals: 6 }, label: 'usual' })),
      onOffer((offer) => ({
        ...offer,
        extensions: { 'payment-identifier': { info: { required: false }, schema: { type: 'object' } } },
        note: 'Thank you.',
      })),
    ),
  ),
  telling(
    'x402-failures-told-at-the-end',
    'A settlement that failed is among the receipts of the final message only (v0.1 §4.5, v0.2 §7).',
    together(
      selling({ onFailure: 'input-required' }),
      hidingFailures(({ status }) => status !== 'payment-completed'),
    ),
  ),
  telling('x402-permit-first', 'Its first option is transferred by Permit2, the second by EIP-3009.', permitFirst),
  telling(
    'x402-other-facilitators',
    'Its first options are of another scheme and of another kind of chain, for which it has another facilitator (AMBP-22).',
    othersFirst,
  ),
  telling(
    'x402-token-unnamed',
    'Its options name neither the way of transfer nor the token, whose domain wallets and the agent know.',
    together(
      onOption((option) => ({ ...option, extra: {} })),
      onX402((inner) => ({
        request(attempt) {
          const body = inner.request(attempt);
          const token = tokenOf(attempt.option.chainId, attempt.option.asset);
          const extra = { name: token?.name, version: token?.version };
          return { ...body, paymentRequirements: { ...objectOf(body['paymentRequirements']), extra } };
        },
      })),
    ),
  ),
  telling(
    'x402-lower-case-addresses',
    'Addresses in its offers are in lower case (EIP-55 binds only those in mixed case).',
    onOption((option) => edited(edited(option, 'asset', lower), 'payTo', lower) as JsonObject),
  ),
  telling(
    'x402-lower-case-codes',
    'Its error codes are in lower case, as in an example of v0.1 §6.',
    onPayment((metadata) =>
      metadataKeys.error in metadata
        ? { ...metadata, [metadataKeys.error]: lower(metadata[metadataKeys.error]) }
        : metadata,
    ),
  ),
  telling(
    'x402-receipts-without-payer',
    'Its receipts do not name the payer, which version 2 leaves open.',
    onReceipt(({ payer: _, ...receipt }) => receipt),
  ),
];
