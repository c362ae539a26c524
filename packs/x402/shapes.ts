import { conforms, law, placesOf } from '../../src/kit/index.js';
import * as x402Text from './payments/index.js';
import { offered, ofOffers, ofOptional, optionsIn, tradeOf } from './tape.js';

// The form of offers. x402 core v1 §5.1, v2 §5.1; scheme exact on EVM.

const otherwise = 'no offer was seen';
const { metadataKeys } = x402Text;

// In our words (x402, x402 A2A transport, Payment Metadata Keys; x402 core v2, 5.1.2): The status payment-required
//   comes with `x402.payment.required`, an object.
const shape = law(
  'x402/offer-shape',
  'x402.offer-shape',
  'come with the offer, an object',
  {
    subject: 'every status payment-required',
    otherwise,
    notes: [offered],
    advice: `Put PaymentRequired into ${metadataKeys.required} beside the status.`,
  },
  (reading, _, tape) => {
    if (!reading.valid) return 'not-concerned';
    // Events and lists show messages without their tasks' artifacts.
    const { isEmbedded } = tradeOf(tape);
    let seen = false;
    for (const { of, name, value, inspection } of reading.documents) {
      if (of !== 'payment') continue;
      const { findings, visited } = inspection;
      const isAbsent = !Object.hasOwn(Object(value), metadataKeys.required);
      const broken = findings.filter(({ rule }) => rule === 'x402.offer-shape');
      if (broken.length > 0 && !(isEmbedded && isAbsent)) return placesOf(name, broken);
      seen ||= visited.has('x402.offer-shape') && !isAbsent;
    }
    return seen ? 'holds' : 'not-concerned';
  },
);
export const offerShape = ofOffers(shape);

// In our words (x402, x402 core v2, 5.1.2; x402 core v1, 5.1.2): `x402Version` of the offer is the number 1 or 2.
export const offerVersion = ofOffers(
  conforms('x402/offer-version', 'x402.offer-version', 'give the payment version as the number 1 or 2', {
    subject: 'every offer',
    otherwise,
    advice: 'Write "x402Version": 2 without quotes: it is the version of the payment objects, not of the extension.',
  }),
);

// In our words (x402, x402 core v2, 5.1.2; x402 core v1, 5.1.2): `accepts` of the offer is an array with at least one
//   option, each an object.
export const offerAccepts = ofOffers(
  conforms('x402/offer-accepts', 'x402.offer-accepts', 'list at least one option in accepts, each an object', {
    subject: 'every offer',
    otherwise,
    advice: 'Write a list, also for one option: "accepts": [{…}]. Without an option no client can pay.',
  }),
);

// In our words (x402, x402 core v2, 5.1.2): An offer of version 2 has `resource`, an object with a non-empty `url`.
export const offerResource = ofOffers(
  conforms('x402/offer-resource', 'x402.offer-resource', 'name the resource by its url, when it is of version 2', {
    subject: 'every offer',
    otherwise,
    advice:
      'Write "resource": {"url": "https://…"} beside accepts: only version 1 has a text there, inside each option.',
  }),
  2,
);

// In our words (x402, x402 core v2, 5.1.2; x402 core v1, 5.1.2): The optional members of offer and options have their
//   types when present.
export const offerOptional = ofOffers(
  ofOptional(
    conforms('x402/offer-optional', 'x402.offer-optional', 'give its optional members the right types', {
      subject: 'every offer',
      otherwise,
      advice:
        'Write error, description and mimeType as texts, extensions and extra as objects. Leave out what is not set: no null.',
    }),
    (reading) => optionsIn(reading).length > 0,
  ),
);

// In our words (x402, x402 core v1, 5.1.2): An offer of version 1 has `error`, a string.
export const offerErrorStated = ofOffers(
  conforms(
    'x402/offer-error-stated',
    'x402.offer-error-stated',
    'say in `error` why it comes, when it is of version 1',
    {
      subject: 'every offer',
      otherwise,
      advice: 'Write in error why payment is asked for, such as "payment required": clients of version 1 expect it.',
    },
  ),
  1,
);

// In our words (x402, x402 core v2, 5.1.2; x402 core v1, 5.1.2): `scheme` of an option is a non-empty string.
export const optionScheme = ofOffers(
  conforms('x402/option-scheme', 'x402.option-scheme', 'name its scheme', {
    subject: 'every option',
    otherwise,
    advice: 'Set "scheme": "exact", or what the option has: clients skip an option whose scheme they do not know.',
  }),
);

// In our words (x402, x402 core v2, 5.1.2, 11.1; x402 core v1, 5.1.2): `network` of an option is written as its version
//   does: CAIP-2 in version 2, a name in version 1.
export const optionNetwork = ofOffers(
  conforms('x402/option-network', 'x402.option-network', 'spell its network as the payment version does', {
    subject: 'every option',
    otherwise,
    advice: 'Version 2 has CAIP-2 ids such as eip155:84532, version 1 has names such as base-sepolia.',
  }),
);

// In our words (x402, x402 core v2, 5.1.2; x402 core v1, 5.1.2): `amount` (version 1: `maxAmountRequired`) of an option
//   is the price in atomic units as a string.
export const optionAmount = ofOffers(
  conforms('x402/option-amount', 'x402.option-amount', 'give its price in atomic units, as a text of digits', {
    subject: 'every option',
    otherwise,
    advice: 'Write the price as a text of digits in atomic units, "10000" for 0.01 USDC: numbers of JSON lose digits.',
  }),
);

// In our words (x402, x402 core v2, 5.1.2; x402 core v1, 5.1.2; exact on EVM, 1): `asset` of an option is a non-empty
//   string; under scheme exact on EVM the address of the token.
export const optionAsset = ofOffers(
  conforms('x402/option-asset', 'x402.option-asset', 'name its token, on EVM by the address', {
    subject: 'every option',
    otherwise,
    advice: 'Write the address of the token contract, 0x and 40 hexadecimal digits: many tokens have the symbol USDC.',
  }),
);

// In our words (x402, x402 core v2, 5.1.2; x402 core v1, 5.1.2; exact on EVM, 1): `payTo` of an option is a non-empty
//   string; under scheme exact on EVM an address.
export const optionPayTo = ofOffers(
  conforms('x402/option-pay-to', 'x402.option-pay-to', 'name its recipient, on EVM by an address', {
    subject: 'every option',
    otherwise,
    advice: 'Write the address of the wallet, 0x and 40 hexadecimal digits: clients sign for it, and look up no names.',
  }),
);

// In our words (x402, x402 core v2, 5.1.2; x402 core v1, 5.1.2): `maxTimeoutSeconds` of an option is a number above 0.
export const optionTimeout = ofOffers(
  conforms('x402/option-timeout', 'x402.option-timeout', 'give maxTimeoutSeconds as a number above 0', {
    subject: 'every option',
    otherwise,
    advice: 'Write "maxTimeoutSeconds": 60 without quotes: clients add it to their clock to compute validBefore.',
  }),
);

// In our words (x402, x402 core v1, 5.1.2): An option of version 1 has `maxTimeoutSeconds`.
export const optionTimeoutStated = ofOffers(
  conforms('x402/option-timeout-stated', 'x402.option-timeout-stated', 'give maxTimeoutSeconds in version 1 too', {
    subject: 'every option',
    otherwise,
    advice: 'Write maxTimeoutSeconds into each option: clients sign a payment that is valid for so long.',
  }),
  1,
);

// In our words (x402, x402 core v1, 5.1.2; a2a-x402 v0.1, 5.2): `resource` and `description` of a version 1 option are
//   strings.
export const optionResource = ofOffers(
  conforms(
    'x402/option-resource',
    'x402.option-resource',
    'give resource and description as texts, when it is of version 1',
    {
      subject: 'every option',
      otherwise,
      advice:
        'Write the URL as a text, and the description as one text: a resource that is an object belongs to version 2.',
    },
  ),
  1,
);

// In our words (x402, x402 core v1, 5.1.2): An option of version 1 has `resource` and `description`.
export const optionResourceStated = ofOffers(
  conforms(
    'x402/option-resource-stated',
    'x402.option-resource-stated',
    'say in resource and description what is sold, when it is of version 1',
    {
      subject: 'every option',
      otherwise,
      advice: 'Write resource, a URL, and description into each option: version 1 has no other place for what is sold.',
    },
  ),
  1,
);

// In our words (x402, exact on EVM, 1; x402 core v2, 5.1.2): An EIP-3009 option of scheme exact on EVM has `extra` with
//   `name` and `version` of the token, non-empty strings.
export const optionExtra = ofOffers(
  ofOptional(
    conforms(
      'x402/option-extra',
      'x402.option-extra',
      'give name and version of the token as texts in extra, where it is transferred by EIP-3009',
      {
        subject: 'every option',
        otherwise,
        advice: 'Wallets sign with both: a version that is a number is another one for some of them.',
      },
    ),
    (reading) => optionsIn(reading).length > 0,
  ),
);

// In our words (x402, x402 core v2, 6.1): `extra.paymentFlow` of a version 2 option is one of `authorization`,
//   `upfront` and `escrow`, when present.
export const flowKnown = ofOffers(
  ofOptional(
    conforms('x402/flow-known', 'x402.flow-known', 'name a known payment flow, if it names one', {
      subject: 'every option',
      otherwise,
      advice:
        'Leave extra.paymentFlow out where you are paid after the work, else write "upfront": wallets pay no flow that they do not know.',
    }),
    (reading) => optionsIn(reading).length > 0,
  ),
  2,
);

// In our words (x402, exact, Payment Flow; x402 core v2, 6.1): An option of scheme exact is not paid in escrow.
export const flowFitsScheme = ofOffers(
  ofOptional(
    conforms('x402/flow-fits-scheme', 'x402.flow-fits-scheme', 'name no escrow where its scheme is exact', {
      subject: 'every option',
      otherwise,
      advice: 'The scheme exact knows authorization and upfront. Offer escrow with a scheme that has it, auth-capture.',
    }),
    (reading) => optionsIn(reading).length > 0,
  ),
  2,
);

// In our words (x402, exact on EVM, 1): Addresses in mixed case have the right checksum of EIP-55.
export const optionChecksum = ofOffers(
  law(
    'x402/option-checksum',
    'x402.option-checksum',
    'spell addresses in mixed case with the right checksum',
    {
      subject: 'every option',
      otherwise,
      advice: 'A wrong checksum is the sign of a mistyped address (EIP-55): wallets refuse to pay there.',
    },
    (reading) => {
      const options = reading.valid
        ? optionsIn(reading).filter(({ scheme, chainId }) => scheme === 'exact' && chainId !== undefined)
        : [];
      const addresses = options.flatMap(({ asset, payTo }) => [asset, payTo]).filter(x402Text.isAddress);
      const wrong = addresses.find((address) => !x402Text.hasRightChecksum(address));
      if (wrong !== undefined) return `the checksum of ${wrong} is wrong; ${x402Text.checksummed(wrong)} has it right`;
      return addresses.length > 0 ? 'holds' : 'not-concerned';
    },
  ),
);
