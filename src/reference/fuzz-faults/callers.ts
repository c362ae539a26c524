import { isObject, member } from '../../model/index.js';
import { header } from '../../wire/index.js';
import { metadataKeys } from '../../x402/index.js';
import { headerNames, readSignatureLeniently } from '../../xpr/index.js';
import type { Incoming } from '../calls.js';
import { peek } from '../http.js';
import { type Patch, together } from '../seams.js';
import { authorizationIn, takingUnread } from '../x402/lenient-verification.js';
import { onXpr } from '../xpr/patches.js';
import { crashing, failing, hung, on } from './breaking.js';
import { fuzzFault } from './fuzz-fault.js';
import { messageIn, somewhere, textOf } from './looking.js';

const signing = { profiles: ['xpr', 'xpr-v2'], callers: 'sign' } as const;

/** The bytes of the signature of a request, where its text can be read. */
const signatureOf = ({ headers }: Incoming): Uint8Array | undefined =>
  readSignatureLeniently(header(headers, headerNames.signature) ?? '');

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

/** Faults of agents that know their callers by signatures, or that charge. */
export const callerFaults = [
  fuzzFault('fuzz-signature-header-255-crashes', {
    about: 'A signature whose first byte is 255 is answered with HTTP 500 and a page.',
    seenBy: ['alive'],
    ...signing,
    patch: crashing((_, request) => signatureOf(request)?.[0] === 255),
  }),
  fuzzFault('fuzz-signature-r-zero-hangs', {
    about: 'A signature whose first number is 0 is never answered.',
    seenBy: ['alive'],
    ...signing,
    patch: on(
      (_, request) =>
        signatureOf(request)
          ?.subarray(1, 33)
          .every((byte) => byte === 0) === true,
      hung,
    ),
  }),
  fuzzFault('fuzz-timestamp-plus-accepted', {
    about: 'A timestamp with a plus sign counts as the number, signed without it.',
    seenBy: ['signed'],
    ...signing,
    patch: onXpr((inner) => ({
      claim(request) {
        const claim = inner.claim(request);
        return { ...claim, timestamp: claim.timestamp.replace(/^\+/, '') };
      },
    })),
  }),
  fuzzFault('fuzz-account-next-line-accepted', {
    about: 'An account with the control character of a next line behind it counts as the account.',
    seenBy: ['signed'],
    ...signing,
    patch: onXpr((inner) => ({
      header: (name, request) => inner.header(name, request).replace(/[\u0085\u00a0]+$/, ''),
    })),
  }),
  fuzzFault('fuzz-signed-line-feed-ignored', {
    about: 'A line feed behind the body is not part of what is signed.',
    seenBy: ['signed'],
    ...signing,
    patch: onXpr((inner) => ({
      body(request) {
        const body = inner.body(request);
        return body.at(-1) === 0x0a ? body.subarray(0, -1) : body;
      },
    })),
  }),
  fuzzFault('fuzz-account-percent-is-internal', {
    about: 'A percent sign in the account is an internal error.',
    seenBy: ['signed', 'leak', 'law', 'alive'],
    ...signing,
    patch: failing((_, { headers }) => /%/.test(header(headers, headerNames.account) ?? ''), 'URIError: URI malformed'),
  }),
  fuzzFault('fuzz-payment-number-paid', {
    about: 'A payment whose value is a JSON number is taken without being verified.',
    seenBy: ['paid'],
    callers: 'pay',
    patch: takingUnread((payload) => typeof member(authorizationIn(payload), 'value') === 'number', eachTime),
  }),
  fuzzFault('fuzz-payment-array-crashes', {
    about: 'An array in the place of a payment is answered with HTTP 500 and a page.',
    seenBy: ['alive', 'law', 'error-class'],
    callers: 'pay',
    patch: crashing((sent) => Array.isArray(payloadIn(sent))),
  }),
  fuzzFault('fuzz-payment-doubled-member-paid', {
    about: 'A payment that has a member twice is taken without being verified.',
    seenBy: ['paid'],
    callers: 'pay',
    patch: takingDoubled,
  }),
  fuzzFault('fuzz-payment-prototype-paid', {
    about: 'A payment with a member named __proto__ is taken without being verified.',
    seenBy: ['paid'],
    callers: 'pay',
    patch: takingUnread(
      (payload) => isObject(payload) && somewhere(payload, (_, name) => name === '__proto__'),
      eachTime,
    ),
  }),
];
