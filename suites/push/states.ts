import {
  brief,
  check,
  describe,
  ifMet,
  inconclusive,
  type Judgement,
  PreconditionUnmet,
  plural,
  promptTo,
  type Scene,
  seconds,
  source,
  type Task,
  type TaskState,
} from '../../src/kit/index.js';
import { tells, tellsAnyState } from './calls.js';
import { inline, sendWith, several, type WebhookTask, webhookTaskByChance } from './sending.js';
import { toldAt } from './silence.js';
import { listConfigs } from './stored.js';
import { demandCalls } from './webhooks.js';

// A2A 0.3 topics/streaming-and-async, 1.0 §3.1.7: states in which a task waits for the client, or has ended.

interface Reached {
  readonly state: TaskState;
  readonly webhookTask: WebhookTask;
}

function reaching(state: 'completed' | 'failed' | 'rejected' | 'input-required' | 'auth-required') {
  return source('a task with a webhook', async (scene): Promise<Reached> => {
    const plain = await scene.use(inline);
    await demandCalls(scene);
    if (plain.task.status.state === state) return { state, webhookTask: plain };
    try {
      // An agent under load notifies late: all of the patience, before it is said that it does not.
      const sending = { message: await promptTo(scene, state), moreMs: scene.patienceMs };
      const webhookTask = await sendWith(scene, `becomes-${state}`, sending);
      return { state, webhookTask: settled(webhookTask, state) };
    } catch (error) {
      if (!(error instanceof PreconditionUnmet)) throw error;
      // Each of these may have become such a task.
      await ifMet(scene.use(several));
      const other = webhookTaskByChance(scene, state);
      if (other === undefined) throw error;
      return { state, webhookTask: other };
    }
  });
}

const canceled = source('a task with a webhook', async (scene): Promise<Reached> => {
  await demandCalls(scene);
  const webhookTask = await sendWith(scene, 'becomes-canceled', {
    message: await promptTo(scene, 'working'),
    moreMs: scene.patienceMs,
    meanwhile: (task: Task) => scene.client.call('cancel', { id: task.id }),
  });
  return { state: 'canceled', webhookTask: settled(webhookTask, 'canceled') };
});

function settled(webhookTask: WebhookTask, state: TaskState): WebhookTask {
  const { status } = webhookTask.task;
  if (status.state !== state) throw new PreconditionUnmet(`set behaviours.${state}: the task became ${status.state}`);
  return webhookTask;
}

async function notifiedOfState({ state, webhookTask }: Reached, scene: Scene): Promise<Judgement> {
  const nothing = await toldAt(scene, webhookTask);
  if (nothing !== undefined) return nothing;
  const { calls, first } = webhookTask;
  if (calls.some((call) => tells(call, state))) return undefined;
  if (!calls.some(tellsAnyState)) return inconclusive('the notifications name no state');
  return first.status.state === state
    ? inconclusive(`set behaviours.long-running: the answer to the message was already ${state}`)
    : `${plural(calls.length, 'notification')} came, and within ${seconds(scene.patienceMs)} of the first none says ${brief(state)}`;
}

// In our words (1.0, 3.1.7 Create Push Notification Config): When task updates occur, the agent sends POST requests to
//   the webhook: each final and each waiting state is one.
export const completedTold = check('push/notified-completed', 'push.notified-state')
  .given('reached', reaching('completed'))
  .when('a task with a webhook completes', async ({ reached }) => reached)
  .expects('notify the webhook of it', notifiedOfState)
  .advice('Notify from the one place in which states change, and for the last state too.');

// In our words (1.0, 3.1.7 Create Push Notification Config): When task updates occur, the agent sends POST requests to
//   the webhook: each final and each waiting state is one.
export const failedTold = check('push/notified-failed', 'push.notified-state')
  .given('reached', reaching('failed'))
  .when('a task with a webhook fails', async ({ reached }) => reached)
  .expects('notify the webhook of it', notifiedOfState)
  .advice('Notify from the one place in which states change: errors often take another way through the code.');

// In our words (1.0, 3.1.7 Create Push Notification Config): When task updates occur, the agent sends POST requests to
//   the webhook: each final and each waiting state is one.
export const rejectedTold = check('push/notified-rejected', 'push.notified-state')
  .given('reached', reaching('rejected'))
  .when('the agent rejects a task with a webhook', async ({ reached }) => reached)
  .expects('notify the webhook of it', notifiedOfState)
  .advice('Notify from the one place in which states change: rejections often take another way through the code.');

// In our words (1.0, 3.1.7 Create Push Notification Config): When task updates occur, the agent sends POST requests to
//   the webhook: each final and each waiting state is one.
export const canceledTold = check('push/notified-canceled', 'push.notified-state')
  .given('reached', canceled)
  .when('a task with a webhook is canceled', async ({ reached }) => reached)
  .expects('notify the webhook of it', notifiedOfState)
  .advice('Notify from the one place in which states change, so that a cancel triggers a notification as well.');

const asked = reaching('input-required');

// In our words (1.0, 3.1.7 Create Push Notification Config): When task updates occur, the agent sends POST requests to
//   the webhook: each final and each waiting state is one.
export const inputTold = check('push/notified-input-required', 'push.notified-state')
  .given('reached', asked)
  .when('a task with a webhook becomes input-required', async ({ reached }) => reached)
  .expects('notify the webhook of it', notifiedOfState)
  .advice('Notify webhooks when the task begins to wait, too: the client learns only so that it is asked.');

// In our words (1.0, 3.1.7 Create Push Notification Config): When task updates occur, the agent sends POST requests to
//   the webhook: each final and each waiting state is one.
export const signInTold = check('push/notified-auth-required', 'push.notified-state')
  .given('reached', reaching('auth-required'))
  .when('a task with a webhook becomes auth-required', async ({ reached }) => reached)
  .expects('notify the webhook of it', notifiedOfState)
  .advice('Notify webhooks when the task begins to wait, too: the client learns only so that it is asked.');

// In our words (1.0, 3.1.7 Create Push Notification Config): The config persists until the task ends or it is deleted.
export const waitingKept = check('push/config-kept-waiting', 'push.config-persists')
  .given('reached', asked)
  .when('a task with a webhook waits for input', (scene) => listConfigs(scene, scene.reached.webhookTask.task.id))
  .expects('list its config', async (listed, { client, reached }): Promise<Judgement> => {
    const { task, config: sent } = reached.webhookTask;
    if (listed.kind !== 'result') return inconclusive(`the agent did not list its configs: ${describe(listed)}`);
    const urls = listed.value.map(({ config }) => config.url);
    if (urls.includes(sent.url)) return undefined;
    const now = await client.call('get', { id: task.id });
    return now.kind === 'result' && now.value.status.state === task.status.state
      ? `the task is ${task.status.state}, and the agent lists the webhooks ${brief(urls)}`
      : inconclusive(`the task ${task.id} no longer waits`);
  })
  .advice('Forget the configs of a task when it ends, not when it asks: the client waits for what follows.');
