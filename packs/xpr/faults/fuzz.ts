import { crashing, failing, hung, on } from '../../../fixtures/faults/shared/breaking.js';
import { fuzzFault } from '../../../fixtures/faults/shared/fuzz-fault.js';
import type { Incoming } from '../../../src/reference/patching.js';
import { header } from '../../../src/wire/index.js';
import { onXpr } from '../agent/index.js';
import { headerNames, readSignatureLeniently } from '../signing/index.js';

const signing = { profiles: ['xpr', 'xpr-v2'], callers: 'sign' } as const;

/** The bytes of the signature of a request, where its text can be read. */
const signatureOf = ({ headers }: Incoming): Uint8Array | undefined =>
  readSignatureLeniently(header(headers, headerNames.signature) ?? '');

/** Faults of agents that know their callers by signatures. */
export const xprFuzzFaults = [
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
];
