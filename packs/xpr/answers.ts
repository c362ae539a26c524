import {
  brief,
  describe,
  type Exchange,
  header,
  inconclusive,
  isObject,
  type JsonObject,
  type LawJudgement,
  law,
  mediaType,
  member,
  noteOf,
  type Reading,
  type ReadReply,
  type Recorded,
  stringMember,
  type Target,
  weakMemo,
} from '../../src/kit/index.js';
import { innards } from './innards.js';
import * as xprText from './signing/index.js';

// XPR document, Error Codes: all answers of a run, to unauthenticated callers and to callers who sign.

/** A call to the agent's own endpoint; detection also calls other URLs. */
const isJudged = ({ isCall, exchange }: Reading, { endpoint }: Target): boolean =>
  isCall && exchange.purpose !== 'detection' && exchange.request.url === endpoint;

const strict = new TextDecoder('utf-8', { fatal: true });
/** An agent may refuse larger bodies, and other media types, unread. */
const mostBytes = 1024 * 1024;

/** The request object that the kit sent; undefined where the body is not an object, or the agent need not read it. */
function sentObject({ headers, body = new Uint8Array() }: Exchange['request']): JsonObject | undefined {
  if (body.byteLength > mostBytes || mediaType(headers) !== 'application/json') return undefined;
  try {
    const sent: unknown = JSON.parse(strict.decode(body));
    return isObject(sent) ? sent : undefined;
  } catch {
    return undefined;
  }
}

function wrongWith(response: JsonObject, sent: JsonObject | undefined): string | undefined {
  if (response['jsonrpc'] !== '2.0') return `jsonrpc is ${brief(response['jsonrpc'])}`;
  if (Object.hasOwn(response, 'result')) return 'there is a result beside the error';
  const { error } = response;
  if (!isObject(error)) return `error is ${brief(error)}`;
  if (!Number.isInteger(error['code'])) return `error.code is ${brief(error['code'])}`;
  if (typeof error['message'] !== 'string') return `error.message is ${brief(error['message'])}`;
  const id = sent?.['id'];
  if (typeof id !== 'string' && typeof id !== 'number') return undefined;
  return response['id'] === id ? undefined : `the id is ${brief(response['id'])}, that of the request ${brief(id)}`;
}

/** Gateways answer 401 in JSON of their own: without `jsonrpc` it is not a JSON-RPC response. */
const responseIn = ({ value }: ReadReply, status: number): JsonObject | undefined =>
  isObject(value) && (Object.hasOwn(value, 'jsonrpc') || status < 300) ? value : undefined;

export const errorEnvelope = law(
  'xpr/error-envelope',
  'xpr.error-envelope',
  'give authentication errors as JSON-RPC errors under the id of the request',
  {
    subject: 'the agent',
    otherwise: 'no authentication error came in JSON-RPC',
    advice: 'Callers find the request by its id: read the body before you look at the headers.',
  },
  (reading, target) => {
    const { exchange, outcome, replies } = reading;
    if (!isJudged(reading, target) || outcome.kind !== 'denied') return 'not-concerned';
    const response = replies[0] && responseIn(replies[0], outcome.status);
    if (response === undefined || exchange.request.cut === true) return 'not-concerned';
    return wrongWith(response, sentObject(exchange.request)) ?? 'holds';
  },
);

type Standing = 'denies' | 'accepts' | 'refuses' | undefined;

const standingOf = noteOf(({ isCall, exchange, outcome, operation }): Standing => {
  if (!isCall || exchange.purpose === 'detection') return undefined;
  if (outcome.kind === 'denied') return outcome.message === undefined ? undefined : 'denies';
  if (outcome.kind === 'refusal') return outcome.inForm ? 'refuses' : undefined;
  return outcome.kind === 'result' && operation !== undefined ? 'accepts' : undefined;
});

/**
 * The agent refused a caller as not authenticated, or accepted one request and refused another. A server that answers
 * everything alike would satisfy every law on answers.
 */
const isAgent = weakMemo((tape: readonly Recorded[]): boolean => {
  const seen = new Set(tape.map(standingOf));
  return seen.has('denies') || (seen.has('accepts') && seen.has('refuses'));
});

const asAgent = (tape: readonly Recorded[]): LawJudgement =>
  isAgent(tape) ? 'holds' : inconclusive('the agent must accept one request and refuse another: it did not do both');

export const noDisclosure = law(
  'xpr/no-disclosure',
  'xpr.no-disclosure',
  'keep its internals out of its errors: paths, stack traces, its chain, its packages',
  {
    subject: 'the agent',
    otherwise: 'no error came',
    notes: [standingOf],
    advice: 'Answer with a sentence of your own, and log what was thrown.',
  },
  (reading, _, tape) => {
    const { isCall, exchange, outcome } = reading;
    if (!isCall || exchange.toWebhook === true || exchange.response === undefined) return 'not-concerned';
    if (outcome.kind === 'result' || outcome.kind === 'not-sent') return 'not-concerned';
    const inside = innards(exchange);
    return inside === undefined ? asAgent(tape) : `it shows ${inside}`;
  },
);

const signingHeaders = Object.values(xprText.headerNames);
/** Servers may refuse more header bytes than this in their own way, before the agent sees the request. */
const usualHeaderBytes = 8 * 1024;

/** A plain read with headers of this dialect: any failure is about the headers, or the chain. */
function isProbe({ request, call }: Exchange): boolean {
  if (!signingHeaders.some((name) => header(request.headers, name) !== undefined)) return false;
  const sent = sentObject(request);
  const id = stringMember(member(sent, 'params'), 'id') ?? '';
  const isPlain = sent?.['jsonrpc'] === '2.0' && stringMember(sent, 'id') !== undefined && /^[\w-]{1,64}$/.test(id);
  return isPlain && (call?.operation === undefined || call.operation === 'get');
}

const sizeOf = (headers: readonly (readonly [string, string])[]): number =>
  headers.reduce((sum, [name, value]) => sum + name.length + value.length, 0);

export const robust = law(
  'xpr/robust',
  'xpr.robust',
  'answer every signed request: no hang, no lost connection, no error page, no internal error',
  {
    subject: 'the agent',
    otherwise: 'the kit sent no signed request',
    notes: [standingOf],
    advice: 'Whatever the headers hold and whatever the chain says, the answer is an authentication error, in time.',
  },
  (reading, target, tape) => {
    const { exchange, outcome } = reading;
    if (!isJudged(reading, target) || !isProbe(exchange)) return 'not-concerned';
    if (outcome.kind === 'not-sent') return 'not-concerned';
    if (outcome.kind === 'refusal') return outcome.error === 'InternalError' ? describe(outcome) : asAgent(tape);
    if (outcome.kind !== 'invalid-response') return asAgent(tape);
    const kind = exchange.failure?.kind;
    if (kind !== undefined && kind !== 'timeout' && kind !== 'reset' && kind !== 'malformed') {
      return inconclusive(describe(outcome));
    }
    if (exchange.response?.status === 503)
      return inconclusive('run again when the agent is less busy: it answered with HTTP 503');
    if (kind === 'reset' && sizeOf(exchange.request.headers) > usualHeaderBytes) return inconclusive(describe(outcome));
    return describe(outcome);
  },
);
