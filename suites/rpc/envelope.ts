import {
  brief,
  inconclusive,
  isObject,
  kindOf,
  law,
  mediaType,
  noteOf,
  type Recorded,
  type Target,
} from '../../src/kit/index.js';
import { eachResponse, isJudged, responsesIn } from './responses.js';

// A2A 0.3 §3.2.1 JSON-RPC 2.0 Transport, §6.11.2 JSONRPCResponse Object, §6.12 JSONRPCError Object, §7.

const noResponse = { otherwise: 'no JSON-RPC response came' };
const noCall = { otherwise: 'the agent answered no call' };

// In our words (1.0, 9.3 Base Request Structure): Every JSON-RPC response has `jsonrpc` exactly "2.0".
export const versionMember = law(
  'rpc/version-member',
  'rpc.version-member',
  'have the member jsonrpc with the value "2.0"',
  { ...noResponse, advice: 'Write "jsonrpc": "2.0" in every response, errors too: in quotes, not as the number 2.0.' },
  eachResponse(({ jsonrpc }) => (jsonrpc === '2.0' ? 'holds' : `jsonrpc is ${brief(jsonrpc)}`)),
);

// In our words (1.0, 9.3 Base Request Structure): A response has exactly one of `result` and `error`.
export const resultXorError = law(
  'rpc/result-xor-error',
  'rpc.result-xor-error',
  'hold a result or an error, not both and not neither',
  { ...noResponse, advice: 'A null counts as present: leave the other member out altogether.' },
  eachResponse((response) => {
    const has = ['result', 'error'].filter((name) => Object.hasOwn(response, name));
    if (has.length === 1) return 'holds';
    return has.length === 0
      ? 'the response has neither result nor error'
      : `the response has both result and error: error is ${brief(response['error'])}`;
  }),
);

// In our words (1.0, 9.5 Error Handling): `error` has an integer `code` and a string `message`.
export const errorObject = law(
  'rpc/error-object',
  'rpc.error-object',
  'give each error as an object with an integer code and a string message',
  {
    otherwise: 'no error came',
    advice:
      'Write "error": {"code": -32601, "message": "…"}: the code is a number without quotes, and the message is always there.',
  },
  eachResponse((response) => {
    // rpc/result-xor-error judges responses with both members.
    if (!Object.hasOwn(response, 'error') || Object.hasOwn(response, 'result')) return 'not-concerned';
    const { error } = response;
    if (!isObject(error)) return `error is ${brief(error)}`;
    if (!Number.isInteger(error['code'])) return `error.code is ${brief(error['code'])}`;
    return typeof error['message'] === 'string' ? 'holds' : `error.message is ${brief(error['message'])}`;
  }),
);

// In our words (1.0, 9.1 Protocol Requirements): Non-streaming responses are application/json.
export const contentType = law(
  'rpc/content-type',
  'rpc.content-type',
  'come as application/json, except for a stream',
  {
    ...noResponse,
    advice:
      'Set Content-Type: application/json on every answer except a stream, errors too: frameworks send a body that is a text as text/plain.',
  },
  eachResponse((_, { exchange, operation }) => {
    const type = exchange.response && mediaType(exchange.response.headers);
    if (type === 'application/json') return 'holds';
    // AMB03-19: an error on a streaming call may come in either form. For unknown calls it is not known whether they
    // stream.
    const mayStream = operation === undefined || operation === 'stream' || operation === 'subscribe';
    return mayStream && type === 'text/event-stream' ? 'not-concerned' : `the content type is ${type ?? 'missing'}`;
  }),
);

// In our words (1.0, 9.4.1 SendMessage): Successful replies use HTTP 200.
export const httpStatus = law(
  'rpc/http-status',
  'rpc.http-status',
  'have the HTTP status 200, when it holds a result',
  { otherwise: 'no result came', advice: 'Send HTTP 200 for results: do not send 201 for a new task.' },
  eachResponse((response, { exchange }) => {
    if (!Object.hasOwn(response, 'result') || Object.hasOwn(response, 'error')) return 'not-concerned';
    const status = exchange.response?.status;
    return status === 200 ? 'holds' : `the HTTP status is ${status}`;
  }),
);

// In our words (1.0, 9.1 Protocol Requirements): Bodies are valid UTF-8 JSON.
// In our words (1.0, 11.1 Protocol Requirements): Bodies are valid UTF-8 JSON.
export const utf8 = law(
  'rpc/utf8',
  ['rpc.utf8', 'rest.utf8'],
  'be JSON in valid UTF-8, without a byte order mark',
  {
    ...noCall,
    advice: 'Let a serializer write the JSON, and encode it as UTF-8: JSON that code concatenates is often invalid.',
  },
  (reading, target) => {
    const { response, failure } = reading.exchange;
    if (!isJudged(reading, target) || response === undefined || failure !== undefined || response.cut)
      return 'not-concerned';
    const type = mediaType(response.headers);
    const isJson = type === 'application/json' || type === 'application/a2a+json';
    if (response.body.length === 0 || (!isJson && type !== 'text/event-stream')) return 'not-concerned';
    if (reading.utf8 === undefined) return 'the body is not valid UTF-8';
    // RFC 8259 §8.1. An event stream may begin with one.
    const [first, second, third] = response.body;
    if (isJson && first === 0xef && second === 0xbb && third === 0xbf) return 'the body begins with a byte order mark';
    const { outcome } = reading;
    if (outcome.kind === 'invalid-response' && outcome.fault === 'too-large') return inconclusive(outcome.detail);
    const problem = reading.replies.find((reply) => reply.problem !== undefined)?.problem;
    return problem === undefined ? 'holds' : `the body is not JSON: ${problem}`;
  },
);

/** This many calls must stay unanswered; fewer may be a slow start. */
const enough = 3;

const isMute = noteOf(
  ({ exchange, outcome }): boolean =>
    outcome.kind === 'invalid-response' &&
    exchange.failure?.kind !== 'refused' &&
    (outcome.fault === 'timeout' || outcome.fault === 'no-answer'),
);

/** Other rows judge slowness and single lost answers. Here only an endpoint that has answered nothing at all fails. */
function answersNothing(tape: readonly Recorded[], target: Target): string | undefined {
  // Calls of the detection count as well: they waited for the same endpoint. Bytes that are not HTTP are answered below
  // JSON-RPC.
  const calls = tape.filter((recorded) => {
    const { request } = recorded.exchange;
    return request.method === 'POST' && request.url === target.endpoint && kindOf(recorded) !== 'not-sent';
  });
  return calls.length >= enough && calls.every(isMute) ? 'no call was answered at all' : undefined;
}

/** Statuses with which HTTP itself refuses: methods, representations, lengths, sizes, media types. */
const httpRefusals: ReadonlySet<number> = new Set([401, 402, 403, 405, 406, 408, 411, 413, 414, 415, 429, 431]);

// In our words (1.0, 9.1 Protocol Requirements): The HTTP body that answers a call is a JSON-RPC response object.
export const responseObject = law(
  'rpc/response-object',
  'rpc.response-object',
  'be a JSON-RPC response, when the call had an id',
  {
    ...noCall,
    notes: [kindOf, isMute],
    advice: 'Catch exceptions and answer -32603: an error page of the web framework is not an answer.',
  },
  (reading, target, tape) => {
    const { exchange, operation, outcome, rpcId, sentId } = reading;
    const { response, failure } = exchange;
    if (!isJudged(reading, target)) return 'not-concerned';
    if (response === undefined || failure !== undefined) return answersNothing(tape, target) ?? 'not-concerned';
    if (response.cut) return 'not-concerned';
    // AMB03-18: some do not count null as an id. Other checks judge streams.
    if (!sentId || rpcId === null || operation === 'stream' || operation === 'subscribe') return 'not-concerned';
    if (responsesIn(exchange).length > 0) return 'holds';
    // A router may not know the URL with a query, and it speaks no JSON-RPC.
    const isOfRouter = response.status === 404 && exchange.request.url !== target.endpoint;
    if (httpRefusals.has(response.status) || isOfRouter || outcome.kind === 'busy') return 'not-concerned';
    if (response.status === 503 || response.status === 504)
      return inconclusive(`run again when the agent is less busy: it answered with HTTP ${response.status}`);
    if (response.status >= 300 && response.status < 400)
      return inconclusive(`the agent answered with a redirect (HTTP ${response.status})`);
    return `HTTP ${response.status} without a JSON-RPC response`;
  },
);
