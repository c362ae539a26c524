import {
  accepted,
  brief,
  check,
  describe,
  inconclusive,
  isSettled,
  type Judgement,
  PreconditionUnmet,
  plural,
  sendForTask,
  sendQuick,
  settle,
  settleAfter,
  source,
  stands,
} from '../../src/kit/index.js';
import { taskNamed } from './calls.js';
import { blocking, come, guarded, hooks, inline, several, streamed, type WebhookTask } from './sending.js';
import { lastingOf, missing, toldInline } from './silence.js';
import { setWith } from './stored.js';
import { asking, demandCalls, goOn, registered } from './webhooks.js';

// A2A 0.3 §9.5 and topics/streaming-and-async; 1.0 §3.1.7, §3.1.10, §3.2.2, §4.3.3.

const configured =
  'See whether the agent could reach the webhook: the exchanges show what came to it, and what the kit answered.';

// In our words (1.0, 4.3.3 Push Notification Payload): The agent attempts delivery at least once per configured
//   webhook.
export const notifies = check('push/notified', 'push.notified')
  .given('hooked', registered)
  .when('a task with webhooks changes', async ({ hooked }) => hooked)
  .expects('notify each webhook', async (hooked, scene) => {
    if (hooked.still !== undefined) return inconclusive(hooked.still);
    for (const { config, set, calls } of [hooked.first, hooked.second]) {
      if (set.kind !== 'result') return inconclusive(`the agent did not accept a second webhook: ${describe(set)}`);
      if (calls.length === 0) return missing(scene, config.url);
    }
    return undefined;
  })
  .advice(configured);

/** A task with a webhook that answers 503 and one that works, while another task of its context ends. */
const neighbours = source('a task with two webhooks, one of which answers 503', async (scene) => {
  await demandCalls(scene);
  const webhook = hooks(scene);
  const before = await asking(scene);
  webhook.answer('broken', { status: 503 });
  const broken = await setWith(scene, before.id, { id: scene.uuid(), url: webhook.url('broken') });
  const { sent, set } = await setWith(scene, before.id, { id: scene.uuid(), url: webhook.url('beside-broken') });
  if (broken.set.kind !== 'result') throw guarded(broken.set);
  if (set.kind !== 'result')
    throw new PreconditionUnmet(`the agent accepted one config of the task, and no second one: ${describe(set)}`);
  const { contextId } = before;
  const reply = await sendForTask(scene, () =>
    sendQuick(scene, { ...scene.say(), ...(contextId === undefined ? {} : { contextId }) }),
  );
  const other = reply.kind === 'result' && reply.value.type === 'task' ? reply.value.task : undefined;
  if (other !== undefined) await settle(scene, other);
  const task = await settleAfter(scene, before, await goOn(scene, before));
  const [failed, calls] = await Promise.all([
    come(scene, 'broken', 'any'),
    come(scene, 'beside-broken', task.status.state),
  ]);
  return { before, other, task, url: sent.url, failed, calls };
});

// In our words (1.0, 4.3.3 Push Notification Payload): The agent attempts delivery at least once per configured
//   webhook.
export const besideFailing = check('push/beside-failing', 'push.notified')
  .given('hooked', neighbours)
  .when('one of two webhooks of a task answers 503', async ({ hooked }) => hooked)
  .expects('notify the other one', async ({ before, task, url, failed, calls }, scene): Promise<Judgement> => {
    if (calls.length > 0) return undefined;
    if (failed.length === 0) return inconclusive('see push/notified: the agent called neither webhook of the task');
    return stands(before, task)
      ? inconclusive(
          `set behaviours.input-required to a prompt whose task goes on after an answer: the task stayed ${task.status.state}`,
        )
      : missing(scene, url);
  })
  .advice('Catch what a webhook answers for each webhook: one that fails must not end the loop over the others.');

// In our words (1.0, 3.1.7 Create Push Notification Config): A webhook is notified of the task of its configuration.
export const ofItsTask = check('push/own-task', 'push.of-its-task')
  .given('hooked', neighbours)
  .when('another task in the context of a task with a webhook ends', async ({ hooked }) => hooked)
  .expects('notify the webhook of its own task only', ({ before, other, calls, failed }): Judgement => {
    if (other === undefined || other.id === before.id || other.contextId !== before.contextId)
      return inconclusive(
        'set behaviours.completed: a second message with this contextId did not become another task of that context',
      );
    const all = [...failed, ...calls];
    if (all.length === 0) return inconclusive('see push/notified: the agent called neither webhook of the task');
    const strayed = all.some((call) => taskNamed(call) === other.id);
    return strayed ? `the webhook of the task ${before.id} was notified of the task ${other.id}` : undefined;
  })
  .advice('Look up the webhooks by the id of the task, not by its context.');

// In our words (1.0, 3.2.2 SendMessageConfiguration): An inline taskPushNotificationConfig registers a webhook for the
//   created task.
export const inlineListed = check('push/inline', 'send.inline-push')
  .given('webhookTask', inline)
  .when('the client lists the configs of a message with a webhook', async ({ webhookTask }) => webhookTask.listed)
  .expects('list the webhook of the message', async (listed, scene) => {
    const judgement = amongThem(listed, scene.webhookTask);
    if (judgement === undefined) return undefined;
    const longer = await lastingOf(scene, scene.webhookTask);
    return longer === undefined ? judgement : amongThem(longer.listed, longer);
  })
  .advice('Store the config of a message with the task, by the code of the method, before the work begins.');

function amongThem(listed: WebhookTask['listed'], { config, first, isOver }: WebhookTask): Judgement {
  if (listed?.kind !== 'result')
    return inconclusive(
      `the agent did not list its configs: ${listed === undefined ? 'the agent did not answer the message' : describe(listed)}`,
    );
  const urls = listed.value.map(({ config }) => config.url);
  if (urls.includes(config.url)) return undefined;
  const wasOver = isSettled(first.status.state) || isOver;
  return wasOver
    ? inconclusive('set behaviours.working to longer work: the task ended, and the agent need not keep its config')
    : `the agent lists the webhooks ${brief(urls)}`;
}

// In our words (1.0, 3.2.2 SendMessageConfiguration): A config given inline in SendMessage is notified.
export const inlineNotified = check('push/inline-notified', 'push.inline-notified')
  .given('webhookTask', inline)
  .when('the task of a message with a webhook changes', async ({ webhookTask }) => webhookTask)
  .expects('notify its webhook', (webhookTask, scene) => toldInline(scene, webhookTask))
  .advice(configured);

// 1.0 §3.1.2: a streamed message has the same configuration as any other (0.3 §7.2).
// In our words (1.0, 3.2.2 SendMessageConfiguration): A config given inline in SendMessage is notified.
export const streamNotified = check('push/inline-streamed-notified', 'push.inline-notified')
  .given('webhookTask', streamed)
  .when('the task of a streamed message with a webhook changes', async ({ webhookTask }) => webhookTask)
  .expects('notify its webhook', async ({ calls, config }, scene) =>
    calls.length > 0 ? undefined : missing(scene, `${config.url} of a message that was streamed`),
  )
  .advice(configured);

// In our words (1.0, 3.2.2 SendMessageConfiguration): Push works the same whether or not returnImmediately is set.
export const anyBlocking = check('push/any-blocking', 'push.any-blocking')
  .given('waiting', blocking)
  .given('webhookTask', inline)
  .when('a message with a webhook waits for the end or does not', async ({ waiting }) => waiting)
  .expects('notify the webhook each time', async ({ calls, config }, scene) => {
    const other = await toldInline(scene, scene.webhookTask);
    if (other !== undefined) return other;
    return calls.length > 0 ? undefined : missing(scene, `${config.url} of a message that waits`);
  })
  .advice(
    'Store the webhook of a message before the work begins, whether the client waits or not: short work may end before the answer goes out.',
  );

// In our words (1.0, 4.3.3 Push Notification Payload): The agent attempts delivery at least once for each webhook that
//   came with a message, also where the answer tells the end of the task.
export const eachAttempted = check('push/inline-each-notified', 'push.inline-attempted')
  .given('sent', several)
  .when(
    'the tasks of messages with webhooks end',
    async ({ sent }) => sent.find(({ calls }) => calls.length === 0) ?? sent[0],
  )
  .expects('notify each of their webhooks', async (_, scene): Promise<Judgement> => {
    const missed = scene.sent.filter(({ calls }) => calls.length === 0);
    const [first] = missed;
    if (first === undefined) return undefined;
    return missing(scene, `${missed.length} of ${plural(scene.sent.length, 'webhook')}, such as ${first.config.url}`);
  })
  .advice('Store the webhook of a message before its work begins: a task that ends at once is notified too.');

/** In one spelling: an agent may write a space as + or as %20. */
const queryOf = (url: string): string => new URL(url).searchParams.toString();

// In our words (1.0, 4.3.3 Push Notification Payload): The agent attempts delivery at least once per configured
//   webhook.
export const queryKept = check('push/query-kept', 'push.notified')
  .given('sent', several)
  .when('a webhook has a query in its URL', async ({ sent }) => sent.find(({ config }) => queryOf(config.url) !== ''))
  .expects('call it with the query', (webhookTask): Judgement => {
    if (webhookTask === undefined || webhookTask.calls.length === 0)
      return inconclusive('see push/inline-each-notified: the agent did not call a webhook with a query');
    const sent = queryOf(webhookTask.config.url);
    const other = webhookTask.calls.map(({ request }) => queryOf(request.url)).find((query) => query !== sent);
    return other === undefined
      ? undefined
      : `the query of the webhook is ${sent}, and the agent called it with ${other || 'none'}`;
  })
  .advice('Call the URL as it was given: clients put into the query which task and which user a call is for.');

// In our words (1.0, 3.1.7 Create Push Notification Config): The config persists until the task ends or it is deleted.
export const persists = check('push/config-persists', 'push.config-persists')
  .given('hooked', registered)
  .when('the client reads the config of an open task', async ({ hooked }) => hooked.read)
  .expects('return it', (read, { hooked: { isOver } }) =>
    isOver && read.kind !== 'result'
      ? inconclusive(
          `set behaviours.working to longer work: the task ended, and the agent need not keep its config: ${describe(read)}`,
        )
      : accepted(read),
  )
  .advice('Keep configs with the task, while it is open: a cache with a time limit forgets them.');

// In our words (1.0, 3.1.10 Delete Push Notification Config): No notification is sent to a deleted config.
export const deletedSilent = check('push/deleted-silent', 'push.deleted-silent')
  .given('hooked', registered)
  .when('the client deletes one of several webhooks, and the task continues', async ({ hooked }) => hooked)
  .expects('notify only the others', ({ still, removed, first, second }) => {
    if (still !== undefined) return inconclusive(still);
    if (removed.set.kind !== 'result')
      return inconclusive(`the agent did not accept the config: ${describe(removed.set)}`);
    if (removed.outcome.kind !== 'result')
      return inconclusive(`the agent did not delete the config: ${describe(removed.outcome)}`);
    if (removed.calls.length > 0)
      return `${plural(removed.calls.length, 'notification')} came to the webhook that was deleted`;
    return first.calls.length + second.calls.length > 0
      ? undefined
      : inconclusive('the agent did not notify the other webhooks either');
  })
  .advice(
    'Read the configs when a notification goes out, not when the task is made: a copy still has what was deleted.',
  );
