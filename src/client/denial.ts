import { type Dialect, errorName } from '../dialect/index.js';
import { isObject, member } from '../model/index.js';
import { type Exchange, header } from '../wire/index.js';

// What says that credentials are missing or wrong, where no HTTP status does: 1.0 §3.3.2 leaves JSON-RPC "a custom error".

/** Of a message, characters that are looked at; of details, members. */
const mostText = 300;
const mostDetails = 20;

/** Reasons of google.rpc.ErrorInfo, and names of google.rpc.Code. */
const reasons: ReadonlySet<string> = new Set([
  'UNAUTHENTICATED',
  'UNAUTHORIZED',
  'PERMISSION_DENIED',
  'FORBIDDEN',
  'CREDENTIALS_MISSING',
  'AUTHENTICATION_REQUIRED',
  'ACCESS_TOKEN_EXPIRED',
  'ACCESS_TOKEN_SCOPE_INSUFFICIENT',
  'API_KEY_INVALID',
]);

/**
 * Phrases, not words: a page has a token too, a webhook may be forbidden and a file denied, and each is a refusal of the
 * request itself.
 */
const phrases: readonly RegExp[] = [
  /^(?:http )?(?:401|403)\b/i,
  /^(?:forbidden|access denied|permission denied)[.!]?$/i,
  /\bunauthori[sz]ed\b|\bunauthenticated\b|\bnot (?:authenticated|authori[sz]ed|logged in)\b/i,
  /\bauth(?:entication|ori[sz]ation)? (?:is |was )?(?:required|needed|missing|failed|error)\b/i,
  /\b(?:log|sign) ?in (?:is )?required\b|\bplease (?:log|sign) in\b/i,
  /\b(?:missing|no|invalid|wrong|bad|expired|unknown|without) (?:an? )?(?:valid )?(?:api[ -]?key|credentials?|(?:bearer|access|auth|jwt|id) ?token|auth(?:entication|ori[sz]ation) headers?|signature)\b/i,
  /\b(?:api[ -]?key|credentials?|(?:bearer|access|auth|jwt|id) ?token|auth(?:entication|ori[sz]ation) headers?|signature)s? (?:is |are |was |has )?(?:required|needed|missing|invalid|wrong|expired|not valid)\b/i,
];

const isReason = (value: unknown): boolean => typeof value === 'string' && reasons.has(value.toUpperCase());

function saysSo(detail: unknown): boolean {
  if (!isObject(detail)) return false;
  return ['reason', 'status', 'code'].some((name) => isReason(member(detail, name)));
}

/** Details come as an array (1.0), as an object, or as one with details of its own. */
function isInDetails(data: unknown): boolean {
  const inner = isObject(data) ? member(data, 'details') : undefined;
  const all: readonly unknown[] = [...(Array.isArray(data) ? data.slice(0, mostDetails) : [data])];
  const nested: readonly unknown[] = Array.isArray(inner) ? inner.slice(0, mostDetails) : [];
  return [...all, ...nested].some(saysSo);
}

/**
 * Whether an error of JSON-RPC says that credentials are missing or wrong. A code that the version gives a meaning says
 * what it says, whatever its words; of those of JSON-RPC itself only the details are believed.
 */
export function isDenial(
  { response }: Exchange,
  dialect: Dialect,
  error: { readonly code: unknown; readonly message: string; readonly data: unknown },
): boolean {
  const code = typeof error.code === 'number' ? error.code : undefined;
  const name = code === undefined ? undefined : errorName(dialect, code);
  if (name === 'AuthenticationError') return true;
  if (name === 'InternalError' || name === 'InvalidRequest') return isInDetails(error.data);
  if (name !== undefined) return false;
  if (isInDetails(error.data) || isReason(error.code)) return true;
  // RFC 9110 §11.6.1: beside an error it asks for credentials.
  if (response !== undefined && header(response.headers, 'www-authenticate') !== undefined) return true;
  const said = error.message.slice(0, mostText).trim();
  return phrases.some((phrase) => phrase.test(said));
}
