import {
  anyTask,
  describe,
  endedTask,
  firstAnswer,
  ifMet,
  isTerminal,
  modes,
  type Outcome,
  ownTask,
  PreconditionUnmet,
  type Scene,
  type Source,
  sendQuick,
  source,
  type Task,
} from '../../src/kit/index.js';
import { sendPlain } from '../message/sends.js';
import { isGone } from './answers.js';

// Requests about one finished task that several checks judge, in this order: read, read again, cancel, cancel with
// metadata. Each source starts when the one before has ended, so that a wrongly changed task is not
// taken for a wrong read.

const readableId = (task: Task): Task => {
  if (task.id === '') throw new PreconditionUnmet('the task came without an id that the client can send back');
  return task;
};

/** Finished in the answer to a send, if the agent offers that; else in a read. */
export const finished: Source<Task> = source('a task that has ended', async (scene) => {
  const first = await scene.use(firstAnswer);
  if (first.type === 'task' && isTerminal(first.task.status.state)) return readableId(first.task);
  if (first.type === 'task') {
    const outcome = await scene.client.call('send', {
      message: scene.say(),
      configuration: { ...modes(scene), blocking: true },
    });
    const reply = outcome.kind === 'result' ? outcome.value : undefined;
    if (reply?.type === 'task' && isTerminal(reply.task.status.state)) return readableId(reply.task);
  }
  return readableId(await scene.use(endedTask));
});

const read = (scene: Scene, task: Task): Promise<Outcome<Task>> => scene.client.call('get', { id: task.id });

/**
 * The task of the first answer, read when it had time to settle. Its id is that of the first answer, since a read may
 * name another one.
 */
export const knownRead = source('a task', async (scene) => {
  const settled = await scene.use(anyTask);
  const first = await scene.use(firstAnswer);
  const task = readableId(first.type === 'task' ? { ...settled, id: first.task.id } : settled);
  const outcome = await read(scene, task);
  return isGone(outcome) ? readAtOnce(scene, { task, outcome }) : { task, outcome };
});

/** Attempts. Network delays only add to a duration, so one of several attempts should be close to the real one. */
const times = 3;

interface Reading {
  readonly task: Task;
  readonly outcome: Outcome<Task>;
}

/** A missing task may have ended and been purged (1.0 §3.3.2): reads new tasks at once, until one is found. */
async function readAtOnce(scene: Scene, gone: Reading): Promise<Reading> {
  const { clock } = scene;
  let last: Reading | undefined;
  let longestMs = 0;
  let readMs = Number.POSITIVE_INFINITY;
  for (let time = 0; time < times; time++) {
    const from = clock.now();
    const sent = await sendQuick(scene, scene.say());
    // The agent takes no further message. `endedBy` must know all the same how long the work takes.
    if (sent.kind !== 'result' || sent.value.type !== 'task') break;
    const task = readableId(sent.value.task);
    const asked = clock.now();
    last = { task, outcome: await read(scene, task) };
    if (!isGone(last.outcome) || isTerminal(task.status.state)) return last;
    longestMs = Math.max(longestMs, clock.now() - from);
    readMs = Math.min(readMs, clock.now() - asked);
  }
  if (last === undefined && isTerminal(gone.task.status.state)) return gone;
  if (last === undefined)
    throw new PreconditionUnmet(
      'set behaviours.working to longer work: the agent no longer has a task that may have ended, and no other began',
    );
  return { ...last, task: (await endedBy(scene, longestMs + readMs)) ?? last.task };
}

/**
 * Sends the same work and waits for it. Returns the ended task if that took at most `ms`: then the missing tasks may
 * have ended as well.
 */
async function endedBy(scene: Scene, ms: number): Promise<Task | undefined> {
  for (let time = 0; time < times; time++) {
    const from = scene.clock.now();
    const waited = { message: scene.say(), configuration: { ...modes(scene), blocking: true } };
    const outcome = await scene.client.call('send', waited);
    const isSlow = outcome.kind === 'invalid-response' && outcome.fault === 'timeout';
    if (outcome.kind !== 'result' && !isSlow) {
      throw new PreconditionUnmet(
        `the agent purges tasks at once, so the length of the work is unknown: ${describe(outcome)}`,
      );
    }
    const task = outcome.kind === 'result' && outcome.value.type === 'task' ? outcome.value.task : undefined;
    if (task === undefined || !isTerminal(task.status.state)) return undefined;
    if (scene.clock.now() - from <= ms) return task;
  }
  return undefined;
}

/** The control for refused ids: reads an existing task; where the agent keeps none, sends a plain message. */
export const readKnown = async (scene: Scene): Promise<Outcome<unknown>> =>
  (await ifMet(scene.use(knownRead)))?.outcome ?? sendPlain(scene);

export const finishedRead = source(finished.about, async (scene) => {
  const task = await scene.use(finished);
  return { task, outcome: await read(scene, task) };
});

export const finishedReadAgain = source(finished.about, async (scene) => {
  const before = await scene.use(finishedRead);
  return { ...before, again: await read(scene, before.task) };
});

/** A finished task, its cancel, and a read afterwards. */
export interface Canceled {
  readonly task: Task;
  readonly outcome: Outcome<Task>;
  readonly after: Outcome<Task>;
}

export const finishedCanceled: Source<Canceled> = source(
  'a task that has completed, failed or been rejected',
  async (scene) => {
    const { task } = await scene.use(finishedReadAgain);
    if (task.status.state === 'canceled') {
      throw new PreconditionUnmet('set behaviours.completed: the only ended task is a canceled one');
    }
    const outcome = await scene.client.call('cancel', { id: task.id });
    return { task, outcome, after: await read(scene, task) };
  },
);

/** Cancels a new task that ended in this state; undefined where the agent does not offer that. */
async function canceledIn(scene: Scene, state: 'failed' | 'rejected'): Promise<Canceled | undefined> {
  const task = await ifMet(scene.use(ownTask(state)));
  if (task === undefined || task.id === '') return undefined;
  const outcome = await scene.client.call('cancel', { id: task.id });
  return { task, outcome, after: await read(scene, task) };
}

/** The finished task, and one task in each other terminal state that the agent offers, each canceled. */
export const eachCanceled = source(
  finishedCanceled.about,
  async (scene): Promise<readonly [Canceled, ...Canceled[]]> => {
    const [first, ...others] = await scene.sideBySide(
      () => scene.use(finishedCanceled),
      () => canceledIn(scene, 'failed'),
      () => canceledIn(scene, 'rejected'),
    );
    return [first, ...others.flatMap((canceled) => canceled ?? [])];
  },
);

export const finishedCanceledWithMetadata = source(finishedCanceled.about, async (scene) => {
  const plain = await scene.use(finishedCanceled);
  const params = { id: plain.task.id, metadata: { kit: 1 } };
  return { plain: plain.outcome, outcome: await scene.client.call('cancel', params) };
});
