import { isObject, member } from '../../model/index.js';
import { isAddress, isBytes32, type Offer } from '../../x402/index.js';
import { type Fault, fault } from '../fault.js';
import { authorizationIn, reading, takingUnread } from '../x402/lenient-verification.js';

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

/** Malformed payments that are accepted. */
export const x402MalformedFaults: readonly Fault[] = [
  fault('x402-missing-fields-unchecked', {
    about: 'Fields of an authorization that are missing are not compared with anything.',
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
    about: 'Where there is no signature, none is verified.',
    breaks: ['x402.malformed-refused'],
    patch: takingUnread((payload) => isObject(authorizationIn(payload)) && !isSigned(payload)),
  }),
  fault('x402-empty-payload-taken', {
    about: 'Where there is no authorization, none is verified.',
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
];
