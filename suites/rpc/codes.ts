import {
  bodyText,
  brief,
  type Exchange,
  excerpt,
  isObject,
  type JsonObject,
  law,
  mediaType,
  type Operation,
  type Reading,
  errorOf as sentError,
  sentText,
} from '../../src/kit/index.js';
import { eachResponse, isJudged, responsesIn } from './responses.js';

// A2A 0.3 §8.1 Standard JSON-RPC Errors, §8.2 A2A-Specific Errors, §11.1.5.

const noError = { otherwise: 'no error came' };
const errorOf = (response: JsonObject): JsonObject | undefined =>
  isObject(response['error']) ? response['error'] : undefined;

const strict = new TextDecoder('utf-8', { fatal: true });

const defined: ReadonlySet<number> = new Set([-32700, -32600, -32601, -32602, -32603]);

// In our words (0.3, 8.1 Standard JSON-RPC Errors): Codes in the reserved range -32768..-32000 are used only as
//   JSON-RPC or A2A define them.
// In our words (0.3, 8.2 A2A-Specific Errors): Server-defined codes stay within -32000..-32099 or outside the reserved
//   range.
export const reservedCodes = law(
  'rpc/reserved-codes',
  ['rpc.reserved-codes', 'err.server-codes'],
  'use reserved codes only as JSON-RPC or A2A define them',
  { ...noError, advice: 'For codes of your own take -32000 to -32099, or leave -32768 to -32000 altogether.' },
  eachResponse((response) => {
    const code = errorOf(response)?.['code'];
    if (typeof code !== 'number') return 'not-concerned';
    const reserved = code >= -32768 && code <= -32000;
    const ours = defined.has(code) || (code >= -32099 && code <= -32000);
    return !reserved || ours ? 'holds' : `the code ${code} is reserved and has no meaning`;
  }),
);

// In our words (1.0, 3.3.2 Error Handling): Every error conveys a code and a human-readable message.
export const messageText = law(
  'rpc/error-message',
  'err.message-text',
  'name the fault in error.message',
  {
    ...noError,
    advice: 'Say in a few words what was wrong: exceptions without a text leave the message empty, so have a default.',
  },
  eachResponse((response) => {
    const message = errorOf(response)?.['message'];
    if (typeof message !== 'string') return 'not-concerned';
    return message.trim() === '' ? `error.message is ${brief(message)}` : 'holds';
  }),
);

// In our words (1.0, 9.5 Error Handling): A2A-specific errors use codes within -32001..-32099.
export const codeRange = law(
  'rpc/code-range',
  'err.code-range',
  'use a code from -32001 to -32099 for each error that A2A defines',
  {
    otherwise: 'the agent refused no task',
    advice:
      'Translate your errors into the codes of A2A, such as -32001 for an unknown task. HTTP statuses and numbers of your own go into error.data.',
  },
  (reading, target) => {
    const { operation, outcome, valid } = reading;
    // A valid read or cancel has only its task that could be refused.
    if (!isJudged(reading, target) || !valid || (operation !== 'get' && operation !== 'cancel')) return 'not-concerned';
    if (outcome.kind !== 'refusal' || outcome.code === undefined || defined.has(outcome.code)) return 'not-concerned';
    const { code } = outcome;
    // -32000 is a server-defined error without a known meaning.
    if (code === -32000) return 'not-concerned';
    return code <= -32001 && code >= -32099
      ? 'holds'
      : `${operation} was refused with ${code}: ${brief(outcome.message)}`;
  },
);

const taskNotFound = -32001;

/** Operations for which a code has a meaning. Where any error passes (AMB03-04, AMB03-10), the list is wider. */
const meant: Readonly<Record<string, readonly Operation[]>> = {
  TaskNotCancelable: ['cancel', 'send', 'stream', 'subscribe'],
  PushNotificationNotSupported: ['send', 'stream', 'pushSet', 'pushGet', 'pushList', 'pushDelete'],
  ContentTypeNotSupported: ['send', 'stream', 'subscribe'],
  ExtendedCardNotConfigured: ['extendedCard'],
};

/** The request names a task or a context. */
const namesTask = ({ exchange }: Reading): boolean =>
  /"(taskId|referenceTaskIds|contextId)"|"params":\{"id":|^\{"(id|name|parent)":/.test(sentText(exchange));

// In our words (1.0, 5.4 Error Code Mappings): Every A2A error type uses its own JSON-RPC code (-32001 TaskNotFound,
//   -32002 TaskNotCancelable, -32003 PushNotificationNotSupported, -32004 UnsupportedOperation, -32005
//   ContentTypeNotSupported, -32006 InvalidAgentResponse, -32007 ExtendedAgentCardNotConfigured, -32008
//   ExtensionSupportRequired, -32009 VersionNotSupported).
export const codeMeaning = law(
  'rpc/code-meaning',
  'err.code-meaning',
  'use each A2A error code only with its meaning',
  { ...noError, advice: 'Take -32603 or a code of your own for what A2A has no code for.' },
  (reading, target) => {
    const { exchange, operation, outcome, valid } = reading;
    if (!isJudged(reading, target) || !valid || operation === undefined) return 'not-concerned';
    if (outcome.kind === 'denied') {
      const codes = responsesIn(exchange).map((response) => errorOf(response)?.['code']);
      // HTTP 403 may hide a task from a caller; HTTP 401 is only about credentials.
      return outcome.status === 401 && codes.includes(taskNotFound)
        ? 'missing credentials were called -32001'
        : 'not-concerned';
    }
    if (outcome.kind !== 'refusal' || outcome.error === undefined) return 'not-concerned';
    const { error, message } = outcome;
    const text = sentError(outcome);
    if (Object.hasOwn(meant, error) && meant[error]?.includes(operation) === false) {
      return `${operation} was refused with ${text} (${error}): ${brief(message)}`;
    }
    if (error === 'TaskNotFound' && operation === 'send' && !namesTask(reading)) {
      return `a message that names no task was refused with ${text} (${error}): ${brief(message)}`;
    }
    return 'holds';
  },
);

/** JSON that any parser takes: RFC 8259 §9 lets it limit size, depth, numbers and characters. */
function isPlainJson({ body = new Uint8Array(), headers }: Exchange['request']): boolean {
  if (body.length > 16 * 1024 || !/\bjson\b/.test(mediaType(headers) ?? '')) return false;
  try {
    const text = strict.decode(body);
    const frame = text.replace(/"(?:[^"\\]|\\.)*"/g, '');
    const depth = frame.match(/[[{]/g)?.length ?? 0;
    return isObject(JSON.parse(text)) && depth <= 30 && !text.includes('\\u') && !/\d{10}|\d[eE.]/.test(frame);
  } catch {
    return false;
  }
}

// In our words (1.0, 9.5 Error Handling): A request that is JSON is not answered with -32700.
export const parseErrorMeaning = law(
  'rpc/parse-error-meaning',
  'rpc.parse-error-meaning',
  'not call valid JSON a parse error',
  {
    otherwise: 'the agent refused no request that is JSON',
    advice:
      'Parse first, and answer -32700 only where that fails. What fails later is -32600 or -32602: params that are left out, a member of a wrong type.',
  },
  eachResponse((response, { exchange }) => {
    const error = errorOf(response);
    if (error === undefined || !isPlainJson(exchange.request)) return 'not-concerned';
    return error['code'] === -32700 ? `-32700 for ${excerpt(bodyText(exchange.request.body), 120)}` : 'holds';
  }),
);
