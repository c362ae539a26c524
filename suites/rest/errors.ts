import {
  brief,
  evidence,
  header,
  inconclusive,
  isObject,
  kindOf,
  type LawJudgement,
  law,
  mediaType,
  noteOf,
  type Operation,
  type Reading,
  type Recorded,
  reasonFault,
  rpcCodes,
} from '../../src/kit/index.js';
import { bodyText, jsonTypes, mayBeRouted, type OperationRefusal, refusalIn } from './calls.js';

// A2A 1.0 §11.6 Error Handling, §5.4 Error Code Mappings; 0.3 §3.2.3. An answer of a router or of middleware, which know
// no A2A, is not judged.

const noError = { otherwise: 'the agent refused no operation' };

/** Judges the refusals of operations. */
const each =
  (judge: (refusal: OperationRefusal, reading: Reading) => LawJudgement) =>
  (reading: Reading): LawJudgement => {
    const refusal = refusalIn(reading);
    return refusal === undefined ? 'not-concerned' : judge(refusal, reading);
  };

/** The same where the body has an error object; `rest/error-object` judges the others. */
const eachError = (
  judge: (error: Record<string, unknown>, refusal: OperationRefusal, reading: Reading) => LawJudgement,
) =>
  each((refusal, reading) => (refusal.error === undefined ? 'not-concerned' : judge(refusal.error, refusal, reading)));

// In our words (1.0, 11.6 Error Handling): Errors are JSON with an `error` object holding code, message and details.
export const errorObject = law(
  'rest/error-object',
  'rest.error-object',
  'have a JSON object with the member error, when an operation is refused',
  {
    ...noError,
    notes: [kindOf],
    advice:
      'The body is {"error": {"code": …, "status": …, "message": …, "details": […]}} (§11.6). Some examples of §6 show problem+json, which §11.6 overrules.',
  },
  (reading, _, tape) => {
    const refusal = refusalIn(reading);
    const { operation, outcome, valid, exchange } = reading;
    if (refusal === undefined) {
      // A 404 without JSON may be that of a router, unless the agent is known to have the operation.
      const isWhole = exchange.response?.cut !== true && exchange.failure === undefined;
      const isRefusal = valid && outcome.kind === 'refusal' && !outcome.inForm;
      const isPage = isRefusal && isWhole && exchange.response?.status === 404 && !mayBeRouted(exchange);
      const has = (recorded: Recorded): boolean => recorded.operation === operation && kindOf(recorded) === 'result';
      return isPage && operation !== undefined && tape.some(has) ? evidence(exchange) : 'not-concerned';
    }
    if (refusal.error !== undefined) return 'holds';
    // What a framework says of a body that it cannot parse is its own.
    if (refusal.body === undefined && !valid) return 'not-concerned';
    return `HTTP ${refusal.status} with ${bodyText(refusal)}`;
  },
);

// In our words (1.0, 11.6 Error Handling): error.code equals the HTTP status.
export const errorCode = law(
  'rest/error-code',
  'rest.error-code',
  'have the HTTP status as error.code, when an operation is refused',
  {
    ...noError,
    advice:
      'Write the number of the HTTP status, 404 for example: codes of JSON-RPC (-32001) and of gRPC (5) do not belong there.',
  },
  eachError(({ code }, { status }) => {
    if (code === status) return 'holds';
    // A proxy may have changed the status on the way.
    return typeof code === 'number' && code >= 400 && code < 600
      ? inconclusive(`error.code is ${code} under HTTP ${status}: a proxy may have changed the status`)
      : `error.code is ${brief(code)} under HTTP ${status}`;
  }),
);

// In our words (1.0, 11.6 Error Handling): error.message is a non-empty string.
export const errorMessage = law(
  'rest/error-message',
  'rest.error-message',
  'have a message, when an operation is refused',
  {
    ...noError,
    advice: 'Say in a few words what was wrong: exceptions without a text leave the message empty, so have a default.',
  },
  each(({ body, error }) => {
    if (body === undefined) return 'not-concerned';
    const at = error ?? body;
    const said = [at['message'], at['detail'], at['title']].find((text) => text !== undefined);
    return typeof said === 'string' && said !== '' ? 'holds' : `the message is ${brief(said)}`;
  }),
);

/** An error is never OK. */
const statusNames: ReadonlySet<unknown> = new Set(rpcCodes.slice(1));

// In our words (1.0, 11.6 Error Handling): error.status holds the canonical status name.
export const statusName = law(
  'rest/status-name',
  'rest.status-name',
  'name a status of google.rpc.Code in error.status, when an operation is refused',
  { ...noError, advice: 'Write the name from google.rpc.Code, in capitals: NOT_FOUND for 404, not the words of HTTP.' },
  eachError(({ status }) => (statusNames.has(status) ? 'holds' : `error.status is ${brief(status)}`)),
);

const infoType = 'type.googleapis.com/google.rpc.ErrorInfo';

// In our words (1.0, 11.6 Error Handling): Every object in details has @type.
export const detailsTyped = law(
  'rest/details-typed',
  'rest.details-typed',
  'name the type of each object in error.details, when an operation is refused',
  {
    otherwise: 'no error of the agent had details',
    advice:
      'Write details as a list of objects, each with "@type": "type.googleapis.com/google.rpc.ErrorInfo" or the full name of its own type.',
  },
  eachError(({ details }) => {
    if (details === undefined) return 'not-concerned';
    if (!Array.isArray(details)) return `error.details is ${brief(details)}`;
    const at = details.findIndex((detail) => !isObject(detail) || typeof detail['@type'] !== 'string');
    return at < 0 ? 'holds' : `item ${at + 1} of error.details has no @type: ${brief(details[at])}`;
  }),
);

const infoIn = ({ details }: Record<string, unknown>): Record<string, unknown> | undefined =>
  Array.isArray(details) ? details.find((detail) => isObject(detail) && detail['@type'] === infoType) : undefined;

/** Operations that refuse a valid request only with an error of A2A: the request has nothing else to be refused for. */
const tellsAll: ReadonlySet<Operation | undefined> = new Set([
  'get',
  'cancel',
  'subscribe',
  'pushGet',
  'pushList',
  'pushDelete',
] as const);

// In our words (1.0, 11.6 Error Handling): A2A errors include a google.rpc.ErrorInfo with reason and domain
//   a2a-protocol.org.
export const errorInfo = law(
  'rest/error-info',
  'rest.error-info',
  'carry a google.rpc.ErrorInfo with reason and domain, when an operation is refused with an error of A2A',
  {
    otherwise: 'no error of A2A came',
    advice:
      'details has {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "TASK_NOT_FOUND", "domain": "a2a-protocol.org"}: several errors share one status.',
  },
  eachError((error, refusal, { valid, operation, exchange }) => {
    if (!valid || !tellsAll.has(operation)) return 'not-concerned';
    const info = infoIn(error);
    // No sentence says whether :cancel may come without a body: that it has none is an error of validation.
    const isBodiless = operation === 'cancel' && (exchange.request.body?.byteLength ?? 0) === 0;
    if (info === undefined && isBodiless && refusal.status === 400) return 'not-concerned';
    if (info === undefined) return `HTTP ${refusal.status} without an ErrorInfo: ${brief(error, 120)}`;
    const { reason, domain } = info;
    const fault = reasonFault(reason);
    if (fault !== undefined) return fault;
    return domain === 'a2a-protocol.org' ? 'holds' : `domain is ${brief(domain)}`;
  }),
);

// In our words (1.0, 11.6 Error Handling): ErrorInfo metadata values are strings.
export const errorMetadata = law(
  'rest/error-metadata',
  'rest.error-metadata',
  'have only texts in the metadata of an ErrorInfo, when an operation is refused',
  {
    otherwise: 'no ErrorInfo had metadata',
    advice: 'Convert numbers and booleans to texts: metadata of an ErrorInfo is a map from text to text.',
  },
  eachError((error) => {
    const metadata = infoIn(error)?.['metadata'];
    if (metadata === undefined) return 'not-concerned';
    if (!isObject(metadata)) return `metadata is ${brief(metadata)}`;
    const [odd] = Object.entries(metadata).filter(([, value]) => typeof value !== 'string');
    return odd === undefined ? 'holds' : `metadata.${odd[0]} is ${brief(odd[1])}`;
  }),
);

/** What HTTP itself says of a request that is too large comes before the table (RFC 9110 15.5.14, RFC 6585). */
const ofSize: ReadonlySet<number> = new Set([413, 414, 431]);

// In our words (1.0, 5.4 Error Code Mappings): HTTP statuses follow the mapping table.
/** AMB10-05: the statuses of both texts of 1.0 pass. */
export const statusTable = law(
  'rest/status-table',
  'rest.status-table',
  'have the status of its error, when an operation is refused',
  {
    otherwise: 'no error with a reason of A2A came',
    advice:
      'Take the status from the table of 5.4: 404 for TaskNotFound, 400 for most others. 1.0.0 had 409 for TaskNotCancelable, 415 for ContentTypeNotSupported.',
  },
  ({ outcome, exchange, stream, replies: [reply] }) => {
    const { status = 0, cut } = exchange.response ?? {};
    if (outcome.kind !== 'refusal' || outcome.error === undefined || stream !== undefined) return 'not-concerned';
    if (exchange.purpose === 'detection' || cut === true || status < 400) return 'not-concerned';
    // A reason is a word of A2A: no router or gateway says it, whatever the status is.
    const error = isObject(reply?.value) ? reply.value['error'] : undefined;
    const reason = isObject(error) ? infoIn(error)?.['reason'] : undefined;
    if (typeof reason !== 'string') return 'not-concerned';
    const { statuses: right = [] } = outcome;
    if (right.length === 0 || right.includes(status) || ofSize.has(status)) return 'holds';
    return `${reason} came with HTTP ${status}, not ${right.join(' or ')}`;
  },
);

// In our words (1.0, 11.6 Error Handling): A failed operation never answers 2xx outside a stream.
/** §11.6: the status says that the answer is an error, not in the body of a success. */
export const errorStatus = law(
  'rest/error-status',
  'rest.error-status',
  'have a status of 4xx or 5xx, when an operation is refused',
  {
    otherwise: 'the agent answered no operation',
    advice:
      'Set the status of the response as well: 404 for an unknown task, 400 for most others. Frameworks send 200 by default.',
  },
  ({ exchange, operation, stream, replies }) => {
    const { response } = exchange;
    if (operation === undefined || response === undefined || stream !== undefined) return 'not-concerned';
    if (response.status >= 300) return response.status >= 400 ? 'holds' : 'not-concerned';
    const [reply] = replies;
    const error = isObject(reply?.value) ? reply.value['error'] : undefined;
    const isError = isObject(error) && (typeof error['message'] === 'string' || typeof error['code'] === 'number');
    return isError ? evidence(exchange) : 'holds';
  },
);

// In our words (1.0, 11.6 Error Handling): Error bodies use the JSON media type of the binding.
export const errorType = law(
  'rest/error-type',
  'rest.error-type',
  'come as application/a2a+json or application/json, when an operation is refused',
  {
    ...noError,
    advice:
      'Set Content-Type: application/json or application/a2a+json on errors too: frameworks choose problem+json or text/plain.',
  },
  each(({ exchange, body }, { valid, operation }) => {
    if (body === undefined && !valid) return 'not-concerned';
    const type = exchange.response && mediaType(exchange.response.headers);
    // §11.7 does not say how a stream is refused: some servers have named its media type by then.
    if (type === 'text/event-stream' && (operation === 'stream' || operation === 'subscribe')) return 'not-concerned';
    return jsonTypes.has(type) ? 'holds' : `the content type is ${type ?? 'missing'}`;
  }),
);

// In our words (1.0, 11.3 URL Patterns): A 405 carries Allow.
/** RFC 9110 §15.5.6. */
export const allow = law(
  'rest/allow',
  'rest.allow',
  'name the verbs of the path in Allow, when its status is 405',
  {
    otherwise: 'no answer had HTTP 405',
    advice: 'List the verbs of the path with a 405, as in Allow: GET: RFC 9110 §15.5.6 demands it.',
  },
  ({ exchange: { response } }) => {
    if (response?.status !== 405) return 'not-concerned';
    return header(response.headers, 'allow') === undefined ? 'HTTP 405 without Allow' : 'holds';
  },
);

/** Which of the usual forms an error body has; two errors of one agent have the same one. */
function formOf({ body, error }: OperationRefusal): string {
  if (body === undefined) return 'no JSON';
  if (error !== undefined) return 'an object under error';
  if (Object.hasOwn(body, 'title') || Object.hasOwn(body, 'type')) return 'problem details';
  const named = ['message', 'detail', 'error'].find((name) => Object.hasOwn(body, name));
  return named === undefined ? 'other members' : `the member ${named}`;
}

/** The form of the error in the answer to a valid request; undefined: there is none. */
const formIn = noteOf((reading): string | undefined => {
  const refusal = reading.valid ? refusalIn(reading) : undefined;
  return refusal && formOf(refusal);
});

// In our words (0.3, 3.2.3 HTTP+JSON/REST Transport): REST errors have one consistent JSON format.
export const oneErrorFormat = law(
  'rest/one-error-format',
  'rest.one-error-format',
  'have the form of the other errors, when an operation is refused',
  {
    ...noError,
    notes: [formIn],
    advice:
      'Write all errors by one function: those of the framework, and those of your own code, otherwise have two forms. None is a web page.',
  },
  (reading, _, tape) => {
    const refusal = refusalIn(reading);
    if (refusal === undefined || !reading.valid) return 'not-concerned';
    const form = formOf(refusal);
    if (form === 'no JSON') return `HTTP ${refusal.status} without JSON`;
    const other = tape.map(formIn).find((otherForm) => otherForm !== undefined && otherForm !== form);
    return other === undefined ? 'holds' : `this error has ${form}, another one has ${other}`;
  },
);

// In our words (0.3, 3.2.3 HTTP+JSON/REST Transport): Cancelling a finished task maps to a 4xx status.
export const cancelStatus = law(
  'rest/cancel-status',
  'rest.cancel-status',
  'have the status 400 or 409, when a task cannot be canceled',
  {
    otherwise: 'the agent refused no cancel as not cancelable',
    advice: 'Answer 409, or 400, with the error: 404 and 410 say that the task is gone.',
  },
  ({ operation, outcome, exchange, valid }) => {
    if (operation !== 'cancel' || !valid || outcome.kind !== 'refusal' || outcome.error !== 'TaskNotCancelable')
      return 'not-concerned';
    const status = exchange.response?.status;
    return status === 400 || status === 409 ? 'holds' : `the status is ${status}`;
  },
);
