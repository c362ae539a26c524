import type { ErrorName, JsonObject } from '../../model/index.js';
import { isObject } from '../../model/index.js';
import {
  able,
  onEnvelope,
  onReply,
  onResult,
  onStatus,
  type Patch,
  RpcFailure,
  type Step,
  together,
} from '../../reference/index.js';
import { type Scenario, scenario } from '../scenario.js';
import { artifactOf, becomes, made, makes, now, playing, pollsUntilTheEnd, refusing, whole } from './plots.js';
import { streamedScenario } from './streamed.js';

// Answers that are unusual and right, errors, and answers that are none.

const hello = { do: 'send', text: 'Hello' } as const;

/** A task that ends at once, with an artifact; `patch`: what is difficult about it. */
const answerScenario = (
  id: Scenario['id'],
  about: string,
  patch: Patch,
  more: Omit<Partial<Scenario>, 'id' | 'about' | 'patch'> = {},
): Scenario =>
  scenario(id, {
    about,
    errand: hello,
    patch: ({ word }) => together(playing(becomes('working'), makes(`${word} was made`), becomes('completed')), patch),
    expected: ({ word }) => ({ state: 'completed', text: `${word} was made` }),
    ...more,
  });

/** Sends are refused with this error. */
const errorScenario = (
  id: Scenario['id'],
  error: ErrorName,
  about: string,
  more: Omit<Partial<Scenario>, 'id' | 'about'> = {},
): Scenario => scenario(id, { about, errand: hello, patch: () => refusing(error), expected: { error }, ...more });

/** A task that ends in this state, with a text in its status; `before`: what it does until then. */
const endedScenario = (
  id: Scenario['id'],
  state: 'failed' | 'rejected' | 'canceled' | 'input-required',
  about: string,
  ...before: readonly Step[]
): Scenario =>
  scenario(id, {
    about,
    errand: hello,
    patch: (stage) =>
      together(
        playing(becomes('working'), ...before, becomes(state, { say: `It is about ${stage.word}.` })),
        pollsUntilTheEnd(stage),
      ),
    expected: ({ word }) => ({ state, text: `It is about ${word}.` }),
  });

/**
 * What is said of a message that is not answered as JSON-RPC has it: nothing that a client may report as the result.
 */
const brokenScenario = (id: Scenario['id'], about: string, edit: (response: JsonObject) => JsonObject): Scenario =>
  answerScenario(
    id,
    about,
    onEnvelope((response) => edit(response)),
    { binding: 'jsonrpc', expected: {} },
  );

/** Adds members that no version has to every object of a result. */
function withMore(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withMore);
  if (!isObject(value)) return value;
  const own = Object.entries(value).map(([name, member]) => [name, name === 'metadata' ? member : withMore(member)]);
  return { ...Object.fromEntries(own), futureMember: { since: 'tomorrow', of: [1, null] } };
}

/** A state that no version has, until the task has ended. */
const unknownStates: Patch = (inner, world, seams) => {
  const isNumber = world.dialect.binding.requests === 'messages';
  const patch = onStatus((status) => (status['state'] === 'TASK_STATE_COMPLETED' ? status : future(status, isNumber)));
  return patch(inner, world, seams);
};
const future = (status: JsonObject, isNumber: boolean): JsonObject => ({
  ...status,
  state: isNumber ? 99 : 'TASK_STATE_FUTURE',
});

/** A message is answered at once, whatever its task is at. */
const impatient: Patch = () => ({ patience: () => 0 });

/** Every message is answered with a Message. */
const replying =
  (words: string): Patch =>
  () => ({ script: () => ({ reply: 'message', afterMs: 5, parts: [{ kind: 'text', text: words }] }) });

/** A picture of one pixel, and where a client may fetch it. */
const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
  'base64',
);
const pictureAt = '/linked.png';
const picture: Patch = (inner) => ({
  async serve(request) {
    if (new URL(request.url).pathname !== pictureAt) return inner.serve(request);
    return { status: 200, headers: [['content-type', 'image/png']], body: new Uint8Array(dot) };
  },
});

const withType =
  (type: string): Patch =>
  () => ({ httpType: () => type });

/** The HTTP status of answers to messages. */
const withStatus = (status: number): Patch =>
  onReply('any', (reply, { method }) => (method === 'POST' ? { ...reply, status } : reply));

const since10 = { profiles: ['a2a-1.0'] } as const;
const since03 = { profiles: ['a2a-1.0', 'a2a-0.3'] } as const;

export const answersScenarios = [
  answerScenario(
    'answer-more-members',
    'every object of an answer has members that the version does not know',
    onResult('any', withMore),
    { notOver: ['grpc'] },
  ),
  scenario('answer-unknown-state', {
    about: 'the task is in a state that the version does not know, and then completed',
    mayFail: true,
    errand: hello,
    profiles: ['a2a-1.0'],
    patch: ({ word }) =>
      together(
        playing(becomes('working'), makes(`${word} was made`, 300), becomes('completed')),
        impatient,
        unknownStates,
      ),
    expected: ({ word }) => ({ state: 'completed', text: `${word} was made` }),
  }),
  streamedScenario('answer-timestamps', 'timestamps have 0, 3, 6 and 9 fractional digits', {
    notOver: ['grpc'],
    updates: (task, { word }) => [
      whole({ ...task, status: { ...task.status, timestamp: '2026-03-01T10:00:00Z' } }, 'submitted'),
      now(task, 'working', '2026-03-01T10:00:01.123Z'),
      made(task, artifactOf('only', `${word} was made`)),
      now(task, 'working', '2026-03-01T10:00:02.123456Z'),
      now(task, 'completed', '2026-03-01T10:00:03.123456789Z'),
    ],
    text: (word) => `${word} was made`,
  }),
  answerScenario('answer-no-history', 'tasks come without their history', (inner) => ({
    view: (task, historyLength) => {
      const { history: _, ...rest } = inner.view(task, historyLength);
      return rest;
    },
  })),
  scenario('answer-unfinished', {
    about: 'the agent answers before the task has ended',
    mayFail: true,
    errand: hello,
    patch: ({ word }) =>
      together(playing(becomes('working'), makes(`${word} was made`, 1000), becomes('completed')), impatient),
    expected: ({ word }) => ({ state: 'completed', text: `${word} was made` }),
  }),
  scenario('poll-refused', {
    about: 'the agent answers before the task has ended, and refuses every call for it',
    mayFail: true,
    errand: hello,
    patch: ({ word }) =>
      together(
        playing(becomes('working'), makes(`${word} was made`, 1000), becomes('completed')),
        impatient,
        (inner) => ({
          async execute(command, call) {
            if (command.op === 'get') throw new RpcFailure('InternalError');
            return inner.execute(command, call);
          },
        }),
      ),
    expected: ({ word }) => ({ state: 'completed', text: `${word} was made` }),
  }),
  errorScenario('error-task-not-found', 'TaskNotFound', 'the agent answers with TaskNotFoundError'),
  errorScenario('error-not-cancelable', 'TaskNotCancelable', 'the agent answers with TaskNotCancelableError'),
  errorScenario(
    'error-no-push',
    'PushNotificationNotSupported',
    'the agent answers with PushNotificationNotSupportedError',
    // Over gRPC this error has the status of an unknown method, and 0.3 gives no reason beside it.
    { notOver: ['a2a-0.3-grpc'] },
  ),
  errorScenario('error-unsupported', 'UnsupportedOperation', 'the agent answers with UnsupportedOperationError'),
  errorScenario('error-content-type', 'ContentTypeNotSupported', 'the agent answers with ContentTypeNotSupportedError'),
  errorScenario('error-agent-response', 'InvalidAgentResponse', 'the agent answers with InvalidAgentResponseError'),
  errorScenario(
    'error-extended-card',
    'ExtendedCardNotConfigured',
    'the agent answers with the error of an extended card that is not configured',
    since03,
  ),
  errorScenario(
    'error-extension-required',
    'ExtensionSupportRequired',
    'the agent answers with ExtensionSupportRequiredError',
    since10,
  ),
  errorScenario('error-version', 'VersionNotSupported', 'the agent answers with VersionNotSupportedError', since10),
  errorScenario(
    'error-old-status',
    'ContentTypeNotSupported',
    'the agent answers with ContentTypeNotSupportedError under the HTTP status of 1.0.0',
    {
      ...since10,
      binding: 'http+json',
      patch: () =>
        together(refusing('ContentTypeNotSupported'), (inner) => ({
          httpRefusal: (error) => ({ ...inner.httpRefusal(error), status: 415 }),
        })),
    },
  ),
  brokenScenario('answer-foreign-id', 'answers have the id of another request', (response) => ({
    ...response,
    id: 'of-another-request',
  })),
  brokenScenario('answer-rpc-1', 'answers are of JSON-RPC 1.0', (response) => ({ ...response, jsonrpc: '1.0' })),
  brokenScenario('answer-result-and-error', 'answers have a result and an error at once', (response) => ({
    ...response,
    error: { code: -32603, message: 'Something went wrong' },
  })),
  streamedScenario('answer-event-no-version', 'the events of a stream do not say that they are of JSON-RPC', {
    binding: 'jsonrpc',
    patch: () => onEnvelope(({ jsonrpc: _, ...response }) => response),
    expected: {},
  }),
  endedScenario('answer-failed', 'failed', 'the task has failed, and its status says why'),
  endedScenario('answer-rejected', 'rejected', 'the task was rejected, and its status says why'),
  endedScenario('answer-canceled', 'canceled', 'the task was canceled, and its status says why'),
  endedScenario(
    'answer-asks',
    'input-required',
    'the task has made an artifact and needs an input, and its status says which',
    makes('A first draft'),
  ),
  scenario('answer-message', {
    about: 'the agent answers with a Message, and makes no task',
    errand: hello,
    patch: ({ word }) => replying(`${word} is the answer`),
    expected: ({ word }) => ({ text: `${word} is the answer` }),
  }),
  scenario('stream-message', {
    about: 'a stream has one Message, and no task',
    errand: { do: 'stream', text: 'Hello' },
    patch: ({ word }) => together(able({ streaming: true }), replying(`${word} is the answer`)),
    expected: ({ word }) => ({ text: `${word} is the answer` }),
  }),
  scenario('answer-files', {
    about: 'an artifact has a file, the URL of another one, and a text',
    errand: hello,
    patch: ({ word, places: { agent } }) =>
      together(
        playing(
          becomes('working'),
          {
            afterMs: 5,
            act: {
              type: 'artifact',
              name: 'pictures',
              parts: [
                { kind: 'file', bytes: dot.toString('base64'), name: 'inline.png', mediaType: 'image/png' },
                { kind: 'file', uri: `${agent}${pictureAt}`, name: 'linked.png', mediaType: 'image/png' },
                { kind: 'text', text: `${word} was drawn` },
              ],
            },
          },
          becomes('completed'),
        ),
        picture,
      ),
    expected: ({ word }) => ({ state: 'completed', text: `${word} was drawn` }),
  }),
  streamedScenario('stream-failed', 'the stream brings a task that has failed', {
    updates: (task, { word }) => [
      whole(task, 'working', { artifactId: 'only', parts: [{ kind: 'text', text: `${word} was made` }] }),
      now(task, 'failed'),
    ],
    expected: ({ word }) => ({ state: 'failed', text: `${word} was made` }),
  }),
  answerScenario('answer-a2a-json', 'results are of the type application/a2a+json', withType('application/a2a+json'), {
    binding: 'http+json',
  }),
  errorScenario('error-a2a-json', 'UnsupportedOperation', 'errors are of the type application/a2a+json', {
    binding: 'http+json',
    patch: () => together(refusing('UnsupportedOperation'), withType('application/a2a+json')),
  }),
  answerScenario('answer-201', 'a message is answered with HTTP 201', withStatus(201), { binding: 'http+json' }),
  errorScenario('error-in-details', 'TaskNotCancelable', 'an error is named in its details alone', {
    binding: 'grpc',
    patch: () =>
      together(refusing('TaskNotCancelable'), (inner) => ({
        grpcRefusal: (error) => ({ ...inner.grpcRefusal(error), message: 'The call was refused.' }),
      })),
  }),
];
