import {
  brief,
  isObject,
  type LawJudgement,
  law,
  mediaType,
  type Reading,
  type ReadReply,
  set,
} from '../../src/kit/index.js';
import { jsonTypes } from './calls.js';

// A2A 1.0 §11.1 Protocol Requirements, §11.4 Request/Response Format, §11.7 Streaming; 0.3 §3.2.3, §3.3.3.

// In our words (1.0, 11.1 Protocol Requirements): Responses have Content-Type application/a2a+json.
/** AMB10-07: both media types pass, whatever the text. */
export const answerType = law(
  'rest/media-type',
  'rest.media-type',
  'come as application/a2a+json or application/json, when it is a result and no stream',
  {
    otherwise: 'no result with a body came',
    advice:
      'Set Content-Type: application/json, in 1.0 rather application/a2a+json: frameworks send a body that is a text as text/plain.',
  },
  ({ outcome, stream, exchange, operation }) => {
    const { response } = exchange;
    // The media types of cards are those of §14.3.
    if (operation === undefined || operation === 'extendedCard') return 'not-concerned';
    if (outcome.kind !== 'result' || stream !== undefined || response === undefined || response.body.length === 0)
      return 'not-concerned';
    const type = mediaType(response.headers);
    return jsonTypes.has(type) ? 'holds' : `the content type is ${type ?? 'missing'}`;
  },
);

/** Judges each event of a stream that is not an error. */
const eachUpdate =
  (judge: (value: Record<string, unknown>, at: number) => string | undefined) =>
  ({ stream, replies }: Reading): LawJudgement => {
    if (stream === undefined || replies.length === 0) return 'not-concerned';
    const found = replies.map(({ value, problem, text }: ReadReply, at) => {
      if (problem !== undefined) return `the data of event ${at + 1} are not JSON: ${brief(text, 60)}`;
      if (!isObject(value)) return `the data of event ${at + 1} are ${brief(value)}`;
      return isObject(value['error']) && !Object.hasOwn(value, 'jsonrpc') ? undefined : judge(value, at);
    });
    return found.find((problem) => problem !== undefined) ?? 'holds';
  };

const kinds = ['task', 'message', 'statusUpdate', 'artifactUpdate'];

// In our words (1.0, 11.7 Streaming): Each SSE data is a bare StreamResponse.
export const streamData = law(
  'rest/stream-data',
  'rest.stream-data',
  'carry one StreamResponse in each event, without an envelope',
  {
    otherwise: 'no stream came',
    advice: 'The data of an event are an object with one of task, message, statusUpdate and artifactUpdate.',
  },
  eachUpdate((value, at) => {
    if (Object.hasOwn(value, 'jsonrpc')) return `event ${at + 1} is a JSON-RPC response`;
    const has = kinds.filter((name) => Object.hasOwn(value, name));
    return has.length === 1
      ? undefined
      : `event ${at + 1} has ${has.length === 0 ? 'none of them' : has.join(' and ')}`;
  }),
);

// In our words (0.3, 3.3.3 REST Streaming): Streams are text/event-stream with one JSON object per event, also over
//   several data lines.
export const streamObjects = law(
  'rest/stream-objects',
  'rest.stream-objects',
  'carry one whole JSON object in each event',
  { otherwise: 'no stream came', advice: 'Write one update as the data of each event, and no list around it.' },
  eachUpdate(() => undefined),
);

// In our words (1.0, 3.3.2 Error Handling): An error item in a stream is an object with code and message.
/** AMB10-65: how an error of a stream travels is open; an event with one has its form. */
export const streamError = law(
  'rest/stream-error',
  'rest.stream-error',
  'give an error in a stream as an object with a code and a message',
  {
    otherwise: 'no error came in a stream',
    advice:
      'Write {"error": {"code": 500, "status": "INTERNAL", "message": "…"}} as the data of the event: a bare text is not an error object.',
  },
  ({ stream, replies }) => {
    if (stream === undefined) return 'not-concerned';
    const errors = replies.flatMap(({ value }) =>
      isObject(value) && Object.hasOwn(value, 'error') && !Object.hasOwn(value, 'jsonrpc') ? [value['error']] : [],
    );
    if (errors.length === 0) return 'not-concerned';
    const wrong = errors.find(
      (error) => !isObject(error) || typeof error['code'] !== 'number' || typeof error['message'] !== 'string',
    );
    return wrong === undefined && !errors.includes(undefined) ? 'holds' : `error is ${brief(wrong)}`;
  },
).mutants(set('error', 'it failed'));

const kinds03: ReadonlySet<unknown> = new Set([
  'task',
  'message',
  'status-update',
  'artifact-update',
  'text',
  'file',
  'data',
]);
const open: ReadonlySet<string> = new Set(['metadata', 'data']);

/** The spellings that a document of 0.3 shows, each with where it does. */
function spellingsIn(document: unknown): ReadonlyMap<'schema' | 'proto', string> {
  const found = new Map<'schema' | 'proto', string>();
  const note = (spelling: 'schema' | 'proto', mark: string): void => {
    if (!found.has(spelling)) found.set(spelling, mark);
  };
  const waiting: unknown[] = [document];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (Array.isArray(value)) waiting.push(...value.slice(0, 1000));
    if (!isObject(value)) continue;
    const { kind, role, state } = value;
    if (kinds03.has(kind)) note('schema', `kind ${brief(kind)}`);
    if (role === 'user' || role === 'agent') note('schema', `role ${brief(role)}`);
    if (typeof role === 'string' && role.startsWith('ROLE_')) note('proto', `role ${brief(role)}`);
    if (typeof state === 'string' && state !== '') {
      if (state.startsWith('TASK_STATE_')) note('proto', `state ${brief(state)}`);
      else note('schema', `state ${brief(state)}`);
    }
    for (const [name, inner] of Object.entries(value)) if (!open.has(name) && inner !== null) waiting.push(inner);
  }
  return found;
}

// In our words (0.3, 3.2.3 HTTP+JSON/REST Transport): REST objects are structurally equivalent to the core data model.
/** AMB03-15: both spellings pass, each by itself. */
export const oneSpelling = law(
  'rest/one-spelling',
  'rest.one-spelling',
  'be spelled either as the schema or as ProtoJSON has it, when it is a result',
  {
    otherwise: 'no result came',
    advice:
      'Write all of a result by one serializer: kind, user and input-required as in the schema, or content, ROLE_USER and TASK_STATE_… as in ProtoJSON.',
  },
  ({ operation, outcome, replies }) => {
    if (operation === undefined || operation === 'extendedCard' || outcome.kind !== 'result') return 'not-concerned';
    for (const { value } of replies) {
      const [spelling, other] = spellingsIn(value).values();
      if (spelling !== undefined && other !== undefined) return `it has both ${spelling} and ${other}`;
    }
    return 'holds';
  },
);
