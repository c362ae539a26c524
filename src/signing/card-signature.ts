import { createPrivateKey, createPublicKey, type JsonWebKey, sign, verify } from 'node:crypto';
import { isObject, type JsonObject, stringMember } from '../model/index.js';
import { canonicalJson } from './jcs.js';
import { withPresence } from './presence.js';

// Signatures of agent cards, A2A 1.0 §8.4: JWS (RFC 7515) with a detached payload, the card in the form of RFC 8785.

/** A2A 1.0 §4.4.7. */
export interface CardSignature {
  readonly protected: string;
  readonly signature: string;
  readonly header?: JsonObject;
}

export interface SigningKey {
  readonly kid: string;
  readonly alg: 'ES256' | 'EdDSA';
  /** With its private part. */
  readonly jwk: JsonWebKey;
}

interface Algorithm {
  readonly hash: string | null;
  readonly kty: string;
  readonly crv?: string;
  readonly options?: { readonly dsaEncoding?: 'ieee-p1363'; readonly padding?: number; readonly saltLength?: number };
}
const raw = { dsaEncoding: 'ieee-p1363' } as const;
/** RFC 7518 §3.1, RFC 8037 §3.1: the algorithms with public keys. */
const algorithms: ReadonlyMap<string, Algorithm> = new Map([
  ['ES256', { hash: 'sha256', kty: 'EC', crv: 'P-256', options: raw }],
  ['ES384', { hash: 'sha384', kty: 'EC', crv: 'P-384', options: raw }],
  ['ES512', { hash: 'sha512', kty: 'EC', crv: 'P-521', options: raw }],
  ['RS256', { hash: 'sha256', kty: 'RSA' }],
  ['EdDSA', { hash: null, kty: 'OKP', crv: 'Ed25519' }],
] satisfies [string, Algorithm][]);

/** Possible meanings of the canonical form (AMB10-24): the text describes two, and the SDKs do a third. */
export type Reading = 'as-served' | 'presence' | 'without-empty' | 'without-defaults';
export const readings = ['as-served', 'presence', 'without-empty', 'without-defaults'] as const;

const forms: Readonly<Record<Reading, (card: JsonObject) => unknown>> = {
  /** §8.4.1, on the assumption that the agent already applied it when it wrote its card. */
  'as-served': (card) => card,
  /** §8.4.1: required and optional members stay with any value; other members with a default value are removed. */
  presence: withPresence,
  /** The Python and JavaScript SDKs: empty texts, lists and objects are removed, false and 0 stay. */
  'without-empty': (card) => swept(card, (value) => value === '') ?? {},
  /** §8.4.2, §8.4.3: every default value is removed. */
  'without-defaults': (card) => swept(card, (value) => value === '' || value === false || value === 0) ?? {},
};

/** From the inside out, so that lists and objects that become empty are removed as well. */
function swept(value: unknown, goes: (value: unknown) => boolean): unknown {
  if (value === null || value === undefined || goes(value)) return undefined;
  if (Array.isArray(value)) {
    const kept = value.map((item) => swept(item, goes)).filter((item) => item !== undefined);
    return kept.length > 0 ? kept : undefined;
  }
  if (!isObject(value)) return value;
  const kept = Object.entries(value).flatMap(([name, member]) => {
    const inner = swept(member, goes);
    return inner === undefined ? [] : [[name, inner] as const];
  });
  return kept.length > 0 ? Object.fromEntries(kept) : undefined;
}

/** The text that a signature covers. @throws TypeError when the card is not JSON. */
export function cardPayload(card: JsonObject, reading: Reading): string {
  const { signatures: _, ...rest } = card;
  return canonicalJson(forms[reading](rest));
}

const base64url = (text: string): string => Buffer.from(text, 'utf8').toString('base64url');
const signingInput = (protectedHeader: string, form: string): Buffer =>
  Buffer.from(`${protectedHeader}.${form}`, 'ascii');

/**
 * EdDSA gives the same bytes each time; ES256 does not. `jku` and `jwk` (RFC 7515 §4.1) go into the protected header.
 * @throws Error when the key does not fit its algorithm.
 */
export function signCard(
  card: JsonObject,
  { kid, alg, jwk }: SigningKey,
  {
    reading = 'presence',
    ...more
  }: { readonly jku?: string; readonly jwk?: JsonObject; readonly reading?: Reading } = {},
): CardSignature {
  const header = base64url(JSON.stringify({ alg, typ: 'JOSE', kid, ...more }));
  const { hash, options } = algorithms.get(alg) ?? { hash: null };
  const key = createPrivateKey({ key: jwk, format: 'jwk' });
  const signature = sign(hash, signingInput(header, base64url(cardPayload(card, reading))), { key, ...options });
  return { protected: header, signature: signature.toString('base64url') };
}

/** The public part of a key, as an entry of a JWKS (RFC 7517 §5). */
export function publicJwk({ kid, alg, jwk }: SigningKey): JsonObject {
  const { d: _, p: _p, q: _q, dp: _dp, dq: _dq, qi: _qi, ...open } = jwk;
  return { ...open, kid, alg, use: 'sig' };
}

/** The protected header of a signature; undefined when it is not the base64url of a JSON object. */
export function protectedHeader(signature: unknown): JsonObject | undefined {
  const encoded = stringMember(signature, 'protected');
  if (encoded === undefined || !/^[\w-]+$/.test(encoded)) return undefined;
  try {
    const header: unknown = JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8'));
    return isObject(header) ? header : undefined;
  } catch {
    return undefined;
  }
}

export type Verification =
  | { readonly verified: true; readonly reading: Reading }
  | {
      readonly verified: false;
      /** `signature`: everything is readable, but the signature fits no reading. */
      readonly problem: 'malformed' | 'algorithm' | 'key' | 'card' | 'signature';
      /** How many different payloads were tried; 1: all readings give the same, so nothing is ambiguous. */
      readonly payloads: number;
    };

/** For people, after "no signature verifies:". */
export const verificationProblems = {
  malformed: 'it cannot be read',
  algorithm: 'the kit does not know its algorithm',
  key: 'the key is not of its algorithm',
  card: 'the card has no canonical form',
  signature: 'it fits no reading of the canonical form',
} as const;

/** Judges one signature by one key. */
export type CardVerifier = (signature: unknown, jwk: unknown) => Verification;

const unverified = (problem: 'malformed' | 'algorithm' | 'key' | 'card' | 'signature', payloads = 0): Verification => ({
  verified: false,
  problem,
  payloads,
});

/**
 * Returns a function that tries every reading and never throws, whatever card, signature and key are. The forms of the
 * card are made once for all signatures and keys. Each key costs a hash of each form, so their number must be bounded.
 */
export function cardVerifier(card: JsonObject): CardVerifier {
  let made: readonly (readonly [form: string, reading: Reading])[] | undefined;
  /** Each form once, in base64url, with the first reading that makes it. @throws TypeError if the card is not JSON. */
  function forms(): readonly (readonly [form: string, reading: Reading])[] {
    made ??= [...new Map([...readings].reverse().map((reading) => [cardPayload(card, reading), reading]))]
      .reverse()
      .map(([payload, reading]) => [base64url(payload), reading]);
    return made;
  }
  return (signature, jwk) => {
    const header = protectedHeader(signature);
    const bytes = stringMember(signature, 'signature');
    if (header === undefined || bytes === undefined || !/^[\w-]+$/.test(bytes)) return unverified('malformed');
    const name = stringMember(header, 'alg') ?? '';
    const algorithm = algorithms.get(name);
    if (algorithm === undefined) return unverified('algorithm');
    // The header alone does not decide: the key must be made for the algorithm (RFC 8725 §3.1).
    const { kty, crv, hash, options } = algorithm;
    const fits = stringMember(jwk, 'kty') === kty && (crv === undefined || stringMember(jwk, 'crv') === crv);
    const meant = stringMember(jwk, 'alg');
    if (!isObject(jwk) || !fits || (meant !== undefined && meant !== name)) return unverified('key');
    let payloads: ReturnType<typeof forms>;
    try {
      payloads = forms();
    } catch {
      return unverified('card');
    }
    try {
      const key = createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' });
      const given = Buffer.from(bytes, 'base64url');
      const encoded = stringMember(signature, 'protected') ?? '';
      for (const [form, reading] of payloads) {
        if (verify(hash, signingInput(encoded, form), { key, ...options }, given)) return { verified: true, reading };
      }
    } catch {
      return unverified('key', payloads.length);
    }
    return unverified('signature', payloads.length);
  };
}
