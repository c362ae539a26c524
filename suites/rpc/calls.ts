import {
  answered,
  anyTask,
  brief,
  type CallOptions,
  describe,
  early,
  ifReached,
  type Judgement,
  type Outcome,
  type Scene,
  sendQuick,
  source,
  type Task,
  Unproven,
  unproven,
} from '../../src/kit/index.js';
import { responsesIn } from './responses.js';

// Calls that several checks of this chapter make or judge. No rules: index.ts does not collect this file.

/** The cheapest valid request: a task that nobody made. It creates nothing and is refused by everyone. */
export const ask = (scene: Scene, options?: CallOptions): Promise<Outcome<Task>> =>
  scene.client.call('get', { id: scene.uuid() }, options);

/** The call that unusual ones are compared with. */
export const plainCall = source('a plain call', (scene) => ask(scene));

/** Of a task that is there; unreached on an agent that keeps none. */
export const knownCall = source('a read of a task', async (scene) => {
  const { id } = await scene.use(anyTask);
  return scene.client.call('get', { id });
});

const resultOf = source('an accepted call', async (scene): Promise<Outcome<unknown>> => {
  const known = await ifReached(scene.use(knownCall));
  return known?.kind === 'result' ? known : sendQuick(scene, scene.say());
});
/** The control of every malformed request: a well-formed one, sent once per run. */
export const wellFormed = (scene: Scene): Promise<Outcome<unknown>> => scene.use(resultOf);

/**
 * A call that shows itself when it is carried out: a read of a task that is there, or a message where the agent keeps
 * none. What has a wrong envelope, or names a wrong version, is asked so.
 */
export async function showing(scene: Scene, options: CallOptions): Promise<Outcome<unknown>> {
  const task = await ifReached(scene.use(anyTask));
  return task === undefined ? acting(scene, options) : scene.client.call('get', { id: task.id }, options);
}

/** A message: whoever looks past what is wrong with its envelope begins to work. A read where no message may be sent. */
export async function acting(scene: Scene, options: CallOptions): Promise<Outcome<unknown>> {
  const params = { message: scene.say(), configuration: early(scene) };
  const sent = await scene.client.call('send', params, options);
  return sent.kind === 'withheld' ? ask(scene, options) : sent;
}

/** The outcome that tells most: the first that breaks the expectation, else the first that leaves it open. */
export function telling<T extends Outcome<unknown>>(
  outcomes: readonly [T, ...T[]],
  judge: (outcome: T) => Judgement,
): T {
  const judged = outcomes.map((outcome) => ({ outcome, judgement: judge(outcome) }));
  const found =
    judged.find(({ judgement }) => typeof judgement === 'string') ??
    judged.find(({ judgement }) => judgement instanceof Unproven);
  return found?.outcome ?? outcomes[0];
}

/** For valid requests: as `answered`, but a slow agent is not a wrong one. */
export function answeredInTime(outcome: Outcome<unknown>): Judgement {
  if (outcome.kind === 'broken' && outcome.fault === 'timeout') return unproven('no answer in time; raise --timeout');
  return answered(outcome);
}

/** AMB03-18: no answer, one without an id and one with null are all clean. */
export function noneMadeUp(outcome: Outcome<unknown>): Judgement {
  if (outcome.kind === 'withheld') return unproven(outcome.reason);
  const id = responsesIn(outcome.exchange)[0]?.['id'] ?? null;
  return id === null ? undefined : `the response has the id ${brief(id)}, which nobody sent`;
}

/** The same kind of answer as to the plain call, with the same code. */
export function sameAs(plain: Outcome<unknown>, other: Outcome<unknown>): Judgement {
  if (answeredInTime(plain) !== undefined)
    return unproven(`the plain call was not answered either: ${describe(plain)}`);
  const open = answeredInTime(other);
  if (open !== undefined) return open;
  const code = (outcome: Outcome<unknown>) => (outcome.kind === 'refusal' ? outcome.code : undefined);
  if (plain.kind === other.kind && code(plain) === code(other)) return undefined;
  return `${describe(other)}; the plain call gave ${describe(plain)}`;
}
