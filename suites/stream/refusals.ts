import {
  check,
  codeIs,
  describe,
  inconclusive,
  type Judgement,
  mediaRefused,
  type Outcome,
  openStream,
  outcomeOf,
  refused,
  type Scene,
  source,
  unlistedFile,
} from '../../src/kit/index.js';
import { anyEndedTask } from '../message/ended.js';
import { sayTo, streamPlain } from './streams.js';

// A2A 0.3 §7.2, §8.2; 1.0 §3.1.2: errors instead of a stream, as JSON or as the only event (AMB03-19).

const ownMessage = 'a new message';
const broken = { invalid: true } as const;

const overStreamed = source(anyEndedTask.about, async (scene) => {
  // By its id alone: message/completed-refused names the context too.
  const { id } = await scene.use(anyEndedTask);
  return outcomeOf(await scene.client.open('stream', { message: sayTo(scene, { id }) }, broken));
});

// In our words (1.0, 3.1.2 Send Streaming Message): A stream request to a terminal task is refused.
export const terminalRefused = check('stream/terminal-refused', 'stream.terminal-refused')
  .given('outcome', overStreamed)
  .when('the client streams a message to an ended task', async ({ outcome }) => outcome)
  .expects('refuse the message', refused)
  .butAccepts(ownMessage, streamPlain)
  .advice('Look at the state of the task before the stream is begun. A follow-up is a new task in the same context.');

/** A finished task may have been purged, so TaskNotFound is unproven. */
const unlessGone =
  (judge: (outcome: Outcome<unknown>) => Judgement) =>
  (outcome: Outcome<unknown>): Judgement =>
    outcome.kind === 'refusal' && outcome.error === 'TaskNotFound'
      ? inconclusive(`the agent may no longer have the finished task: ${describe(outcome)}`)
      : judge(outcome);

// In our words (1.0, 3.1.2 Send Streaming Message): The error of a stream request to a terminal task is
//   UnsupportedOperationError.
export const terminalCode = check('stream/terminal-code', 'stream.terminal-code')
  .given('outcome', overStreamed)
  .when('the client streams a message to an ended task', async ({ outcome }) => outcome)
  .expects('refuse the message as UnsupportedOperation', unlessGone(codeIs('UnsupportedOperation')))
  .advice(
    'Check the state by the code of SendMessage, and answer -32004 (reason UNSUPPORTED_OPERATION): the params are not invalid.',
  );

const noMessage = source('params without a message', async (scene: Scene) =>
  outcomeOf(await scene.client.open('stream', {}, broken)),
);

// In our words (1.0, 3.3.2 Error Handling): A stream request with invalid parameters is refused.
export const invalidParams = check('stream/invalid-params', 'stream.invalid-params')
  .given('outcome', noMessage)
  .when('the client streams params without a message', async ({ outcome }) => outcome)
  .expects('refuse them', refused)
  .butAccepts(ownMessage, streamPlain)
  .advice(
    'Check the params before the stream begins. Answer with an error as JSON, or as the only event: an empty stream carries no error.',
  );

// In our words (1.0, 9.5 Error Handling): The error code of a stream request with invalid parameters is -32602.
export const invalidParamsCode = check('stream/invalid-params-code', 'stream.invalid-params-code')
  .given('outcome', noMessage)
  .when('the client streams params without a message', async ({ outcome }) => outcome)
  // AMB03-21.
  .expects('refuse them as InvalidParams', codeIs('InvalidParams', 'InvalidRequest'))
  .butAccepts(ownMessage, streamPlain)
  .advice('Answer -32602, as in a plain send: what the validation throws must not become -32603.');

const strange = source('a task that does not exist', async (scene: Scene) =>
  outcomeOf(await scene.client.open('stream', { message: sayTo(scene, { id: scene.uuid() }) }, broken)),
);

// In our words (1.0, 3.1.2 Send Streaming Message): A stream request naming an unknown taskId is refused.
export const unknownRefused = check('stream/unknown-task-refused', 'stream.unknown-task-refused')
  .given('outcome', strange)
  .when('the client streams a message to an unknown task', async ({ outcome }) => outcome)
  .expects('refuse the message', refused)
  .butAccepts(ownMessage, streamPlain)
  .advice(
    'Look the task up before one is made: ids are made by the agent, so an unknown one is a mistake of the client.',
  );

// In our words (1.0, 3.1.2 Send Streaming Message): The error of a stream request naming an unknown taskId is
//   TaskNotFoundError.
export const unknownCode = check('stream/unknown-task-code', 'stream.unknown-task')
  .given('outcome', strange)
  .when('the client streams a message to an unknown task', async ({ outcome }) => outcome)
  .expects('refuse the message as TaskNotFound', codeIs('TaskNotFound'))
  .butAccepts(ownMessage, streamPlain)
  .advice(
    'Look the task up before the stream begins, and answer -32001 (reason TASK_NOT_FOUND): what the store throws must not become -32603.',
  );

const foreignType = source('a file of an undeclared media type', async (scene: Scene) => {
  const message = scene.say();
  const parts = [...message.parts, unlistedFile(scene)];
  return outcomeOf(await openStream(scene, 'stream', { message: { ...message, parts } }));
});

// In our words (1.0, 3.1.2 Send Streaming Message): Unsupported media types are refused on streams too.
export const unsupportedMedia = check('stream/unsupported-media', 'stream.unsupported-media')
  .given('outcome', foreignType)
  .when('the client streams a file of an undeclared media type', async ({ outcome }) => outcome)
  // An agent may accept more types than its card lists: a stream is not a failure.
  .expects('refuse the message as ContentTypeNotSupported', (outcome, scene) =>
    mediaRefused(codeIs('ContentTypeNotSupported')(outcome), outcome, scene),
  )
  .butAccepts('the same text without the file', streamPlain)
  .advice('Check media types by the code of SendMessage, and answer -32005 (reason CONTENT_TYPE_NOT_SUPPORTED).');
