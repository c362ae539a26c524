import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  bodyHash,
  type Claim,
  digest,
  isCanonical,
  legacyPublicKeyText,
  malformations,
  misreadings,
  type PrivateKey,
  preimage,
  privateKey,
  publicKeyText,
  pvtText,
  readPrivateKey,
  readPublicKey,
  readSignature,
  readSignatureLeniently,
  recover,
  type Scheme,
  sign,
  signatureFor,
  signatureText,
  signedHash,
  twins,
  wif,
} from './index.js';

// Every vector of fixtures/xpr/signatures.json.

interface Signed {
  readonly id: string;
  readonly keyId: string;
  readonly account: string;
  readonly timestamp: number;
  readonly audience?: string;
  readonly chainId?: string;
  readonly bodyBase64: string;
  readonly bodySha256: string;
  readonly preimage: string;
  readonly digest: string;
  readonly ecdsaHash: string;
  readonly signatureHex: string;
  readonly signature: string;
  readonly publicKey: string;
}
interface Vectors {
  readonly keys: readonly {
    readonly id: string;
    readonly privateHex: string;
    readonly wif: string;
    readonly pvtK1: string;
    readonly publicHex: string;
    readonly pubK1: string;
    readonly pubLegacy: string;
  }[];
  readonly sign: readonly Signed[];
  readonly signV2: readonly Signed[];
  readonly equivalent: readonly {
    readonly id: string;
    readonly of: string;
    readonly signature: string;
    readonly protonJsRecoversSameKey: boolean;
    readonly strictVerifierAccepts: boolean;
  }[];
  readonly reject: readonly { readonly id: string; readonly of: string; readonly signature: string }[];
  readonly keyTexts: readonly {
    readonly id: string;
    readonly kind: 'private' | 'public';
    readonly text: string;
    readonly valid: boolean;
  }[];
}

const vectors: Vectors = JSON.parse(
  readFileSync(new URL('../../../fixtures/xpr/signatures.json', import.meta.url), 'utf8'),
);

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const bytes = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'hex'));
const signed = [...vectors.sign, ...vectors.signV2];
const vector = (id: string): Signed => signed.find((vector) => vector.id === id)!;
const keyOf = ({ keyId }: Signed): PrivateKey =>
  privateKey(bytes(vectors.keys.find(({ id }) => id === keyId)!.privateHex));
const schemeOf = ({ audience, chainId }: Signed): Scheme =>
  audience === undefined || chainId === undefined ? { lines: 3 } : { lines: 5, audience, chainId };
const claimOf = ({ account, timestamp, bodyBase64 }: Signed): Claim => ({
  account,
  timestamp: String(timestamp),
  body: Buffer.from(bodyBase64, 'base64'),
});

/** What a verifier does: the text of the key that it finds, or nothing. */
function verified(text: string, { ecdsaHash }: Signed): string | undefined {
  try {
    const key = recover(bytes(ecdsaHash), readSignature(text));
    return key && publicKeyText(key);
  } catch {
    return undefined;
  }
}
function leniently(text: string, { ecdsaHash }: Signed): string | undefined {
  const signature = readSignatureLeniently(text);
  const key = signature && recover(bytes(ecdsaHash), signature, { lenient: true });
  return key && publicKeyText(key);
}

test('the vectors are all there', () => {
  const { keys, sign: three, signV2, equivalent, reject, keyTexts } = vectors;
  const counts = [keys, three, signV2, equivalent, reject, keyTexts].map(({ length }) => length);
  expect(counts).toEqual([6, 20, 4, 7, 21, 10]);
});

describe('keys', () => {
  test.each(vectors.keys)('$id', ({ privateHex, publicHex, pubK1, pubLegacy, pvtK1, wif: text }) => {
    const key = privateKey(bytes(privateHex));
    expect(hex(key.publicKey)).toBe(publicHex);
    expect([wif(key), pvtText(key)]).toEqual([text, pvtK1]);
    expect([publicKeyText(key.publicKey), legacyPublicKeyText(key.publicKey)]).toEqual([pubK1, pubLegacy]);
    for (const spelling of [text, pvtK1]) expect(hex(readPrivateKey(spelling).secret)).toBe(privateHex);
    for (const spelling of [pubK1, pubLegacy]) expect(hex(readPublicKey(spelling))).toBe(publicHex);
  });
});

describe('signatures', () => {
  test.each(signed)('$id', (vector) => {
    const [scheme, claim, key] = [schemeOf(vector), claimOf(vector), keyOf(vector)];
    expect(bodyHash(claim.body)).toBe(vector.bodySha256);
    expect(preimage(scheme, claim)).toBe(vector.preimage);
    expect(hex(digest(scheme, claim))).toBe(vector.digest);
    const hash = signedHash(digest(scheme, claim));
    expect(hex(hash)).toBe(vector.ecdsaHash);
    const signature = sign(hash, key);
    expect(hex(signature)).toBe(vector.signatureHex);
    expect(isCanonical(signature)).toBe(true);
    expect(signatureText(signature)).toBe(vector.signature);
    expect(signatureFor(scheme, claim, key)).toBe(vector.signature);
    expect(hex(readSignature(vector.signature))).toBe(vector.signatureHex);
    expect(verified(vector.signature, vector)).toBe(vector.publicKey);
    expect(leniently(vector.signature, vector)).toBe(vector.publicKey);
  });
});

describe('other spellings of a signature', () => {
  test.each(vectors.equivalent)('$id', ({ of, signature, protonJsRecoversSameKey, strictVerifierAccepts }) => {
    const original = vector(of);
    expect(verified(signature, original) === original.publicKey).toBe(strictVerifierAccepts);
    expect(leniently(signature, original) === original.publicKey).toBe(protonJsRecoversSameKey);
  });

  test('are what can be made of the original', () => {
    const expected = vectors.equivalent.filter(({ strictVerifierAccepts }) => !strictVerifierAccepts);
    const made = twins(vector('v03-tasks-get').signature);
    expect(made.map(({ text }) => text)).toEqual(expected.map(({ signature }) => signature));
    expect(made.map(({ id }) => id)).toEqual(expected.map(({ id }) => id.slice(0, 3)));
  });
});

describe('what must be refused', () => {
  test.each(vectors.reject)('$id', ({ of, signature }) => {
    const original = vector(of);
    expect(verified(signature, original)).not.toBe(original.publicKey);
    expect(leniently(signature, original)).not.toBe(original.publicKey);
  });

  test('is what can be made of the original, or of the request', () => {
    const original = vector('v03-tasks-get');
    const made = [
      ...malformations(original.signature),
      ...misreadings(schemeOf(original), claimOf(original), keyOf(original)),
    ];
    for (const { id, text } of made) {
      expect([id, text]).toEqual([id, vectors.reject.find((vector) => vector.id.startsWith(id))?.signature]);
    }
    expect(made.length).toBe(19);
  });
});

describe('texts of keys', () => {
  test.each(vectors.keyTexts)('$id', ({ kind, text, valid }) => {
    const read = (): unknown => (kind === 'private' ? readPrivateKey(text) : readPublicKey(text));
    if (valid) expect(read()).toBeDefined();
    else expect(read).toThrow(/checksum/);
  });
});
