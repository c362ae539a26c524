import {
  describe,
  ifReached,
  isTerminal,
  type Outcome,
  openTask,
  type Scene,
  sleep,
  source,
  type Task,
  Unreached,
} from '../../src/kit/index.js';
import type { CutShort } from './at-work.js';
import { finishedCanceled } from './finished.js';

/** How long a canceled task is left alone before it is looked at again, ms. */
const pauseMs = 1000;
/** How long a task that is answered open is watched for its end, ms: work may be stopped after the answer (AMB03-25). */
const stoppingMs = 3000;

export interface Canceling extends Pick<CutShort, 'task' | 'outcome' | 'after' | 'later'> {
  readonly again: Outcome<Task> | undefined;
}

/**
 * One open task, canceled, read, canceled again and read again after a pause; what came of each. Where the answer shows
 * it open, it is read until it has ended.
 */
export const canceling = source('an open task', async (scene): Promise<Canceling> => {
  const task = await scene.use(openTask);
  if (task.id === '') throw new Unreached('the task came without an id that could be sent back');
  const read = () => scene.client.call('get', { id: task.id });
  const outcome = await scene.client.call('cancel', { id: task.id });
  let after = await read();
  const isOpen = () => [outcome, after].every((one) => one.kind === 'result' && !isTerminal(one.value.status.state));
  const until = scene.clock.now() + Math.min(stoppingMs, scene.patienceMs);
  for (let pause = 50; isOpen() && scene.clock.now() < until; pause = Math.min(pause * 2, 500)) {
    await sleep(scene.clock, pause);
    after = await read();
  }
  const isCanceled = stateOf(outcome) === 'canceled' || stateOf(after) === 'canceled';
  if (!isCanceled) return { task, outcome, after, again: undefined, later: undefined };
  const again = await scene.client.call('cancel', { id: task.id });
  await sleep(scene.clock, pauseMs);
  return { task, outcome, after, again, later: await read() };
});

export const stateOf = (outcome: Outcome<Task>) => (outcome.kind === 'result' ? outcome.value.status.state : undefined);

/** A task id that nobody was given, and what came of canceling it. */
export const cancelingUnknown = source('a task id that nobody was given', (scene) =>
  scene.client.call('cancel', { id: scene.uuid() }),
);

/**
 * What came of canceling a task that is there: a finished one where there is one, for that changes nothing. Who keeps no
 * task has the method as well, and finds nothing. That it is unsupported may be said of one task alone (0.3 §7.4, 1.0
 * §3.1.5: "at its current stage"): then what came of another one counts, and of one that does not exist, which has no
 * stage.
 */
export const cancelingKnown = source('a task', async (scene): Promise<Outcome<Task>> => {
  const done = (await ifReached(scene.use(finishedCanceled)))?.outcome;
  if (done !== undefined && !isUnsupported(done)) return done;
  const open = (await ifReached(scene.use(canceling)))?.outcome;
  return open === undefined || isUnsupported(open) ? scene.use(cancelingUnknown) : open;
});

const isUnsupported = (outcome: Outcome<unknown>): boolean =>
  outcome.kind === 'refusal' && outcome.error === 'UnsupportedOperation';

/** The control of refusals: an agent that never cancels shows nothing by refusing. */
export const cancelOpen = async (scene: Scene): Promise<Outcome<Task>> => (await scene.use(canceling)).outcome;

/** A refusal of the agent is its good right (0.3 §7.4); why nothing else came is a matter of the other checks. */
export const notCanceled = (outcome: Outcome<Task>): string =>
  `the agent did not cancel the task, which it may refuse: ${describe(outcome)}`;
