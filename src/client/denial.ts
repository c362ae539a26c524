import type { NativeError } from '../binding/index.js';
import { isObject, member } from '../model/index.js';
import { type Exchange, header } from '../wire/index.js';

// Finds errors that say that credentials are missing or wrong, where no HTTP status does: 1.0 §3.3.2 leaves JSON-RPC "a
// custom error".

/** Characters of a message, and members of details, that are looked at. */
const mostText = 300;
const mostDetails = 20;

/** The missing thing: correct credentials, or the permission to do this. */
export type Denial = 'credentials' | 'permission';

/** Reasons of google.rpc.ErrorInfo, and names of google.rpc.Code. */
const reasons: ReadonlyMap<string, Denial> = new Map([
  ['UNAUTHENTICATED', 'credentials'],
  ['UNAUTHORIZED', 'credentials'],
  ['PERMISSION_DENIED', 'permission'],
  ['FORBIDDEN', 'permission'],
  ['CREDENTIALS_MISSING', 'credentials'],
  ['AUTHENTICATION_REQUIRED', 'credentials'],
  ['ACCESS_TOKEN_EXPIRED', 'credentials'],
  ['ACCESS_TOKEN_SCOPE_INSUFFICIENT', 'permission'],
  ['API_KEY_INVALID', 'credentials'],
]);

/**
 * Phrases, not words: a refusal because of a page token, a forbidden webhook or a denied file is about the request
 * itself.
 */
const phrases: readonly (readonly [RegExp, Denial])[] = [
  [/^(?:http )?401\b/i, 'credentials'],
  [/^(?:http )?403\b/i, 'permission'],
  [/^(?:forbidden|access denied|permission denied)[.!]?$/i, 'permission'],
  [/\bunauthori[sz]ed\b|\bunauthenticated\b|\bnot (?:authenticated|authori[sz]ed|logged in)\b/i, 'credentials'],
  [/\bauth(?:entication|ori[sz]ation)? (?:is |was )?(?:required|needed|missing|failed|error)\b/i, 'credentials'],
  [/\b(?:log|sign) ?in (?:is )?required\b|\bplease (?:log|sign) in\b/i, 'credentials'],
  [
    /\b(?:missing|no|invalid|wrong|bad|expired|unknown|without) (?:an? )?(?:valid )?(?:api[ -]?key|credentials?|(?:bearer|access|auth|jwt|id) ?token|auth(?:entication|ori[sz]ation) headers?|signature)\b/i,
    'credentials',
  ],
  [
    /\b(?:api[ -]?key|credentials?|(?:bearer|access|auth|jwt|id) ?token|auth(?:entication|ori[sz]ation) headers?|signature)s? (?:is |are |was |has )?(?:required|needed|missing|invalid|wrong|expired|not valid)\b/i,
    'credentials',
  ],
];

const byReason = (value: unknown): Denial | undefined =>
  typeof value === 'string' ? reasons.get(value.toUpperCase()) : undefined;

function said(detail: unknown): Denial | undefined {
  if (!isObject(detail)) return undefined;
  return ['reason', 'status', 'code']
    .map((name) => byReason(member(detail, name)))
    .find((denial) => denial !== undefined);
}

/** Details are an array (1.0), an object, or an object with `details` of its own. */
function inDetails(data: unknown): Denial | undefined {
  const inner = isObject(data) ? member(data, 'details') : undefined;
  const all: readonly unknown[] = [...(Array.isArray(data) ? data.slice(0, mostDetails) : [data])];
  const nested: readonly unknown[] = Array.isArray(inner) ? inner.slice(0, mostDetails) : [];
  return [...all, ...nested].map(said).find((denial) => denial !== undefined);
}

/**
 * The denial in an error of JSON-RPC; undefined: the error is about the request. A code that the version defines keeps
 * its meaning, whatever the message says; for InternalError and InvalidRequest only the details are believed.
 */
export function denialIn(
  { response }: Exchange,
  error: Pick<NativeError, 'code' | 'name' | 'data'> & { readonly message: string },
): Denial | undefined {
  const { name } = error;
  if (name === 'AuthenticationError') return 'credentials';
  if (name === 'InternalError' || name === 'InvalidRequest') return inDetails(error.data);
  if (name !== undefined) return undefined;
  const errorName = inDetails(error.data) ?? byReason(error.code);
  if (errorName !== undefined) return errorName;
  // RFC 9110 §11.6.1: together with an error, this header asks for credentials.
  if (response !== undefined && header(response.headers, 'www-authenticate') !== undefined) return 'credentials';
  const words = error.message.slice(0, mostText).trim();
  return phrases.find(([phrase]) => phrase.test(words))?.[1];
}
