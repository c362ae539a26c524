import {
  countOf,
  isMembers,
  open,
  type RequestTools,
  textOf,
  type Value,
  valueAt,
  type WireMutation,
  type WireMutationKind,
  withAt,
} from '../../../src/fuzz/extending.js';
import { type DefectId, defects, metadataKeys, type Offer, payable, payment, X402Error } from '../payments/index.js';
import { type Payer, payerOf } from './payer.js';
import { paymentMade } from './payment-forms.js';

// A message that pays or claims to have paid, with a defect. a2a-x402 v0.1 §4. Only wallets without money sign.

/** The payment for an offer, with the defect that the wire mutation names. */
function signed(trick: WireMutation, offer: Offer, payer: Payer, rpcId: string): Value | undefined {
  const [option] = payable(offer);
  if (option === undefined) return undefined;
  const name = textOf(trick, 'defect');
  const nonce = payer.nonce(textOf(trick, 'nonce', rpcId));
  const paying = { offer, option, wallet: payer.wallet(countOf(trick, 'wallet', 0)), now: payer.seconds(), nonce };
  try {
    const made = Object.hasOwn(defects, name) ? defects[name as DefectId].make(paying) : undefined;
    return (made ?? payment(paying)) as unknown as Value;
  } catch (error) {
    // An offer with values out of range cannot be signed.
    if (error instanceof X402Error) return undefined;
    throw error;
  }
}

/** Applies the changes that find their place; a payment of version 1 lacks some places of version 2. */
function changed(payload: Value, changes: Value | undefined): Value {
  if (!Array.isArray(changes)) return payload;
  let made = payload;
  for (const change of changes.slice(0, 20)) {
    if (isMembers(change) && typeof change['at'] === 'string')
      made = withAt(made, change['at'], change['value'] ?? null) ?? made;
  }
  return made;
}

/** The text of a payment with a part of it replaced. */
function rewritten(payload: Value, rewrite: Value | undefined): Value {
  if (!Array.isArray(rewrite)) return payload;
  const [find, text] = rewrite as readonly Value[];
  const plain = JSON.stringify(payload);
  if (typeof find !== 'string' || typeof text !== 'string' || find === '') return payload;
  return { $raw: plain.replace(find, () => text) };
}

function payloadOf(trick: WireMutation, { payer, noted, rpcId }: RequestTools): Value | undefined {
  if (trick['bare'] === true) return undefined;
  const { whole, changes, rewrite } = trick;
  if (whole !== undefined) return whole;
  // Only `offerIn` notes what this pack looks for.
  const wanted = noted(textOf(trick, 'for', 'a')) as Offer | undefined;
  const made = wanted === undefined || payer === undefined ? undefined : signed(trick, wanted, payerOf(payer), rpcId);
  return made && rewritten(changed(made, changes), rewrite);
}

const messagePlace = '/params/message';

export const paymentMutations = {
  payment: {
    demand: open,
    pays: true,
    make: (tools) => paymentMade(tools),
    request(trick, request, tools) {
      const message = valueAt(request, messagePlace);
      if (!isMembers(message)) return undefined;
      const { metadata: given } = message;
      const { status = 'payment-submitted', more } = trick;
      const payload = payloadOf(trick, tools);
      const metadata = {
        ...(isMembers(given) ? given : {}),
        [metadataKeys.status]: status,
        ...(payload === undefined ? {} : { [metadataKeys.payload]: payload }),
        ...(isMembers(more) ? more : {}),
      };
      return withAt(request, `${messagePlace}/metadata`, metadata);
    },
  },
} as const satisfies Readonly<Record<string, WireMutationKind>>;
