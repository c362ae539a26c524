import { ifMet, inconclusive, isSettled, type Judgement, type Scene, seconds } from '../../src/kit/index.js';
import { lasting, type WebhookTask } from './sending.js';
import { silence } from './webhooks.js';

/** Judges that no notification came: a failure only if the agent is known to reach the kit (lessons 3). */
export async function missing(scene: Scene, what: string): Promise<Judgement> {
  const why = await scene.use(silence);
  return why === undefined ? `no notification came to ${what} within ${seconds(scene.patienceMs)}` : inconclusive(why);
}

/** An agent whose answer already showed the end of the task may think that no notification is needed. */
export async function toldAt(scene: Scene, { calls, first, config }: WebhookTask): Promise<Judgement> {
  if (calls.length > 0) return undefined;
  const judgement = await missing(scene, config.url);
  return isSettled(first.status.state) && typeof judgement === 'string'
    ? inconclusive(
        `set behaviours.long-running: the answer to the message already showed the end of the task, and ${judgement}`,
      )
    : judgement;
}

/**
 * Long-running work, where the answer already showed the end; undefined otherwise, or where the agent has no such work.
 */
export async function lastingOf(scene: Scene, { first }: WebhookTask): Promise<WebhookTask | undefined> {
  return isSettled(first.status.state) ? ifMet(scene.use(lasting)) : undefined;
}

/** Judges whether any notification came to the webhook of a message. */
export async function toldInline(scene: Scene, webhookTask: WebhookTask): Promise<Judgement> {
  const longer = webhookTask.calls.length > 0 ? undefined : await lastingOf(scene, webhookTask);
  return toldAt(scene, longer ?? webhookTask);
}
