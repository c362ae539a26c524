import { crashing } from '../../../fixtures/faults/shared/breaking.js';
import { fuzzFault } from '../../../fixtures/faults/shared/fuzz-fault.js';
import { isObject, member } from '../../../src/model/index.js';
import { messageIn, type Patch, peek, somewhere, textOf, together } from '../../../src/reference/patching.js';
import { authorizationIn, takingUnread } from '../agent/index.js';
import { metadataKeys } from '../payments/index.js';

const payloadIn = (sent: unknown): unknown => member(member(messageIn(sent), 'metadata'), metadataKeys.payload);
const nonceIn = (payload: unknown): unknown => member(authorizationIn(payload), 'nonce');

/** Cases are run again with the same messages. */
const eachTime = { eachTime: true };

/** A member twice, one right behind the other. */
const isDoubled = (text: string): boolean => /"(value|to|nonce|signature)":"[^"]*","\1":"/.test(text);

/** The agent accepts payments whose text has a member twice, as where two programs read different ones of the two. */
const takingDoubled: Patch = (inner, world, whole) => {
  const doubled = new Set<unknown>();
  const noting: Patch = (before) => ({
    serveRpc(request) {
      const nonce = nonceIn(payloadIn(peek(request)));
      if (nonce !== undefined && isDoubled(textOf(request))) doubled.add(nonce);
      return before.serveRpc(request);
    },
  });
  return together(
    noting,
    takingUnread((payload) => doubled.has(nonceIn(payload)), eachTime),
  )(inner, world, whole);
};

/** Faults of agents that charge. */
export const paymentFuzzFaults = [
  fuzzFault('fuzz-payment-number-paid', {
    about: 'A payment whose value is a JSON number is taken without verifying it.',
    seenBy: ['paid'],
    callers: 'pay',
    patch: takingUnread((payload) => typeof member(authorizationIn(payload), 'value') === 'number', eachTime),
  }),
  fuzzFault('fuzz-payment-array-crashes', {
    about: 'The agent answers an array in the place of a payment with HTTP 500 and a page.',
    seenBy: ['alive', 'law', 'error-class'],
    callers: 'pay',
    patch: crashing((sent) => Array.isArray(payloadIn(sent))),
  }),
  fuzzFault('fuzz-payment-doubled-member-paid', {
    about: 'A payment that has a member twice is taken without verifying it.',
    seenBy: ['paid'],
    callers: 'pay',
    patch: takingDoubled,
  }),
  fuzzFault('fuzz-payment-prototype-paid', {
    about: 'The agent accepts a payment with a member named __proto__ without verifying it.',
    seenBy: ['paid'],
    callers: 'pay',
    patch: takingUnread(
      (payload) => isObject(payload) && somewhere(payload, (_, name) => name === '__proto__'),
      eachTime,
    ),
  }),
];
