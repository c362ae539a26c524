import { createPrivateKey, sign } from 'node:crypto';
import { isObject, type JsonObject, stringMember } from '../../model/index.js';
import { type SigningKey, signCard } from '../../signing/index.js';
import { edited, onCard } from '../edits.js';
import { type Fault, fault } from '../fault.js';
import { jsonHeaders, plainReply } from '../http.js';
import { testKey } from '../keys.js';
import type { Patch } from '../seams.js';

const on = 'signed-card';

/** Another key pair with the same key id: RFC 8032 §7.1, test 2. */
const otherKey: SigningKey = {
  ...testKey,
  jwk: {
    kty: 'OKP',
    crv: 'Ed25519',
    d: 'TM0Imyj_ltqdtsNG7BFOD1uKMZ81q6Yk2oz27U-4pvs',
    x: 'PUAXw-hDiVqStwqnTRt-vJyYLM8uxJaMwM1V8Sr0Zgw',
  },
};

const unsigned = ({ signatures: _, ...card }: JsonObject): JsonObject => card;
/** Signs `over(card)` instead of the card, with this key and this `jku`. */
const signedAs =
  (
    over: (card: JsonObject) => JsonObject,
    { key = testKey, jku }: { readonly key?: SigningKey; readonly jku?: string } = {},
  ): Patch =>
  (inner, { baseUrl }) => ({
    cardDocument() {
      const card = inner.cardDocument();
      if (!isObject(card)) return card;
      const address = jku ?? `${baseUrl}/.well-known/jwks.json`;
      return { ...card, signatures: [signCard(over(unsigned(card)), key, { jku: address })] };
    },
  });
function plainSignature(signature: unknown, card: JsonObject): string {
  const payload = Buffer.from(JSON.stringify(card)).toString('base64url');
  const input = `${stringMember(signature, 'protected')}.${payload}`;
  const key = createPrivateKey({ key: testKey.jwk, format: 'jwk' });
  return sign(null, Buffer.from(input), key).toString('base64url');
}
/** Changes the protected header after signing. That the signature no longer fits is judged by another check. */
const header = (change: (header: JsonObject) => JsonObject): Patch =>
  onCard((card) =>
    edited(card, 'signatures.*.protected', (text) =>
      Buffer.from(
        JSON.stringify(change(JSON.parse(Buffer.from(String(text), 'base64url').toString('utf8')) as JsonObject)),
      ).toString('base64url'),
    ),
  );
const keys =
  (body: unknown): Patch =>
  () => ({
    serveKeys: () => ({ status: 200, headers: jsonHeaders, body: JSON.stringify(body) }),
  });

export const signatureFaults: readonly Fault[] = [
  fault('signature-kid-number', {
    about: 'The name of the key is a number.',
    breaks: ['sig.kid'],
    on,
    patch: header((old) => ({ ...old, kid: 1 })),
  }),
  fault('signature-of-another-card', {
    about: 'The card was changed after it was signed.',
    breaks: ['sig.verifies-canonical'],
    on,
    patch: signedAs((card) => ({ ...card, version: '0.9.0' })),
  }),
  fault('signature-by-another-key', {
    about: 'The card was signed with another key than the one that is served.',
    breaks: ['sig.verifies-canonical'],
    on,
    patch: signedAs((card) => card, { key: otherKey }),
  }),
  fault('signature-over-plain-json', {
    about: 'The signature is made over the JSON text as it is printed, with its members in no order.',
    breaks: ['sig.verifies-canonical'],
    on,
    patch: onCard((card) =>
      edited(card, 'signatures.*', (one) => ({ ...(one as object), signature: plainSignature(one, unsigned(card)) })),
    ),
  }),
  fault('signature-jku-without-tls', {
    about: 'The keys are fetched from a public host without TLS.',
    breaks: ['sig.jku'],
    on,
    patch: signedAs((card) => card, { jku: 'http://keys.example.com/jwks.json' }),
  }),
  fault('signature-jku-relative', {
    about: 'The address of the keys is a path.',
    breaks: ['sig.jku'],
    on,
    patch: signedAs((card) => card, { jku: '/.well-known/jwks.json' }),
  }),
  fault('signature-keys-missing', {
    about: 'There is nothing at the address of the keys.',
    breaks: ['sig.jku'],
    on,
    patch: () => ({ serveKeys: () => plainReply(404, 'Not found') }),
  }),
  fault('signature-key-set-lacks-key', {
    about: 'The key set holds other keys only.',
    breaks: ['sig.jku'],
    on,
    patch: keys({ keys: [{ kty: 'OKP', crv: 'Ed25519', kid: 'key-2', x: otherKey.jwk.x }] }),
  }),
];
