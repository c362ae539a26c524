import { isObject, type JsonObject, member } from '../../../src/model/index.js';
import type { Patch } from '../../../src/reference/patching.js';
import {
  type Authorization,
  type Domain,
  domainOf,
  metadataKeys,
  type Offer,
  type Option,
  type PaymentPayload,
  readOffer,
  recoverAuthorization,
  sameAddress,
} from '../payments/index.js';
import { payloadOf } from './offers.js';
import { believing, onX402 } from './patches.js';
import type { Attempt } from './seams.js';

// Short ways to write agents that overlook what is wrong with a payment.

/** The agent sends other requirements than those of the offer to the facilitator. */
export const requiring = (change: (payment: PaymentPayload, option: Option) => JsonObject): Patch =>
  onX402((inner) => ({
    request(attempt) {
      const body = inner.request(attempt);
      const requirements = body['paymentRequirements'];
      if (!isObject(requirements)) return body;
      return { ...body, paymentRequirements: { ...requirements, ...change(attempt.payment, attempt.option) } };
    },
  }));

/** What a signature may cover, besides what it must cover. */
interface Signed {
  readonly domain: Domain;
  readonly authorization: Authorization;
  readonly signature: string;
}

/** The agent accepts payments whose signature is valid for something else: for one of these. */
export const takingSignatures = (others: (right: Signed, option: Option) => readonly Partial<Signed>[]): Patch =>
  believing((reason, { option, payment }) => {
    const domain = domainOf(option);
    if (!reason.includes('signature') || domain === undefined) return false;
    const right: Signed = { domain, ...payment.payload };
    return others(right, option).some((other) => {
      const { domain, authorization, signature } = { ...right, ...other };
      return sameAddress(recoverAuthorization(domain, authorization, signature), authorization.from);
    });
  });

/** The agent accepts payments whose signature does not verify, where `looksAway` says so. */
export const takingUnsigned = (looksAway: (signature: string, attempt: Attempt) => boolean): Patch =>
  believing((reason, attempt) => reason.includes('signature') && looksAway(attempt.payment.payload.signature, attempt));

/** Version 2: one member of the option is taken from the copy that the payment has, not from the offer. */
export const trustingCopy = (name: string): Patch =>
  onX402((inner) => ({
    match(offer, payment) {
      if (payment.x402Version === 1) return inner.match(offer, payment);
      const { accepted } = payment;
      const believed = (option: Option): JsonObject => ({ ...(option.raw as JsonObject), [name]: accepted[name] });
      const accepts = offer.options.map(believed);
      return inner.match(readOffer({ ...offer.raw, accepts }) ?? offer, payment);
    },
  }));

/** The agent reads something else than the payload that a message has. */
export const reading = (read: (payload: unknown, offer: Offer) => unknown): Patch =>
  onX402((inner) => ({
    payment(message, offer) {
      const payload = read(payloadOf(message), offer);
      return inner.payment({ ...message, metadata: { ...message.metadata, [metadataKeys.payload]: payload } }, offer);
    },
  }));

const nobody = `0x${'00'.repeat(20)}`;

/** A payment made up in place of a payload that is none. */
function madeUp({ x402Version, options }: Offer, messageId: string): PaymentPayload {
  const [option] = options;
  const { scheme = '', network = '', payTo = nobody, amount = '0', raw } = option ?? {};
  const nonce = `0x${Buffer.from(messageId).toString('hex').slice(-64).padStart(64, '0')}`;
  const authorization = { from: nobody, to: payTo, value: amount, validAfter: '0', validBefore: '0', nonce };
  const payload = { signature: '0x', authorization };
  if (x402Version === 1) return { x402Version, scheme, network, payload };
  return { x402Version, accepted: isObject(raw) ? raw : {}, payload };
}

/**
 * The agent takes payloads for which `takes` holds as payments, and does not verify them. The transaction is made up:
 * another one for each message, or with `eachTime` each time.
 */
export const takingUnread = (
  takes: (payload: unknown, offer: Offer) => boolean,
  { eachTime = false }: { readonly eachTime?: boolean } = {},
): Patch =>
  onX402((inner) => {
    const unread = new WeakSet<PaymentPayload>();
    let count = 0;
    return {
      payment(message, offer) {
        if (!takes(payloadOf(message), offer)) return inner.payment(message, offer);
        const made = madeUp(offer, eachTime ? `payment ${++count}` : message.messageId);
        unread.add(made);
        return made;
      },
      verify: async (attempt) => (unread.has(attempt.payment) ? undefined : inner.verify(attempt)),
      settle: async (attempt) =>
        unread.has(attempt.payment) ? attempt.payment.payload.authorization.nonce : inner.settle(attempt),
    };
  });

/** The authorization in a payload that may be no payment. */
export const authorizationIn = (payload: unknown): unknown => member(member(payload, 'payload'), 'authorization');
