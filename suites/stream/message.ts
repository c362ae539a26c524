import {
  accepted,
  check,
  describe,
  firstAnswer,
  ifMet,
  inconclusive,
  isSettled,
  type Judgement,
  lacksOperation,
  lastState,
  type Opened,
  type Outcome,
  type Scene,
} from '../../src/kit/index.js';
import { judgeStopped } from './stopped.js';
import { configured, ofMessage, plain, type StreamedMessage } from './streams.js';

// A2A 0.3 §7.2 message/stream, §7.1.1; 1.0 §3.1.2, §3.2.2.

/** The agent accepts a message that is not streamed. An agent that refuses everything shows nothing about streams. */
const takesMessages = async (scene: Scene): Promise<boolean> => (await ifMet(scene.use(firstAnswer))) !== undefined;

/** For answers that laws of the transport judge: a failure becomes unproven. */
const otherwise = (outcome: Outcome<unknown>): Judgement => {
  const judgement = accepted(outcome);
  return typeof judgement === 'string' ? inconclusive(judgement) : judgement;
};

// In our words (1.0, 3.1.2 Send Streaming Message): With streaming true, SendStreamingMessage works.
export const implemented = check('stream/implemented', 'stream.implemented')
  .given('streamed', plain)
  .when('the client streams a message', async ({ streamed }) => streamed.opened)
  .expects('answer with a stream', async (opened: Opened, scene): Promise<Judgement> => {
    if (opened.kind === 'result')
      return inconclusive(`the agent answered with one result, without a stream: ${describe(opened)}`);
    if (opened.kind !== 'stream') {
      if (opened.kind !== 'refusal') return otherwise(opened);
      const isUnknown = lacksOperation(opened) || opened.error === 'UnsupportedOperation';
      if (isUnknown || (await takesMessages(scene))) return describe(opened);
      return inconclusive(`the agent does not accept the message without a stream either: ${describe(opened)}`);
    }
    const { watched } = scene.streamed;
    if (watched === undefined || watched.seen.length > 0) return undefined;
    return watched.end === 'ended'
      ? 'the stream ended without an event'
      : inconclusive(`no event came: ${watched.end}`);
  })
  .advice('The card declares capabilities.streaming: serve the method, or declare it false.');

/** A plain stream was opened and brought events: without that, a refusal shows nothing about the configuration. */
const served = ({ opened }: StreamedMessage): boolean => opened.kind === 'stream' && opened.seen.length > 0;

// In our words (0.3, 7.1.1 MessageSendParams Object): message/stream accepts the same params as message/send.
export const sameParams = check('stream/same-params', 'stream.same-params')
  .given('bare', plain)
  .given('streamed', configured)
  .when(
    'the client streams a message with historyLength, blocking and acceptedOutputModes',
    async ({ streamed }) => streamed.opened,
  )
  .expects('take them as message/send does', (opened: Opened, { bare }): Judgement => {
    if (opened.kind === 'stream') return undefined;
    if (opened.kind !== 'refusal') return otherwise(opened);
    if (!served(bare)) return inconclusive(`the agent streams no message without them either: ${describe(opened)}`);
    const isShape = opened.error === 'InvalidParams' || opened.error === 'InvalidRequest';
    return isShape || opened.error === 'InternalError' ? describe(opened) : inconclusive(describe(opened));
  })
  .advice('Validate the params by the code of message/send: a configuration means the same in both methods.');

// In our words (1.0, 3.2.2 SendMessageConfiguration): returnImmediately does not change streaming.
export const nonBlocking = check('stream/non-blocking', 'stream.non-blocking')
  .given('bare', plain)
  .given('streamed', configured)
  .when('the client streams a message and asks for an immediate return', async ({ streamed }) => streamed.opened)
  .expects('continue the stream to the end of the task', async (opened: Opened, scene): Promise<Judgement> => {
    const { bare, streamed } = scene;
    if (opened.kind !== 'stream') {
      const judgement = accepted(opened);
      return served(bare) || typeof judgement !== 'string' ? judgement : inconclusive(judgement);
    }
    const state = lastState(streamed.watched?.events ?? []);
    if (state !== undefined && isSettled(state)) return undefined;
    if (streamed.watched?.end !== 'ended' || state === undefined)
      return inconclusive('the stream did not come to its end');
    const other = lastState(bare.watched?.events ?? []);
    if (other === undefined || !isSettled(other))
      return inconclusive(`other streams of this agent end in ${state} as well`);
    return judgeStopped(streamed.watched, 'went on', scene);
  })
  .advice(
    'Take a configuration in SendStreamingMessage too, and leave its returnImmediately alone: it has no effect on streams.',
  );

// In our words (1.0, 3.1.2 Send Streaming Message): A message stream holds exactly one message and then closes.
export const singleMessage = check('stream/single-message', 'stream.single-message')
  .given('watched', ofMessage)
  .when('the agent streams a message', async ({ watched }) => watched)
  .expects('send that message only, and end the stream', ({ seen, end }): Judgement => {
    if (seen.length > 1) return `the stream has ${seen.length} events`;
    if (end === 'left-open') return 'the stream stays open after its message';
    return end === 'ended' ? undefined : inconclusive('the stream broke');
  })
  .advice('Send the message once, then end the response: an answer without a task has no updates.');
