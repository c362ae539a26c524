import { isObject, member } from '../../model/index.js';
import { bodyText } from '../../wire/index.js';
import { type Fault, fault } from '../fault.js';
import { type Patch, together } from '../seams.js';
import { authorizationIn, reading, takingUnread } from '../x402/lenient-verification.js';
import { believing } from '../x402/patches.js';

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

/** Payments of unusual size or form. */
export const x402HostileFaults: readonly Fault[] = [
  fault('x402-text-parsed', {
    about: 'A payment may be a JSON text.',
    breaks: ['x402.hostile-refused'],
    patch: reading((payload) =>
      typeof payload === 'string' && payload.startsWith('{') ? JSON.parse(payload) : payload,
    ),
  }),
  fault('x402-payload-text-taken', {
    about: 'A payload that is a text is taken unseen.',
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
    about: 'An authorization that is a list is taken unseen.',
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
];
