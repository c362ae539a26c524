import { isSettled, type Judgement, type Scene, unproven } from '../../src/kit/index.js';
import type { Told } from './sending.js';
import { silence } from './webhooks.js';

/** Nothing came: a failure only of an agent that is known to reach the kit (lessons 3). */
export async function missing(scene: Scene, what: string): Promise<Judgement> {
  const why = await scene.use(silence);
  return why === undefined ? `no notification came to ${what}` : unproven(why);
}

/** Who was given the end of the task as the answer may think that it needs no notification. */
export async function toldAt(scene: Scene, { calls, first, config }: Told): Promise<Judgement> {
  if (calls.length > 0) return undefined;
  const judgement = await missing(scene, config.url);
  return isSettled(first.status.state) && typeof judgement === 'string'
    ? unproven(`the answer to the message told the end of the task already, and ${judgement}`)
    : judgement;
}
