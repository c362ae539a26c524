import {
  isSettled,
  isTerminal,
  type Message,
  type Outcome,
  PreconditionUnmet,
  promptFor,
  type Result,
  readSettled,
  type Scene,
  type SendReply,
  sendQuick,
  sleep,
  source,
  type Task,
  type TaskPage,
} from '../../src/kit/index.js';
import { isGone } from './answers.js';

// Long work that ends by itself, started once and left alone: its duration, and what reads and listings show meanwhile.
// No rules: index.ts does not collect this file.

/** The user's prompt for long work; else the user's prompt for work without progress; else the default prefix. */
export const longPrompt = (scene: Scene) => {
  const { behaviours } = scene;
  const isWorking = behaviours['long-running'] === undefined && behaviours.working !== undefined;
  return promptFor(scene, isWorking ? 'working' : 'long-running');
};

/** A listing that was requested before the send was answered. */
interface Look {
  readonly outcome: Outcome<TaskPage>;
  /** When it was answered, ms since the send. */
  readonly atMs: number;
  readonly tookMs: number;
}

export interface Read {
  readonly outcome: Outcome<Task>;
  /** When it was answered, ms since the send. */
  readonly atMs: number;
}

interface Begun {
  readonly message: Message;
  /** The answer to the send, which asked not to wait. */
  readonly outcome: Outcome<SendReply>;
  readonly answeredMs: number;
  readonly looks: readonly Look[];
}

export interface LeftAlone extends Begun {
  /** Reads of the task, from the answer until it had settled. */
  readonly reads: readonly Read[];
  /** A listing of the task's context, requested after the first read. */
  readonly listed: Outcome<TaskPage> | undefined;
  /** From the send until the task was seen to have settled, ms; undefined when it was not. */
  readonly lastedMs: number | undefined;
}

/** Lists tasks until the answer comes, at growing intervals. */
async function lookMeanwhile(scene: Scene, answer: Promise<unknown>, from: number): Promise<readonly Look[]> {
  const { client, clock, patienceMs } = scene;
  const looks: Look[] = [];
  if (client.dialect.operations.list === undefined) return looks;
  let isOver = false;
  const over = answer.finally(() => {
    isOver = true;
  });
  for (let pause = 100; clock.now() - from < patienceMs; pause *= 2) {
    await Promise.race([over, sleep(clock, pause)]);
    if (isOver) break;
    const asked = clock.now();
    const outcome = await client.call('list', { pageSize: 20 });
    if (isOver) break;
    looks.push({ outcome, atMs: clock.now() - from, tookMs: clock.now() - asked });
    if (outcome.kind !== 'result') break;
  }
  return looks;
}

/** The task of an answer, if it is open and has an id. */
function openIn(outcome: Outcome<SendReply>): Task | undefined {
  const task = outcome.kind === 'result' && outcome.value.type === 'task' ? outcome.value.task : undefined;
  return task === undefined || task.id === '' || isSettled(task.status.state) ? undefined : task;
}

/** Added to the duration of work that is left alone, ms: canceled work may go on for so long. */
const pauseMs = 1000;

/** How long a task may be gone and still be at work, ms. */
const longestGapMs = 3 * pauseMs;

/** A task that was readable and is gone has ended and was purged (1.0 §3.3.2), unless it soon comes back. */
function isOver(reads: readonly Read[]): boolean {
  const last = reads.at(-1);
  if (last === undefined) return false;
  if (last.outcome.kind === 'result') return isSettled(last.outcome.value.status.state);
  if (!isGone(last.outcome)) return true;
  const found = reads.findLastIndex(({ outcome }) => outcome.kind === 'result');
  const lost = reads[found + 1] ?? last;
  return found >= 0 && last.atMs - lost.atMs >= longestGapMs;
}

const begun = source('work that takes its time', async (scene): Promise<Begun & { readonly from: number }> => {
  const from = scene.clock.now();
  const message = longPrompt(scene);
  const sent = sendQuick(scene, message);
  const looks = await lookMeanwhile(scene, sent, from);
  const outcome = await sent;
  return { message, outcome, answeredMs: scene.clock.now() - from, looks, from };
});

export const leftAlone = source('work that takes its time', async (scene): Promise<LeftAlone> => {
  const { client, clock, patienceMs } = scene;
  const { from, ...work } = await scene.use(begun);
  const passed = () => clock.now() - from;
  const { outcome, answeredMs } = work;
  const task = openIn(outcome);
  const reads: Read[] = [];
  if (task === undefined) {
    const isDone = outcome.kind === 'result' && outcome.value.type === 'task';
    return { ...work, reads, listed: undefined, lastedMs: isDone ? answeredMs : undefined };
  }
  const { id, contextId } = task;
  let listed: Outcome<TaskPage> | undefined;
  for (let pause = 50; ; pause = Math.min(pause * 1.5, 500)) {
    reads.push({ outcome: await client.call('get', { id }), atMs: passed() });
    if (isOver(reads) || passed() >= patienceMs) break;
    if (contextId) listed ??= await client.call('list', { contextId });
    await sleep(clock, Math.min(pause, Math.max(1, patienceMs - passed())));
  }
  const last = reads.at(-1);
  const isSeen = last?.outcome.kind === 'result' && isSettled(last.outcome.value.status.state);
  return { ...work, reads, listed, lastedMs: isSeen ? last.atMs : undefined };
});

/** Time after which work that was started by now should have ended, ms; at most the patience. */
export const workMs = async (scene: Scene): Promise<number> =>
  Math.min(scene.patienceMs, ((await scene.use(leftAlone)).lastedMs ?? 0) + pauseMs);

/** The work of `leftAlone`, sent once more and canceled at once, and its task when the work would have ended. */
export interface CutShort {
  readonly task: Task;
  readonly outcome: Outcome<Task>;
  /** Read right after the answer. */
  readonly after: Outcome<Task>;
  /** The latest answer that showed the task canceled; undefined where none did. */
  readonly canceled: Result<Task> | undefined;
  /** Read when the work would have been done; undefined where it was not canceled. */
  readonly later: Outcome<Task> | undefined;
  /** From the cancel to that read, ms. */
  readonly watchedMs: number;
  /** How long the work takes when it is left alone, ms. */
  readonly lastedMs: number | undefined;
}

const asCanceled = (outcome: Outcome<Task>): Result<Task> | undefined =>
  outcome.kind === 'result' && outcome.value.status.state === 'canceled' ? outcome : undefined;

export const cutShort = source('work that takes its time', async (scene): Promise<CutShort> => {
  const { client, clock } = scene;
  // The first work goes on meanwhile: how long it takes is needed at the end only.
  const whole = scene.use(leftAlone);
  whole.catch(() => undefined);
  const { outcome: first } = await scene.use(begun);
  if (openIn(first) === undefined) throw new PreconditionUnmet('set behaviours.long-running: no task was at work');
  const task = openIn(await sendQuick(scene, longPrompt(scene)));
  if (task === undefined) throw new PreconditionUnmet('set behaviours.long-running: no second task was at work');
  const { id } = task;
  const read = () => client.call('get', { id });
  const from = clock.now();
  const outcome = await client.call('cancel', { id });
  const after = await read();
  let canceled = asCanceled(after) ?? asCanceled(outcome);
  // AMB03-25: the agent may stop the work after its answer.
  if (canceled === undefined && outcome.kind === 'result' && !isTerminal(outcome.value.status.state)) {
    canceled = asCanceled(await readSettled(scene, id, after));
  }
  if (canceled === undefined) {
    return { task, outcome, after, canceled, later: undefined, watchedMs: 0, lastedMs: (await whole).lastedMs };
  }
  const { lastedMs } = await whole;
  await sleep(clock, Math.max(pauseMs, await workMs(scene)) - (clock.now() - from));
  return { task, outcome, after, canceled, later: await read(), watchedMs: clock.now() - from, lastedMs };
});
