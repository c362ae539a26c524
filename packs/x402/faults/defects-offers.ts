import { type Fault, fault } from '../../../fixtures/faults/shared/fault.js';
import { isObject } from '../../../src/model/index.js';
import { together } from '../../../src/reference/patching.js';
import { believing, onX402, reading, requiring, takingSignatures, trustingCopy } from '../agent/index.js';
import { tokens } from '../payments/index.js';

const anyOption = onX402(() => ({
  match(offer) {
    const [option] = offer.options;
    if (option === undefined) throw new Error('no such option');
    return option;
  },
}));

export const faults: readonly Fault[] = [
  fault('x402-accepted-amount-believed', {
    about: 'The price is that of the copy in the payment.',
    breaks: ['x402.accepted-cheaper'],
    patch: trustingCopy('amount'),
  }),
  fault('x402-recipient-unchecked', {
    about: 'The agent accepts a payment to any recipient.',
    breaks: ['x402.recipient-other'],
    patch: requiring(({ payload }) => ({ payTo: payload.authorization.to })),
  }),
  fault('x402-recipient-of-offer-recovered', {
    about: 'The agent verifies the signature with the recipient of the offer, whomever the authorization names.',
    breaks: ['x402.recipient-edited'],
    patch: takingSignatures(({ authorization }, { payTo }) => [{ authorization: { ...authorization, to: payTo } }]),
  }),
  fault('x402-accepted-recipient-believed', {
    about: 'The recipient is that of the copy in the payment.',
    breaks: ['x402.accepted-recipient'],
    patch: trustingCopy('payTo'),
  }),
  fault('x402-network-unchecked', {
    about: 'The network that a payment names is not looked at.',
    breaks: ['x402.network-not-offered'],
    patch: together(
      anyOption,
      believing((reason) => reason.includes('network')),
    ),
  }),
  fault('x402-chain-unchecked', {
    about: 'A signature for the token on any known chain will do.',
    breaks: ['x402.chain-other'],
    patch: takingSignatures(({ domain }) =>
      [1n, 137n, 8453n, 84532n, 43114n].map((chainId) => ({ domain: { ...domain, chainId } })),
    ),
  }),
  fault('x402-asset-unchecked', {
    about: 'A signature for any known token will do.',
    breaks: ['x402.asset-other'],
    patch: takingSignatures(({ domain }) =>
      tokens.map(({ asset }) => ({ domain: { ...domain, verifyingContract: asset } })),
    ),
  }),
  fault('x402-accepted-asset-believed', {
    about: 'The token is that of the copy in the payment.',
    breaks: ['x402.accepted-asset'],
    patch: together(
      trustingCopy('asset'),
      believing((reason) => reason.includes('eip3009_not_supported')),
    ),
  }),
  fault('x402-scheme-unchecked', {
    about: 'The scheme that a payment names is not looked at.',
    breaks: ['x402.scheme-not-offered'],
    patch: together(
      anyOption,
      believing((reason) => reason.includes('scheme')),
    ),
  }),
  fault('x402-version-ignored', {
    about: 'Whatever x402Version a payment has, it is read as one of the version of the offer.',
    breaks: ['x402.version-other'],
    patch: reading((payload, { x402Version }) => (isObject(payload) ? { ...payload, x402Version } : payload)),
  }),
  fault('x402-version-defaulted', {
    about: 'The agent reads a payment without x402Version as one of the version of the offer.',
    breaks: ['x402.version-other'],
    patch: reading((payload, { x402Version }) => (isObject(payload) ? { x402Version, ...payload } : payload)),
  }),
  fault('x402-version-text-taken', {
    about: 'x402Version may be a text.',
    breaks: ['x402.version-other'],
    patch: reading((payload) =>
      isObject(payload) && typeof payload['x402Version'] === 'string'
        ? { ...payload, x402Version: Number(payload['x402Version']) }
        : payload,
    ),
  }),
  fault('x402-version-later-taken', {
    about: 'The agent reads payments of later versions as of the version of the offer.',
    breaks: ['x402.version-other'],
    patch: reading((payload, { x402Version }) =>
      isObject(payload) && Number(payload['x402Version']) > 2 ? { ...payload, x402Version } : payload,
    ),
  }),
  fault('x402-version-of-shape', {
    about: 'The agent takes the version of a payment from its members, and x402Version may be the other one.',
    breaks: ['x402.version-other'],
    patch: reading((payload, { x402Version }) =>
      isObject(payload) && payload['x402Version'] === 3 - x402Version ? { ...payload, x402Version } : payload,
    ),
  }),
];
