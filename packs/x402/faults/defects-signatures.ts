import { type Fault, fault } from '../../../fixtures/faults/shared/fault.js';
import { isObject, type JsonObject } from '../../../src/model/index.js';
import { together } from '../../../src/reference/patching.js';
import { type Attempt, believing, onX402, takingSignatures, takingUnsigned, trustingCopy } from '../agent/index.js';
import { domainOf, recoverAuthorization, sameAddress, tokens } from '../payments/index.js';

/** Length of a signature in characters: `0x` and 65 bytes in hex. */
const whole = 132;

const vs = ['1b', '1c'] as const;

function signerOf({ option, payment }: Attempt, lenient = false): string | undefined {
  const domain = domainOf(option);
  const { authorization, signature } = payment.payload;
  return domain && recoverAuthorization(domain, authorization, signature, { lenient });
}

export const faults: readonly Fault[] = [
  fault('x402-signature-unchecked', {
    about: 'The agent does not verify signatures.',
    breaks: [
      'x402.signature-broken',
      'x402.signer-other',
      'x402.domain-other',
      'x402.signature-high-s',
      'x402.amount-edited',
      'x402.recipient-edited',
      'x402.chain-other',
      'x402.asset-other',
    ],
    patch: takingUnsigned(() => true),
  }),
  fault('x402-signature-length-only', {
    about: 'A signature is any 65 bytes.',
    breaks: ['x402.signature-broken', 'x402.signer-other'],
    patch: takingUnsigned(({ length }) => length === whole),
  }),
  fault('x402-signer-not-compared', {
    about: 'The agent accepts a signature from which it recovers any signer.',
    breaks: [
      'x402.signature-broken',
      'x402.signer-other',
      'x402.domain-other',
      'x402.amount-edited',
      'x402.recipient-edited',
      'x402.chain-other',
      'x402.asset-other',
    ],
    patch: takingUnsigned((_, attempt) => signerOf(attempt) !== undefined),
  }),
  fault('x402-signature-unrecoverable-taken', {
    about: 'The agent accepts a signature unless it recovers another signer from it.',
    breaks: ['x402.signature-broken'],
    patch: takingUnsigned((_, attempt) => signerOf(attempt) === undefined),
  }),
  fault('x402-signature-parity-ignored', {
    about: 'The last byte of a signature is not looked at.',
    breaks: ['x402.signature-broken'],
    patch: takingSignatures(({ signature }) =>
      signature.length === whole ? vs.map((v) => ({ signature: signature.slice(0, -2) + v })) : [],
    ),
  }),
  fault('x402-signature-without-v-taken', {
    about: 'A signature may come without its last byte.',
    breaks: ['x402.signature-broken'],
    patch: takingSignatures(({ signature }) =>
      signature.length === whole - 2 ? vs.map((v) => ({ signature: signature + v })) : [],
    ),
  }),
  fault('x402-signature-tail-ignored', {
    about: 'What comes behind 65 bytes of a signature is left out.',
    breaks: ['x402.signature-broken'],
    patch: takingSignatures(({ signature }) => [{ signature: signature.slice(0, whole) }]),
  }),
  fault('x402-signature-long-taken', {
    about: 'The agent takes a long signature for that of a contract wallet, and does not ask the wallet.',
    breaks: ['x402.signature-broken'],
    patch: takingUnsigned((signature) => signature.length > 2 * whole && !signature.endsWith('6492')),
  }),
  fault('x402-signature-undeployed-taken', {
    about: 'The agent does not verify a signature in the form of ERC-6492.',
    breaks: ['x402.signature-broken'],
    patch: takingUnsigned((signature) => signature.endsWith('6492'.repeat(16))),
  }),
  fault('x402-signature-empty-taken', {
    about: 'An empty signature counts as that of a contract wallet.',
    breaks: ['x402.signature-broken'],
    patch: takingUnsigned((signature) => signature === '0x'),
  }),
  fault('x402-signature-high-s-taken', {
    about: 'Signatures with a high s are taken, and what the token says of them is not waited for.',
    breaks: ['x402.signature-high-s'],
    patch: takingUnsigned((_, attempt) =>
      sameAddress(signerOf(attempt, true), attempt.payment.payload.authorization.from),
    ),
  }),
  fault('x402-domain-name-unchecked', {
    about: 'A signature under the name of any known token will do.',
    breaks: ['x402.domain-other'],
    patch: takingSignatures(({ domain }) => tokens.map(({ name }) => ({ domain: { ...domain, name } }))),
  }),
  fault('x402-domain-version-unchecked', {
    about: 'A signature under any version of the token will do.',
    breaks: ['x402.domain-other'],
    patch: takingSignatures(({ domain }) => ['1', '2'].map((version) => ({ domain: { ...domain, version } }))),
  }),
  fault('x402-domain-version-of-copy-believed', {
    about: 'The version of the token is that of the copy in the payment.',
    breaks: ['x402.domain-other'],
    patch: together(
      onX402((inner) => ({
        match(offer, payment) {
          if (payment.x402Version === 1) return inner.match(offer, payment);
          const { accepted } = payment;
          const extra = isObject(accepted['extra']) ? accepted['extra'] : {};
          const { version, ...rest } = extra;
          const own = offer.options[0]?.extra;
          const right = { ...accepted, extra: { ...rest, version: isObject(own) ? own['version'] : version } };
          const option = inner.match(offer, { ...payment, accepted: right });
          return { ...option, raw: { ...(option.raw as JsonObject), extra } };
        },
      })),
      believing((reason) => /token_version/.test(reason)),
    ),
  }),
  fault('x402-domain-of-copy-believed', {
    about: 'Name and version of the token are those of the copy in the payment.',
    breaks: ['x402.domain-other'],
    patch: together(
      trustingCopy('extra'),
      believing((reason) => /token_(name|version)/.test(reason)),
    ),
  }),
];
