import {
  aTask,
  describe,
  type EndState,
  type Inconclusive,
  ifMet,
  inconclusive,
  isTerminal,
  type Outcome,
  openTask,
  PreconditionUnmet,
  type Scene,
  sleep,
  source,
  type Task,
} from '../../src/kit/index.js';
import type { CutShort } from './at-work.js';
import { finishedCanceled } from './finished.js';

/** Pause before a canceled task is read again, ms. */
const pauseMs = 1000;
/** How long a task that the answer shows open is read, ms: the agent may stop the work after its answer (AMB03-25). */
const stoppingMs = 3000;

export interface Canceling extends Pick<CutShort, 'task' | 'outcome' | 'after' | 'later'> {
  readonly again: Outcome<Task> | undefined;
}

/**
 * One open task: canceled, read, canceled again, and read again after a pause. Where the answer shows it open, it is
 * read until it has ended.
 */
export const canceling = source('an open task', async (scene): Promise<Canceling> => {
  const task = await scene.use(openTask);
  if (task.id === '') throw new PreconditionUnmet('the task came without an id that the client can send back');
  const read = () => scene.client.call('get', { id: task.id });
  const outcome = await scene.client.call('cancel', { id: task.id });
  let after = await read();
  const isOpen = () =>
    [outcome, after].every((outcome) => outcome.kind === 'result' && !isTerminal(outcome.value.status.state));
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

/** An ended task in this state for checks that only read it, where the agent reaches one. */
export async function endedIn(scene: Scene, state: EndState): Promise<Task | undefined> {
  if (state !== 'canceled') return ifMet(scene.use(aTask(state)));
  const seen = (await ifMet(scene.use(canceling)))?.later;
  return seen?.kind === 'result' && seen.value.status.state === 'canceled' ? seen.value : undefined;
}

/** Cancels a task id that does not exist. */
export const cancelingUnknown = source('an unknown task id', (scene) =>
  scene.client.call('cancel', { id: scene.uuid() }),
);

/**
 * Cancels an existing task: a finished one if there is one, since that changes nothing. An agent that keeps no tasks
 * has the method as well, and answers TaskNotFound. UnsupportedOperation may be about this task alone (0.3 §7.4, 1.0
 * §3.1.5: "at its current stage"): then the cancel of an open task counts, and at last that of an id that does not
 * exist.
 */
export const cancelingKnown = source('a task', async (scene): Promise<Outcome<Task>> => {
  const done = (await ifMet(scene.use(finishedCanceled)))?.outcome;
  if (done !== undefined && !isUnsupported(done)) return done;
  const open = (await ifMet(scene.use(canceling)))?.outcome;
  return open === undefined || isUnsupported(open) ? scene.use(cancelingUnknown) : open;
});

const isUnsupported = (outcome: Outcome<unknown>): boolean =>
  outcome.kind === 'refusal' && outcome.error === 'UnsupportedOperation';

/** The control for refusals: an agent that never cancels shows nothing by refusing. */
export const cancelOpen = async (scene: Scene): Promise<Outcome<Task>> => (await scene.use(canceling)).outcome;

/** An agent may refuse to cancel (0.3 §7.4), and success is not guaranteed (AMB03-25, AMB10-67). */
export function notCanceled(outcome: Outcome<Task>): Inconclusive {
  if (outcome.kind !== 'result' || isTerminal(outcome.value.status.state))
    return inconclusive(
      `set behaviours.working to work that the agent cancels: the agent refused to cancel the task, which it may: ${describe(outcome)}`,
    );
  const { state } = outcome.value.status;
  return inconclusive(
    `the agent accepted the cancel, and no read showed the task canceled: the answer shows it ${state}`,
    'uncanceled',
  );
}
