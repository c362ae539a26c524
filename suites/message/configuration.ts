import {
  check,
  describe,
  type Judgement,
  type Outcome,
  type Scene,
  type SendReply,
  source,
  type Task,
  unproven,
} from '../../src/kit/index.js';
import { alive, early, taken, taskIn } from './sends.js';

// A2A 0.3 §7.1.1 MessageSendConfiguration: history, output modes, push notifications.

interface Short {
  readonly outcome: Outcome<SendReply>;
  /** The same task, with all of its history. */
  readonly whole: Outcome<Task> | undefined;
}

/** Waits for the end, for only then there is a history to be cut. */
const short = source('a message with a full configuration', async (scene: Scene): Promise<Short> => {
  const outcome = await scene.client.call('send', {
    message: scene.say(),
    configuration: { blocking: true, acceptedOutputModes: ['text/plain'], historyLength: 1 },
  });
  const task = taskIn(outcome);
  return { outcome, whole: typeof task === 'string' ? undefined : await scene.client.call('get', { id: task.id }) };
});

export const historyLength = check('message/history-length', 'send.history-length')
  .when('the client sends a message with historyLength 1', ({ use }) => use(short))
  .expects('answer with one message of the history at most', ({ outcome, whole }): Judgement => {
    const task = taskIn(outcome);
    if (typeof task === 'string') return unproven(task);
    const shown = task.history?.length ?? 0;
    if (shown > 1) return `the history has ${shown} messages`;
    const all = whole?.kind === 'result' ? (whole.value.history?.length ?? 0) : 0;
    return all > 1 ? undefined : unproven('the task has no second message in its history, so nothing was to be cut');
  })
  .killedBy('send-ignores-history-length');

export const outputModes = check('message/accepted-output-modes', 'send.accepted-output-modes')
  .when('the client accepts text/plain only', async ({ use }) => (await use(short)).outcome)
  .expects('be answered, or be refused as ContentTypeNotSupported', (outcome, scene) =>
    taken(outcome, scene, 'ContentTypeNotSupported'),
  )
  .killedBy('send-narrow-output-modes-is-internal-error', 'send-refuses-narrow-output-modes');

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
      // Whatever else is said about the config, only an inner failure leaves the client without a task or a reason.
      return outcome.error === 'InternalError' ? describe(outcome) : unproven(describe(outcome));
    },
  )
  .advice('Refuse the config with -32003, or leave it alone; the card says that there are no push notifications.')
  .killedBy('send-inline-push-is-internal-error', 'send-inline-push-crashes');
