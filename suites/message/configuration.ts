import {
  check,
  describe,
  early,
  inconclusive,
  isSettled,
  isTerminal,
  type Judgement,
  type Outcome,
  plural,
  type Scene,
  type SendReply,
  sendForTask,
  sendQuick,
  source,
  type Task,
} from '../../src/kit/index.js';
import { type Dialogue, dialogue, hasBoth } from '../task/dialogue.js';
import { alive, leftEarly, plain, taken, taskIn } from './sends.js';

// A2A 0.3 §7.1.1 MessageSendConfiguration, 1.0 §3.2.2, §3.2.4: history, output modes, push notifications.

interface Short {
  readonly outcome: Outcome<SendReply>;
  /** The same task, read with its full history. */
  readonly whole: Outcome<Task> | undefined;
}

/** Waits for the end of the work, since only then is there a history to shorten. */
const short = source('a message with a full configuration', async (scene: Scene): Promise<Short> => {
  const outcome = await sendForTask(scene, () =>
    scene.client.call('send', {
      message: scene.say(),
      configuration: { blocking: true, acceptedOutputModes: ['text/plain'], historyLength: 1 },
    }),
  );
  const task = taskIn(outcome);
  return { outcome, whole: typeof task === 'string' ? undefined : await scene.client.call('get', { id: task.id }) };
});

/** With one turn an agent may keep a single message; with two there is more to shorten. */
const longer = (talk: Dialogue | undefined): Outcome<SendReply> | undefined =>
  hasBoth(talk) && typeof taskIn(talk.outcome) !== 'string' ? talk.outcome : undefined;

const shownIn = (outcome: Outcome<SendReply>): number => {
  const task = taskIn(outcome);
  return typeof task === 'string' ? 0 : (task.history?.length ?? 0);
};

// In our words (1.0, 3.2.4 History Length Semantics): configuration.historyLength N returns at most N newest messages.
export const historyLength = check('message/history-length', 'send.history-length')
  .given('talk', dialogue)
  .given('first', short)
  .when('the client sends a message with historyLength 1', async ({ talk, first }) => {
    const second = longer(talk);
    return second !== undefined && shownIn(second) > 1 ? second : first.outcome;
  })
  .expects('answer with one message of the history at most', (outcome, { talk, first: { whole } }): Judgement => {
    const shown = shownIn(outcome);
    if (shown > 1) return `the history has ${shown} messages`;
    if (longer(talk) !== undefined) return undefined;
    const task = taskIn(outcome);
    if (typeof task === 'string') return inconclusive(task);
    const all = whole?.kind === 'result' ? (whole.value.history?.length ?? 0) : 0;
    return all > 1
      ? undefined
      : inconclusive(
          'set behaviours.completed to a prompt that is answered in words: the history has no second message to leave out',
        );
  })
  .advice(
    'Read configuration.historyLength, and cut the history in a copy for the answer, from the newest message back.',
  );

// In our words (1.0, 3.2.2 SendMessageConfiguration): A blocking reply holds the latest state and all artifacts.
export const blockingComplete = check('message/blocking-complete', 'send.blocking-complete')
  .when('the client sends a message and waits for the end', ({ use }) => use(short))
  .expects('answer with the final state and artifacts', async ({ outcome, whole }, scene): Promise<Judgement> => {
    const task = taskIn(outcome);
    if (typeof task === 'string') return inconclusive(task);
    if (!isTerminal(task.status.state))
      return (
        (await leftEarly(outcome, scene)) ??
        inconclusive(
          `set behaviours.completed to a prompt whose task ends soon: the answer shows a task that is ${task.status.state}`,
          isSettled(task.status.state) ? undefined : 'unmoved',
        )
      );
    if (whole?.kind !== 'result') return inconclusive('the agent did not show the task again');
    const { status, artifacts = [] } = whole.value;
    if (status.state !== task.status.state) return `answered as ${task.status.state}, read as ${status.state}`;
    const given = new Set((task.artifacts ?? []).map((artifact) => artifact.artifactId));
    const lost = artifacts.find((artifact) => !given.has(artifact.artifactId));
    if (lost !== undefined) return `the artifact ${lost.artifactId} was left out of the answer`;
    return artifacts.length > 0 ? undefined : inconclusive('set behaviours.completed: the task has no artifact');
  })
  .advice(
    'When the work has ended, read the task from the store and answer with that: a copy from before lacks artifacts and the last state.',
  );

const none = source('a message with historyLength 0', (scene: Scene) =>
  sendForTask(scene, () => sendQuick(scene, scene.say(), 0)),
);
/** Only an agent that shows a history at all can be seen to leave it out. */
const shows = async (scene: Scene): Promise<boolean> => {
  const task = taskIn(await scene.use(plain));
  return typeof task !== 'string' && (task.history?.length ?? 0) > 0;
};

// In our words (1.0, 3.2.4 History Length Semantics): configuration.historyLength 0 shows no message of the history.
export const historyZeroLimit = check('message/history-zero-limit', 'send.history-zero-limit')
  .when('the client sends a message with historyLength 0', ({ use }) => use(none))
  .expects('answer without a message in the history', async (outcome, scene): Promise<Judgement> => {
    const task = taskIn(outcome);
    if (typeof task === 'string') return inconclusive(task);
    const shown = task.history?.length ?? 0;
    if (shown > 0) return `the history has ${plural(shown, 'message')}`;
    return (await shows(scene)) ? undefined : inconclusive('the agent never shows a history in such an answer');
  })
  .advice('Distinguish 0 from unset: `if (historyLength)` treats 0 as no limit.');

// In our words (1.0, 3.2.4 History Length Semantics): configuration.historyLength 0 leaves `history` out.
export const historyZero = check('message/history-zero', 'send.history-zero')
  .when('the client sends a message with historyLength 0', ({ use }) => use(none))
  .expects('answer without the member history', async (outcome, scene): Promise<Judgement> => {
    const task = taskIn(outcome);
    if (typeof task === 'string') return inconclusive(task);
    if (task.history !== undefined)
      return `the member history is there, with ${plural(task.history.length, 'message')}`;
    return (await shows(scene)) ? undefined : inconclusive('the agent never shows a history in such an answer');
  })
  .advice('Leave the member out of the answer with historyLength 0, instead of writing an empty list.');

// In our words (1.0, 3.2.2 SendMessageConfiguration): acceptedOutputModes is used to tailor the output.
export const outputModes = check('message/accepted-output-modes', 'send.accepted-output-modes')
  .when('the client accepts text/plain only', async ({ use }) => (await use(short)).outcome)
  .expects('accept the message, or refuse it as ContentTypeNotSupported', (outcome, scene) =>
    taken(outcome, scene, 'ContentTypeNotSupported'),
  )
  .advice('Make what the client can read, text/plain for example, or refuse with ContentTypeNotSupported (-32005).');

// In our words (1.0, 3.3.4 Capability Validation): An inline push config at an agent without push support may be
//   refused or ignored.
export const inlinePush = check('message/inline-push-unsupported', 'send.inline-push-unsupported')
  .when('the client sends a message with a push notification config', (scene) =>
    scene.client.call('send', {
      message: scene.say(),
      configuration: { ...early(scene), push: { url: 'https://example.com/a2a-tck' } },
    }),
  )
  .expects(
    'ignore the config, or refuse it as PushNotificationNotSupported',
    async (outcome, scene): Promise<Judgement> => {
      if (outcome.kind !== 'refusal') return alive(outcome, scene);
      if (outcome.error === 'PushNotificationNotSupported' || outcome.error === 'UnsupportedOperation')
        return undefined;
      // Other errors about the config are fine; only InternalError leaves the client without a task or a reason.
      return outcome.error === 'InternalError' ? describe(outcome) : inconclusive(describe(outcome));
    },
  )
  .advice('Refuse the config with -32003, or ignore it; the card declares no push notifications.');
