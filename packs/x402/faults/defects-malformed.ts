import { type Fault, fault } from '../../../fixtures/faults/shared/fault.js';
import { isObject, member } from '../../../src/model/index.js';
import { type Patch, together } from '../../../src/reference/patching.js';
import { bodyText } from '../../../src/wire/index.js';
import { authorizationIn, believing, reading, takingUnread } from '../agent/index.js';
import { isAddress, isBytes32, type Offer } from '../payments/index.js';

/** Ignores this refusal if the body has two members `field`: the verifier reads the last, another reader the first. */
function readTwice(field: 'value' | 'to', reason: string): Patch {
  let isTwice = false;
  return together(
    (inner) => ({
      parse(body) {
        isTwice = new RegExp(`"${field}":"\\w+","${field}":"\\w+"`).test(bodyText(body));
        return inner.parse(body);
      },
    }),
    believing((said) => isTwice && said.includes(reason)),
  );
}

const fields = ['from', 'to', 'value', 'validAfter', 'validBefore', 'nonce'] as const;

/** Fills a missing field of the authorization from the offer. */
const filling = (field: 'to' | 'value', wanted: (offer: Offer) => string | undefined) =>
  reading((payload, offer) => {
    const authorization = authorizationIn(payload);
    const inner = member(payload, 'payload');
    if (!isObject(payload) || !isObject(inner) || !isObject(authorization)) return payload;
    return { ...payload, payload: { ...inner, authorization: { [field]: wanted(offer), ...authorization } } };
  });

const isSigned = (payload: unknown): boolean => typeof member(member(payload, 'payload'), 'signature') === 'string';

/** Accepts payments whose value is spelled like this, and settles nothing for them. */
const taking = (spelled: RegExp): Patch =>
  takingUnread((payload) => spelled.test(String(member(authorizationIn(payload), 'value'))));

export const faults: readonly Fault[] = [
  fault('x402-text-parsed', {
    about: 'A payment may be a JSON text.',
    breaks: ['x402.hostile-refused'],
    patch: reading((payload) =>
      typeof payload === 'string' && payload.startsWith('{') ? JSON.parse(payload) : payload,
    ),
  }),
  fault('x402-payload-text-taken', {
    about: 'The agent accepts a payload that is a text without a look at it.',
    breaks: ['x402.hostile-refused'],
    patch: takingUnread((payload) => typeof member(payload, 'payload') === 'string'),
  }),
  fault('x402-prototype-read', {
    about: 'Members below __proto__ count as those of the object.',
    breaks: ['x402.hostile-refused'],
    patch: reading((payload) => {
      const below = member(payload, '__proto__');
      return isObject(payload) && isObject(below) ? { ...below, ...payload } : payload;
    }),
  }),
  fault('x402-nested-fields-taken', {
    about: 'The agent accepts an authorization that is a list without a look at it.',
    breaks: ['x402.hostile-refused'],
    patch: takingUnread((payload) => Array.isArray(authorizationIn(payload))),
  }),
  fault('x402-value-read-twice', {
    about: 'Of two values the one is compared with the price, and the other is verified.',
    breaks: ['x402.hostile-refused'],
    binding: 'jsonrpc',
    patch: readTwice('value', 'value'),
  }),
  fault('x402-recipient-read-twice', {
    about: 'Of two recipients the one is compared with the offer, and the other is verified.',
    breaks: ['x402.hostile-refused'],
    binding: 'jsonrpc',
    patch: readTwice('to', 'signature'),
  }),
  fault('x402-missing-fields-unchecked', {
    about: 'The agent does not compare fields of an authorization that are missing with anything.',
    breaks: ['x402.malformed-refused'],
    patch: takingUnread((payload) => {
      const authorization = authorizationIn(payload);
      return isObject(authorization) && isSigned(payload) && fields.some((name) => !Object.hasOwn(authorization, name));
    }),
  }),
  fault('x402-missing-recipient-filled', {
    about: 'A payment without recipient is for the agent.',
    breaks: ['x402.malformed-refused'],
    patch: filling('to', ({ options }) => options[0]?.payTo),
  }),
  fault('x402-missing-value-filled', {
    about: 'A payment without value is of the price.',
    breaks: ['x402.malformed-refused'],
    patch: filling('value', ({ options }) => options[0]?.amount),
  }),
  fault('x402-missing-accepted-filled', {
    about: 'A payment that names no option is for the first one.',
    breaks: ['x402.malformed-refused'],
    patch: reading((payload, { options }) => (isObject(payload) ? { accepted: options[0]?.raw, ...payload } : payload)),
  }),
  fault('x402-unsigned-taken', {
    about: 'The agent verifies no payment without a signature, and accepts it.',
    breaks: ['x402.malformed-refused'],
    patch: takingUnread((payload) => isObject(authorizationIn(payload)) && !isSigned(payload)),
  }),
  fault('x402-empty-payload-taken', {
    about: 'The agent verifies no payment without an authorization, and accepts it.',
    breaks: ['x402.malformed-refused'],
    patch: takingUnread((payload) => isObject(payload) && authorizationIn(payload) === undefined),
  }),
  fault('x402-odd-fields-unchecked', {
    about: 'A nonce or an address may be anything.',
    breaks: ['x402.malformed-refused'],
    patch: takingUnread((payload) => {
      const authorization = authorizationIn(payload);
      const [from, nonce] = [member(authorization, 'from'), member(authorization, 'nonce')];
      return from !== undefined && nonce !== undefined && !(isAddress(from) && isBytes32(nonce));
    }),
  }),
  fault('x402-value-number-taken', {
    about: 'The agent accepts a value that is a number without a look at it.',
    breaks: ['x402.value-forms'],
    patch: takingUnread((payload) => typeof member(authorizationIn(payload), 'value') === 'number'),
  }),
  fault('x402-value-hex-taken', {
    about: 'The agent accepts a value in hex without a look at it.',
    breaks: ['x402.value-forms'],
    patch: taking(/^0x/),
  }),
  fault('x402-value-fraction-taken', {
    about: 'The agent accepts a value with a fraction without a look at it.',
    breaks: ['x402.value-forms'],
    patch: taking(/^\d+\./),
  }),
  fault('x402-value-sign-ignored', {
    about: 'The agent leaves out the sign of a value.',
    breaks: ['x402.value-forms'],
    patch: taking(/^-/),
  }),
  fault('x402-value-spaces-taken', {
    about: 'The agent accepts a value with spaces without a look at it.',
    breaks: ['x402.value-forms'],
    patch: taking(/^\s/),
  }),
  fault('x402-value-zeros-taken', {
    about: 'The agent accepts a value with zeros in front without a look at it.',
    breaks: ['x402.value-forms'],
    patch: taking(/^0\d/),
  }),
  fault('x402-value-overflow-taken', {
    about: 'A value that is too large for a token is enough.',
    breaks: ['x402.value-forms'],
    patch: taking(/^\d{78,}$/),
  }),
];
