import { header } from '../../wire/index.js';
import { isCanonical, publicKeyText, readSignatureLeniently, recover, signatureText } from '../../xpr/index.js';
import type { Incoming } from '../calls.js';
import { type Fault, fault } from '../fault.js';
import { type Patch, together } from '../seams.js';
import { onXpr } from '../xpr/patches.js';
import type { XprClaim, XprProof } from '../xpr/seams.js';

/** Reads more forms of a signature: `putRight` gives its right text, or its bytes; undefined: read as usual. */
const reading = (putRight: (text: string) => string | Uint8Array | undefined): Patch =>
  onXpr((inner) => ({
    key(signature, hash) {
      const right = putRight(signature);
      if (right === undefined) return inner.key(signature, hash);
      if (typeof right === 'string') return inner.key(right, hash);
      const key = recover(hash, right, { lenient: true });
      return key === undefined ? inner.key(signature, hash) : publicKeyText(key);
    },
  }));
const markedBySignature: Patch = onXpr((inner) => ({
  mark: (proof) => `${inner.mark(proof)} ${proof.signature}`,
}));
/** Reads signatures as leniently as the published parser, but only those of this form. */
const lenient =
  (isForm: (signature: Uint8Array) => boolean) =>
  (text: string): Uint8Array | undefined => {
    const signature = readSignatureLeniently(text);
    return signature !== undefined && isForm(signature) ? signature : undefined;
  };
const headerOf = ([first = 0]: Uint8Array): number => first;
const isUsual = (first: number): boolean => first >= 31 && first <= 34;

/** A claim with another part of the request, which becomes part of its mark. */
interface Noted extends XprClaim {
  readonly noted?: string;
}
const marking = (note: (request: Incoming) => string): Patch =>
  onXpr((inner) => ({
    claim: (request): Noted => ({ ...inner.claim(request), noted: note(request) }),
    mark: (proof: XprProof & Noted) => `${inner.mark(proof)} ${proof.noted ?? ''}`,
  }));
/** Verifies the number that the timestamp means, but remembers the text of the header. */
const timestamps = (form: RegExp): Patch =>
  together(
    marking(({ headers }) => header(headers, 'X-XPR-Timestamp') ?? ''),
    onXpr((inner) => ({
      claim(request) {
        const claim = inner.claim(request);
        return form.test(claim.timestamp)
          ? { ...claim, timestamp: String(Number.parseInt(claim.timestamp, 10)) }
          : claim;
      },
    })),
  );
const atPath = (isMeant: (path: string) => boolean): Patch =>
  together(
    (inner) => ({
      route(request) {
        const route = inner.route(request);
        return route === 'nowhere' && isMeant(new URL(request.url).pathname) ? 'endpoint' : route;
      },
    }),
    marking(({ url }) => new URL(url).pathname),
  );

/** Replays that are accepted because they are written or sent differently. */
export const xprReplayMarksFaults: readonly Fault[] = [
  fault('xpr-store-by-high-s', {
    about: 'Signatures with a high s are taken, and what is remembered is the signature.',
    breaks: ['xpr.replay-twin'],
    patch: together(reading(lenient((one) => isUsual(headerOf(one)) && !isCanonical(one))), markedBySignature),
  }),
  fault('xpr-store-by-signature-header', {
    about: 'Two bits of the header byte of a signature count, and what is remembered is the signature.',
    breaks: ['xpr.replay-twin'],
    patch: together(reading(lenient((one) => !isUsual(headerOf(one)) && isCanonical(one))), markedBySignature),
  }),
  fault('xpr-store-by-signature-text', {
    about: 'Zero digits in front of a signature change nothing, and what is remembered is its text.',
    breaks: ['xpr.replay-twin'],
    patch: together(
      reading((text) => {
        const signature = text.startsWith('SIG_K1_1') ? readSignatureLeniently(text) : undefined;
        return signature && signatureText(signature);
      }),
      markedBySignature,
    ),
  }),
  fault('xpr-store-by-signed-timestamp', {
    about: 'A timestamp may have a plus sign, and what is remembered is its text.',
    breaks: ['xpr.replay-timestamp'],
    patch: timestamps(/^\+[0-9]{1,12}$/),
  }),
  fault('xpr-store-by-padded-timestamp', {
    about: 'A timestamp may begin with zeros, and what is remembered is its text.',
    breaks: ['xpr.replay-timestamp'],
    patch: timestamps(/^0[0-9]{1,12}$/),
  }),
  fault('xpr-store-by-decimal-timestamp', {
    about: 'A timestamp may have decimals, and what is remembered is its text.',
    breaks: ['xpr.replay-timestamp'],
    patch: timestamps(/^[0-9]{1,12}\.[0-9]+$/),
  }),
  fault('xpr-store-by-host', {
    about: 'The same request to another host is another one.',
    breaks: ['xpr.replay-elsewhere'],
    patch: marking(({ headers }) => header(headers, 'host') ?? ''),
  }),
  fault('xpr-store-by-slash', {
    about: 'A slash at the end of the path changes nothing, but that the request is another one.',
    breaks: ['xpr.replay-elsewhere'],
    patch: atPath((path) => path.endsWith('/a2a/')),
  }),
  fault('xpr-store-by-case-of-path', {
    about: 'Upper case in the path changes nothing, but that the request is another one.',
    breaks: ['xpr.replay-elsewhere'],
    patch: atPath((path) => path.endsWith('/A2A')),
  }),
  fault('xpr-store-by-query', {
    about: 'The same request with another query is another one.',
    breaks: ['xpr.replay-elsewhere'],
    patch: marking(({ url }) => new URL(url).search),
  }),
  fault('xpr-store-by-content-type', {
    about: 'The same request under another content type is another one.',
    breaks: ['xpr.replay-elsewhere'],
    patch: marking(({ headers }) => header(headers, 'content-type') ?? ''),
  }),
];
