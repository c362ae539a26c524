import {
  brief,
  conforms,
  isObject,
  isString,
  type JsonObject,
  law,
  member,
  set,
  severally,
} from '../../src/kit/index.js';
import { filled, objectsIn, onCard, own, placesOnCard, unless } from '../shared/declared.js';

// A2A 0.3 §5.5.6 AgentCardSignature, RFC 7515 §4. AMB03-27: the signed content is not defined, so no signature is
// verified.

const signed = {
  otherwise: 'the kit can read no signature of the card',
  unless: unless('the card has no signatures', (card) => filled(card['signatures'])),
};

// In our words (1.0, 8.4.2 Signature Format): Each signature has string `protected` and string `signature`.
export const members = conforms(
  'card/signature-members',
  'sig.members',
  'give each signature its members `protected` and `signature`',
  {
    ...signed,
    advice:
      'Write a list of {"protected": "…", "signature": "…"}: the first and the last part of a compact JWS, without its payload.',
  },
);
// In our words (1.0, 8.4.2 Signature Format): Signature and protected header are base64url encoded.
export const encoding = conforms(
  'card/signature-encoding',
  'sig.base64url',
  'encode each signature in base64url without padding',
  {
    ...signed,
    advice:
      'Encode with base64url as in JWS: - and _ in place of + and /, and no = at the end. The usual base64 function does otherwise.',
  },
);
// In our words (1.0, 8.4.2 Signature Format): A present `header` of a signature is an object.
export const header = conforms(
  'card/signature-header',
  'sig.header',
  'give the unprotected header of each signature as an object',
  {
    otherwise: 'no signature has an unprotected header',
    unless: unless('no signature has an unprotected header', (card) =>
      objectsIn(card['signatures']).some(own('header')),
    ),
    advice:
      'Write `header` as a JSON object, not encoded: only `protected` is base64url. Leave it out if there is nothing in it.',
  },
).mutants(set('signatures.header', 'kid=1'));

/** RFC 7515 §4.1.1: `alg` is required; "none" protects nothing. */
function problemOf(text: string): string | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(text)) return 'is not base64url';
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    return 'is not base64url of JSON';
  }
  if (!isObject(value)) return 'is base64url of JSON, but of no object';
  if (!isString(value['alg'])) return 'names no alg';
  return value['alg'].toLowerCase() === 'none' ? 'names the alg none' : undefined;
}

/** The protected headers that cannot be read, or name no algorithm that protects. */
const unprotected = ({ signatures }: JsonObject) =>
  (Array.isArray(signatures) ? signatures : []).flatMap((signature, at) => {
    const text = member(signature, 'protected');
    const problem = isString(text) ? problemOf(text) : undefined;
    return problem === undefined ? [] : [{ path: `/signatures/${at}/protected`, problem, seen: brief(text) }];
  });

// In our words (1.0, 8.4.2 Signature Format): The protected header decodes to a JSON object with `alg`.
export const protectedHeader = law(
  'card/signature-protected',
  'sig.protected',
  'protect each signature by a header that names its algorithm',
  {
    ...signed,
    advice:
      'Encode JSON such as {"alg": "ES256", "kid": "…"} with base64url into `protected`. Never sign with alg none.',
    places: placesOnCard(unprotected),
  },
  onCard((card) => {
    const wrong = unprotected(card);
    if (wrong.length > 0) return severally(wrong.map(({ problem, seen }) => `protected ${problem}: ${seen}`));
    return objectsIn(card['signatures']).some((signature) => isString(signature['protected']))
      ? 'holds'
      : 'not-concerned';
  }),
);
