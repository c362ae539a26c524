import { framesIn, isGrpc, isWhole, methodAt } from '../binding/index.js';
import type { Dialect } from '../dialect/index.js';
import { brief, canParseUrl, type ErrorName, stringMember } from '../model/index.js';
import { bodyText, type Exchange, excerpt, type Header, header, isUnsent, mediaType } from '../wire/index.js';
import { denialIn } from './denial.js';
import { placeOf, repliesOf } from './reply.js';

/** The outcome of a call. The target cannot make the client throw: everything that it may do is one of these. */
export type Outcome<T> = Result<T> | Refusal | Denied | Busy | NotSent | InvalidResponse;

/** A JSON-RPC result that could be read. `wire` is the result as it came. */
export interface Result<T> {
  readonly kind: 'result';
  readonly value: T;
  readonly wire: unknown;
  readonly exchange: Exchange;
}
/** An error in the form of the binding; or an HTTP 4xx without one, then `inForm` is false. */
export interface Refusal {
  readonly kind: 'refusal';
  /** The code of a JSON-RPC error; undefined in other bindings, and without such an error. */
  readonly code: number | undefined;
  /** The error has the form of the binding. */
  readonly inForm: boolean;
  readonly error: ErrorName | undefined;
  /** Where the error has no name of its own: the names that fit its status. Left out: none, or it has one. */
  readonly fits?: readonly ErrorName[];
  /** Those of them for which the version asks for no more than the status. */
  readonly byStatus?: readonly ErrorName[];
  /** Where it has a name: the statuses that the version gives to the error. Left out: none. */
  readonly statuses?: readonly number[];
  readonly message: string;
  readonly data: unknown;
  readonly id: unknown;
  /**
   * The header that asks for the extensions that the card requires. Set if the call did not ask for them, and was
   * refused only for that.
   */
  readonly wants?: Header;
  readonly exchange: Exchange;
}
/**
 * HTTP 401 or 403, or an error that says the same: credentials are missing or wrong, so nothing was learned about the
 * request itself.
 */
export interface Denied {
  readonly kind: 'denied';
  readonly status: number;
  /** The message of the JSON-RPC error, if the denial was read from one. */
  readonly message?: string;
  /** What a user gives where calls of this dialect are signed. */
  readonly signs?: string;
  /** The error says that the caller is not allowed to do this, not that the caller is unknown. */
  readonly isKnown?: true;
  /** It is the answer of the binding to a caller who is not known: UNAUTHENTICATED of gRPC. HTTP has its status 401. */
  readonly isFormal?: true;
  readonly exchange: Exchange;
}
/** The agent's rate or load limit, also after waiting. */
export interface Busy {
  readonly kind: 'busy';
  readonly message: string;
  readonly exchange: Exchange;
}
/** The kit itself did not send: read-only, or a budget is spent. */
export interface NotSent {
  readonly kind: 'not-sent';
  readonly reason: string;
  /** The binding has no form for it. */
  readonly isInexpressible?: true;
}
/** No readable answer. */
export interface InvalidResponse {
  readonly kind: 'invalid-response';
  readonly fault: 'no-answer' | 'timeout' | 'too-large' | 'not-json' | 'no-envelope' | 'unreadable' | 'empty' | 'http';
  readonly detail: string;
  readonly exchange: Exchange;
}

const limitWords = /rate.?limit|too many|throttl|quota|slow down|overload|at capacity|too busy/i;

/** Milliseconds that the agent asks to wait; undefined if it names none or an invalid value. */
export function retryAfterMs(exchange: Exchange, now: number): number | undefined {
  const value = exchange.response && header(exchange.response.headers, 'retry-after');
  if (value === undefined) return undefined;
  const seconds = Number(value);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(value) - now;
  return Number.isFinite(ms) && ms >= 0 ? ms : undefined;
}

function isBusy(exchange: Exchange, code: unknown, message: string): boolean {
  const status = exchange.response?.status;
  // RFC 9110 §15.6.4, §10.2.3: a temporary overload, whatever the body says.
  if (status === 429 || (status === 503 && retryAfterMs(exchange, 0) !== undefined)) return true;
  // A server-defined code with the words of a limit, also under HTTP 200.
  const serverDefined = typeof code === 'number' && code <= -32000 && code >= -32099;
  return serverDefined && limitWords.test(message);
}

/** The same status may say that a message is too long (grpc/doc/statuscodes.md). */
const isLong = ({ request }: Exchange): boolean => (request.body?.byteLength ?? 0) > 64 * 1024;

/** The content type of a stream of updates. */
export const isStream = (headers: readonly Header[]): boolean =>
  mediaType(headers) === 'text/event-stream' || isGrpc(headers);

/** Over gRPC every answer has the content type of a stream; one message is the answer only once its status has come. */
const isOneMessage = ({ request, response }: Exchange): boolean =>
  response !== undefined &&
  isGrpc(response.headers) &&
  canParseUrl(request.url) &&
  methodAt(new URL(request.url).pathname)?.method[2] !== true;

function hasEvents(exchange: Exchange): boolean {
  const { response } = exchange;
  if (response === undefined || !isStream(response.headers) || isOneMessage(exchange)) return false;
  // A message that came whole is an event: it need not be read, which may take long.
  const isThere = isGrpc(response.headers) && framesIn(response.body).frames.some(isWhole);
  return isThere || repliesOf(exchange).length > 0;
}

/** Reads an exchange as the answer to one JSON-RPC call. `decode` reads the result; undefined means unreadable. */
export function readOutcome<T>(
  exchange: Exchange,
  dialect: Dialect,
  decode: (wire: unknown) => T | undefined,
): Outcome<T> {
  const { response, failure } = exchange;
  const broken = (fault: InvalidResponse['fault'], detail: string): InvalidResponse => ({
    kind: 'invalid-response',
    fault,
    detail,
    exchange,
  });
  // The events of a stream count, however it ended.
  if (failure !== undefined && !hasEvents(exchange)) {
    if (isUnsent(failure)) return { kind: 'not-sent', reason: failure.detail };
    if (failure.kind === 'timeout') return broken('timeout', failure.detail);
    if (failure.kind === 'too-large') return broken('too-large', failure.detail);
    return broken('no-answer', `${failure.kind}: ${failure.detail}`);
  }
  if (response === undefined) return broken('no-answer', 'no answer came');
  const { status } = response;
  const reply = repliesOf(exchange)[0];
  const said =
    reply?.type === 'json' ? dialect.binding.said(reply.value, dialect.errors, placeOf(exchange)) : undefined;
  if (said?.type === 'error') {
    const { code, inForm, name, fits, statuses, message: text, data, id } = said.error;
    const message = typeof text === 'string' ? text : brief(text);
    const isBusyByCode = said.error.isBusy === true && !isLong(exchange);
    if (isBusyByCode || isBusy(exchange, code, message)) return { kind: 'busy', message, exchange };
    if (status === 401 || status === 403) return { kind: 'denied', status, exchange };
    const denial = said.error.denied ?? denialIn(exchange, { code, name, message, data });
    if (denial !== undefined) {
      const more = {
        ...(dialect.signed === undefined ? {} : { signs: dialect.signed.give }),
        ...(denial === 'permission' ? ({ isKnown: true } as const) : {}),
        ...(said.error.denied === 'credentials' ? ({ isFormal: true } as const) : {}),
      };
      return { kind: 'denied', status, message, ...more, exchange };
    }
    return {
      kind: 'refusal',
      code: typeof code === 'number' ? code : undefined,
      inForm,
      error: name,
      ...(statuses === undefined ? {} : { statuses }),
      ...(fits === undefined ? {} : { fits, byStatus: said.error.byStatus ?? [] }),
      message,
      data,
      id,
      exchange,
    };
  }
  if (isBusy(exchange, undefined, '')) return { kind: 'busy', message: `HTTP ${status}`, exchange };
  if (status === 401 || status === 403) return { kind: 'denied', status, exchange };
  if (said !== undefined) {
    const { wire } = said;
    const value = decode(wire);
    if (value === undefined) return broken('unreadable', `the result is ${brief(wire)}`);
    return { kind: 'result', value, wire, exchange };
  }
  const seen = `HTTP ${status}, ${mediaType(response.headers) ?? 'no content type'}, ${brief(bodyText(response.body.subarray(0, 400)))}`;
  if (status >= 400 && status < 500) {
    return {
      kind: 'refusal',
      code: undefined,
      inForm: false,
      error: undefined,
      ...(dialect.binding.missing.has(status)
        ? { fits: ['TaskNotFound', 'MethodNotFound'] as const, byStatus: [] }
        : {}),
      message: seen,
      data: undefined,
      id: undefined,
      exchange,
    };
  }
  if (status >= 300) return broken('http', seen);
  if (reply === undefined && dialect.binding.emptyIsResult) {
    const value = decode(undefined);
    if (value !== undefined) return { kind: 'result', value, wire: undefined, exchange };
  }
  if (reply === undefined) return broken('empty', `HTTP ${status} with an empty body`);
  if (reply.type === 'text' && reply.isLimit === true) return broken('too-large', reply.problem);
  if (reply.type === 'text' && isGrpc(response.headers)) return broken('unreadable', reply.problem);
  if (reply.type === 'text') return broken('not-json', seen);
  return broken('no-envelope', `neither result nor error: ${seen}`);
}

/** Reads an exchange as the answer to a plain HTTP GET of a result. */
export function readFetched<T>(
  exchange: Exchange,
  dialect: Dialect,
  decode: (wire: unknown) => T | undefined,
): Outcome<T> {
  const { response, failure } = exchange;
  const reply = repliesOf(exchange)[0];
  if (failure === undefined && response !== undefined) {
    const { status } = response;
    if (status >= 200 && status < 300 && reply?.type === 'json') {
      const value = decode(reply.value);
      if (value !== undefined) return { kind: 'result', value, wire: reply.value, exchange };
      return { kind: 'invalid-response', fault: 'unreadable', detail: `the body is ${brief(reply.value)}`, exchange };
    }
    if (status === 404 || status === 405) {
      const message = `HTTP ${status}`;
      return {
        kind: 'refusal',
        code: undefined,
        inForm: false,
        error: 'MethodNotFound',
        message,
        data: undefined,
        id: undefined,
        exchange,
      };
    }
  }
  return readOutcome<T>(exchange, dialect, () => undefined);
}

const remedy = ({ wants }: Refusal): string =>
  wants === undefined
    ? ''
    : `; the card requires extensions: ask for them with --header '${excerpt(wants.join(': '), 200)}'`;

/** The error of a refusal in the numbers of its binding: "-32001", "HTTP 404". */
export const errorOf = ({ code, exchange }: Pick<Refusal, 'code' | 'exchange'>): string =>
  code === undefined ? `HTTP ${exchange.response?.status}` : String(code);

/** Whether two refusals are the same error, by the numbers of their binding and by name. */
export const isSameError = (first: Refusal, second: Refusal): boolean =>
  errorOf(first) === errorOf(second) && first.error === second.error;

/** The name of an error: that of A2A, or the reason that the agent gives for one that A2A does not have. */
function nameOf({ error, data }: Refusal): string {
  const infos: readonly unknown[] = Array.isArray(data) ? data : [];
  const reason = infos.map((info) => stringMember(info, 'reason')).find((text) => text !== undefined);
  const name = error ?? (reason === undefined ? undefined : excerpt(reason, 60));
  return name === undefined ? '' : ` (${name})`;
}

/**
 * Whether a refusal names its error as A2A does: in the form of the binding, or else by its body, under a status of
 * success.
 */
export const tellsError = ({ inForm, error, exchange }: Pick<Refusal, 'inForm' | 'error' | 'exchange'>): boolean =>
  inForm || (error !== undefined && (exchange.response?.status ?? 500) < 300);

/** One line that says what came, for `actual`. */
export function describe(outcome: Outcome<unknown>): string {
  switch (outcome.kind) {
    case 'result':
      return `it was accepted, with the result ${brief(outcome.wire, 160)}`;
    case 'refusal':
      return outcome.inForm
        ? `error ${errorOf(outcome)}${nameOf(outcome)}: ${brief(outcome.message, 100)}${remedy(outcome)}`
        : tellsError(outcome)
          ? `an error under HTTP ${outcome.exchange.response?.status}${nameOf(outcome)}: ${brief(outcome.message, 100)}`
          : `refused without an error of A2A: ${outcome.message}`;
    case 'denied':
      return outcome.message === undefined
        ? `HTTP ${outcome.status}: credentials are needed`
        : `an authentication error: ${brief(outcome.message, 100)}`;
    case 'busy':
      return `the agent's rate limit: ${brief(outcome.message, 100)}`;
    case 'not-sent':
      return `not sent: ${outcome.reason}`;
    case 'invalid-response':
      return outcome.fault === 'timeout'
        ? `${outcome.detail} (raise --timeout if the agent needs longer)`
        : `no readable answer (${outcome.fault}): ${outcome.detail}`;
  }
}
