import { ifReached, isSettled, type Judgement, type Scene, seconds, unproven } from '../../src/kit/index.js';
import { lasting, type Told } from './sending.js';
import { silence } from './webhooks.js';

/** Nothing came: a failure only of an agent that is known to reach the kit (lessons 3). */
export async function missing(scene: Scene, what: string): Promise<Judgement> {
  const why = await scene.use(silence);
  return why === undefined ? `no notification came to ${what} within ${seconds(scene.patienceMs)}` : unproven(why);
}

/** Who was given the end of the task as the answer may think that it needs no notification. */
export async function toldAt(scene: Scene, { calls, first, config }: Told): Promise<Judgement> {
  if (calls.length > 0) return undefined;
  const judgement = await missing(scene, config.url);
  return isSettled(first.status.state) && typeof judgement === 'string'
    ? unproven(`the answer to the message told the end of the task already, and ${judgement}`)
    : judgement;
}

/** Where the answer told the end already: work that takes its time. Undefined where the agent has none. */
export async function lastingOf(scene: Scene, { first }: Told): Promise<Told | undefined> {
  return isSettled(first.status.state) ? ifReached(scene.use(lasting)) : undefined;
}

/** Whether the webhook of a message was told of anything. */
export async function toldInline(scene: Scene, told: Told): Promise<Judgement> {
  const longer = told.calls.length > 0 ? undefined : await lastingOf(scene, told);
  return toldAt(scene, longer ?? told);
}
