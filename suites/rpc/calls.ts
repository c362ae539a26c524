import {
  answered,
  anyTask,
  brief,
  type CallOptions,
  describe,
  early,
  Inconclusive,
  ifMet,
  inconclusive,
  isSameError,
  type Judgement,
  type Outcome,
  type Scene,
  sendQuick,
  source,
  type Task,
} from '../../src/kit/index.js';
import { responsesIn } from './responses.js';

// Calls shared by checks of this chapter. No rules: index.ts does not collect this file.

/** The cheapest valid request: it reads a task that does not exist. It creates nothing, and every agent refuses it. */
export const ask = (scene: Scene, options?: CallOptions): Promise<Outcome<Task>> =>
  scene.client.call('get', { id: scene.uuid() }, options);

/** The plain call that unusual calls are compared with. */
export const plainCall = source('a plain call', (scene) => ask(scene));

/** Reads an existing task; unreached on an agent that keeps none. */
export const knownCall = source('a read of a task', async (scene) => {
  const { id } = await scene.use(anyTask);
  return scene.client.call('get', { id });
});

const resultOf = source('an accepted call', async (scene): Promise<Outcome<unknown>> => {
  const known = await ifMet(scene.use(knownCall));
  return known?.kind === 'result' ? known : sendQuick(scene, scene.say());
});
/** The control of every malformed request: a well-formed one, sent once per run. */
export const wellFormed = (scene: Scene): Promise<Outcome<unknown>> => scene.use(resultOf);

/**
 * A call whose result shows that it was carried out: it reads an existing task, or sends a message where the agent
 * keeps none. Used for requests with a wrong envelope or version.
 */
export async function showing(scene: Scene, options: CallOptions): Promise<Outcome<unknown>> {
  const task = await ifMet(scene.use(anyTask));
  return task === undefined ? acting(scene, options) : scene.client.call('get', { id: task.id }, options);
}

/**
 * A message: an agent that ignores the error in the envelope starts to work on it. Where messages are withheld, a read.
 */
export async function acting(scene: Scene, options: CallOptions): Promise<Outcome<unknown>> {
  const params = { message: scene.say(), configuration: early(scene) };
  const sent = await scene.client.call('send', params, options);
  return sent.kind === 'not-sent' ? ask(scene, options) : sent;
}

/** The first outcome that fails, else the first that is unproven, else the first. */
export function telling<T extends Outcome<unknown>>(
  outcomes: readonly [T, ...T[]],
  judge: (outcome: T) => Judgement,
): T {
  const judged = outcomes.map((outcome) => ({ outcome, judgement: judge(outcome) }));
  const found =
    judged.find(({ judgement }) => typeof judgement === 'string') ??
    judged.find(({ judgement }) => judgement instanceof Inconclusive);
  return found?.outcome ?? outcomes[0];
}

/** For valid requests: like `answered`, but a timeout is unproven. */
export function answeredInTime(outcome: Outcome<unknown>): Judgement {
  if (outcome.kind === 'invalid-response' && outcome.fault === 'timeout')
    return inconclusive('raise --timeout: no answer came in time');
  return answered(outcome);
}

/** AMB03-18: no answer, an answer without an id, and an answer with the id null are all clean. */
export function noneMadeUp(outcome: Outcome<unknown>): Judgement {
  if (outcome.kind === 'not-sent') return inconclusive(outcome.reason);
  const id = responsesIn(outcome.exchange)[0]?.['id'] ?? null;
  return id === null ? undefined : `the response has the id ${brief(id)}, which no request has`;
}

/** The same kind of outcome as for the plain call, with the same error code. */
export function sameAs(plain: Outcome<unknown>, other: Outcome<unknown>): Judgement {
  if (answeredInTime(plain) !== undefined)
    return inconclusive(`the agent did not answer the plain call either: ${describe(plain)}`);
  const open = answeredInTime(other);
  if (open !== undefined) return open;
  const isAlike = plain.kind === 'refusal' && other.kind === 'refusal' ? isSameError(plain, other) : true;
  if (plain.kind === other.kind && isAlike) return undefined;
  return `${describe(other)}; the answer to the plain call: ${describe(plain)}`;
}
