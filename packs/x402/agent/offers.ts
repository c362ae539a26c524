import { isDeepStrictEqual } from 'node:util';
import { isObject, type Message, member } from '../../../src/model/index.js';
import { said, type World } from '../../../src/reference/patching.js';
import {
  amountMember,
  caip2Of,
  domainOf,
  flowOf,
  hasRightChecksum,
  isAddress,
  metadataKeys,
  type Offer,
  type Option,
  type PaymentV1,
  type PaymentV2,
  readPayment,
  recoverAuthorization,
  sameAddress,
  v1NameOf,
} from '../payments/index.js';
import type { X402Whole } from './patches.js';
import { PaymentRefusal, type X402Seams } from './seams.js';

export type OfferSeams = Pick<X402Seams, 'skill' | 'offer' | 'offerFor' | 'payment' | 'match' | 'timely'>;

const text = 'text/plain';

/** Makes offers, and finds out whether a payment matches one. x402 core v1 §5, v2 §5; x402 A2A transport. */
export function offers({ baseUrl, clock }: World, whole: X402Whole): OfferSeams {
  const about = (id: string) => ({ url: `${baseUrl}/skills/${id}`, description: `One use of ${id}` });

  return {
    skill(message) {
      const words = said(message).trimStart();
      return whole.x402.settings().skills.find(({ id }) => words.startsWith(id));
    },
    offer({ id, amount }) {
      const { x402Version, tokens, flows, payTo, maxTimeoutSeconds } = whole.x402.settings();
      const { url, description } = about(id);
      const ways = tokens.flatMap((token) => flows.map((flow) => ({ ...token, flow })));
      const common = ({ asset, name, version, flow }: (typeof ways)[number]) => ({
        scheme: 'exact',
        asset,
        payTo,
        maxTimeoutSeconds,
        extra: { name, version, ...(flow === 'authorization' ? {} : { paymentFlow: flow }) },
        [amountMember[x402Version]]: amount,
      });
      const error = 'Payment required';
      if (x402Version === 2) {
        const accepts = ways.map((way) => ({ ...common(way), network: caip2Of(way.chainId) }));
        return { x402Version, error, resource: { url, description, mimeType: text }, accepts };
      }
      const accepts = ways.map((way) => ({
        ...common(way),
        // A local chain has no name in version 1.
        network: v1NameOf(way.chainId) ?? caip2Of(way.chainId),
        resource: url,
        description,
        mimeType: text,
      }));
      return { x402Version, error, accepts };
    },
    offerFor: (account) => account.offer,
    payment(message, offer) {
      const payment = readPayment(payloadOf(message));
      if (payment === undefined) throw new PaymentRefusal('invalid_payload');
      if (payment.x402Version !== offer.x402Version) throw new PaymentRefusal('invalid_x402_version');
      return payment;
    },
    match: (offer, payment) =>
      payment.x402Version === 1 ? matchNamed(offer, payment) : matchCopied(offer.options, payment),
    timely({ askedAt }, { maxTimeoutSeconds }) {
      if (maxTimeoutSeconds === undefined || clock.now() < askedAt + maxTimeoutSeconds * 1000) return;
      throw new PaymentRefusal('offer_expired');
    },
  };
}

export const payloadOf = ({ metadata }: Message): unknown => member(metadata, metadataKeys.payload);

/** Members that a copy of an option must repeat, and the reason of a facilitator where one differs. */
const core = [
  ['scheme', 'invalid_scheme'],
  ['network', 'invalid_network'],
  ['asset', 'invalid_payment_requirements'],
  ['payTo', 'invalid_exact_evm_payload_recipient_mismatch'],
  ['amount', 'invalid_exact_evm_payload_authorization_value_mismatch'],
  ['maxTimeoutSeconds', 'invalid_payment_requirements'],
] as const;

/** Addresses are equal in any letter case, but a checksum in the copy must be right. EIP-55. */
function alike(offered: unknown, copy: unknown): boolean {
  if (isAddress(offered) && isAddress(copy)) return sameAddress(offered, copy) && hasRightChecksum(copy);
  return isDeepStrictEqual(offered, copy);
}

/** Whether the copy has every offered member; further members do no harm. */
const contains = (copy: unknown, offered: unknown): boolean =>
  offered === undefined ||
  (isObject(offered) &&
    isObject(copy) &&
    Object.entries(offered).every(([name, value]) => isDeepStrictEqual(member(copy, name), value)));

function matchCopied(options: readonly Option[], { accepted }: PaymentV2): Option {
  let left = options;
  for (const [name, reason] of core) {
    left = left.filter(({ raw }) => alike(member(raw, name), member(accepted, name)));
    if (left.length === 0) throw new PaymentRefusal(reason);
  }
  const extra = member(accepted, 'extra');
  const flow = flowOf({ extra: isObject(extra) ? extra : {} });
  const found = left.find((option) => contains(extra, member(option.raw, 'extra')) && flowOf(option) === flow);
  if (found === undefined) throw new PaymentRefusal('invalid_payment_requirements');
  return found;
}

/**
 * Version 1 names scheme and network alone; where several options share them, the signature shows which of them the
 * payer means.
 */
function matchNamed({ options }: Offer, { scheme, network, payload }: PaymentV1): Option {
  const ofScheme = options.filter((option) => option.scheme === scheme);
  if (ofScheme.length === 0) throw new PaymentRefusal('invalid_scheme');
  const named = ofScheme.filter((option) => option.network === network);
  const pays = ({ amount, payTo }: Option): boolean =>
    payload.authorization.value === amount && sameAddress(payload.authorization.to, payTo);
  const signed = (option: Option): boolean => {
    const domain = domainOf(option);
    const signer = domain && recoverAuthorization(domain, payload.authorization, payload.signature);
    return sameAddress(signer, payload.authorization.from);
  };
  const found = named.find((option) => pays(option) && signed(option)) ?? named.find(pays) ?? named[0];
  if (found === undefined) throw new PaymentRefusal('invalid_network');
  return found;
}
