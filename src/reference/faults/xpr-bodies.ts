import { bodyText } from '../../wire/index.js';
import { type Fault, fault } from '../fault.js';
import { type Patch, together } from '../seams.js';
import { onXpr } from '../xpr/patches.js';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Changes the text of the body before it is hashed. */
const hashedAs = (change: (text: string) => string): Patch =>
  onXpr((inner) => ({ body: (request) => utf8(change(bodyText(inner.body(request)))) }));

/** Rewrites a JSON body before it is hashed; a body that is no JSON is hashed as it is. */
const rewritten = (rewrite: (value: object) => unknown): Patch =>
  hashedAs((text) => {
    try {
      return JSON.stringify(rewrite(JSON.parse(text)));
    } catch {
      return text;
    }
  });

/** The members of a call in the order of the document. */
const inOrder = (value: object): unknown => {
  const { jsonrpc, id, method, params } = value as Readonly<Record<string, unknown>>;
  return { jsonrpc, id, method, params };
};

/** Does not verify the body again when a request repeats a signature that was verified before. */
const remembering: Patch = onXpr((inner) => {
  const tried = new Map<string, Uint8Array>();
  const verified = new Map<string, Uint8Array>();
  return {
    async hash(claim, body) {
      const hash = verified.get(claim.signature) ?? (await inner.hash(claim, body));
      tried.set(claim.signature, hash);
      return hash;
    },
    use(proof) {
      const hash = tried.get(proof.signature);
      if (hash !== undefined) verified.set(proof.signature, hash);
      return inner.use(proof);
    },
  };
});

/** Reads bodies that are no UTF-8 as if they were. */
const lenient =
  (read: (body: Uint8Array) => string): Patch =>
  (inner) => ({
    parse(body) {
      try {
        return inner.parse(body);
      } catch {
        return inner.parse(utf8(read(body)));
      }
    },
  });
const replaced = (body: Uint8Array): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(body);
const dropped = (body: Uint8Array): string => replaced(body).replaceAll('\ufffd', '');

const hashedOf = (read: (body: Uint8Array) => string): Patch =>
  onXpr((inner) => ({ body: (request) => utf8(read(inner.body(request))) }));

/** Faults about which bytes of a body are signed. */
export const xprBodiesFaults: readonly Fault[] = [
  fault('xpr-body-written-anew', {
    about: 'The body is parsed and written anew before it is hashed.',
    breaks: ['xpr.body-texts', 'xpr.body-tampered'],
    patch: rewritten((value) => value),
  }),
  fault('xpr-body-members-ordered', {
    about: 'The members of the body are put in order before they are hashed.',
    breaks: ['xpr.body-texts', 'xpr.body-tampered'],
    patch: rewritten(inOrder),
  }),
  fault('xpr-body-read-as-latin1', {
    about: 'The body is read as Latin-1 before it is hashed.',
    breaks: ['xpr.body-texts'],
    patch: onXpr((inner) => ({
      body: (request) => utf8(Buffer.from(inner.body(request)).toString('latin1')),
    })),
  }),
  fault('xpr-body-normalised', {
    about: 'Unicode is normalised before the body is hashed.',
    breaks: ['xpr.body-texts'],
    patch: hashedAs((text) => text.normalize('NFC')),
  }),
  fault('xpr-body-line-ends', {
    about: 'Line ends are unified before the body is hashed.',
    breaks: ['xpr.body-texts'],
    patch: hashedAs((text) => text.replaceAll('\r\n', '\n')),
  }),
  fault('xpr-body-trimmed', {
    about: 'White space around the body is not hashed.',
    breaks: ['xpr.body-texts', 'xpr.body-tampered'],
    patch: hashedAs((text) => text.trim()),
  }),
  fault('xpr-signature-remembered', {
    about: 'A signature that was verified once is believed with any body.',
    breaks: ['xpr.body-tampered'],
    patch: remembering,
  }),
  fault('xpr-body-decoded-first', {
    about: 'Bytes that are no UTF-8 are replaced before the body is hashed.',
    breaks: ['xpr.invalid-utf8'],
    patch: together(lenient(replaced), hashedOf(replaced)),
  }),
  fault('xpr-body-invalid-dropped', {
    about: 'Bytes that are no UTF-8 are dropped before the body is hashed.',
    breaks: ['xpr.invalid-utf8'],
    patch: together(lenient(dropped), hashedOf(dropped)),
  }),
  fault('xpr-signature-remembered-invalid', {
    about: 'Bodies that are no UTF-8 are taken, and a signature that was verified once is believed with any of them.',
    breaks: ['xpr.invalid-utf8'],
    patch: together(lenient(replaced), remembering),
  }),
];
