import {
  isSettled,
  isTerminal,
  type Message,
  type Outcome,
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
  Unreached,
} from '../../src/kit/index.js';
import { isGone } from './answers.js';

// Work that takes its time and ends by itself, begun once and left alone: how long it takes, and what is known of it
// meanwhile. No rules: index.ts does not collect this file.

/** In the words of the user, who may have some for work without a progress to tell only; else by the known prefix. */
export const longPrompt = (scene: Scene) => {
  const { behaviours } = scene;
  const isWorking = behaviours['long-running'] === undefined && behaviours.working !== undefined;
  return promptFor(scene, isWorking ? 'working' : 'long-running');
};

/** A listing that was asked for while the send was not yet answered. */
interface Look {
  readonly outcome: Outcome<TaskPage>;
  /** Since the send, when it was answered. */
  readonly atMs: number;
  readonly tookMs: number;
}

export interface Read {
  readonly outcome: Outcome<Task>;
  /** Since the send, when it was answered. */
  readonly atMs: number;
}

export interface LeftAlone {
  readonly message: Message;
  /** To the send, which was told not to wait. */
  readonly outcome: Outcome<SendReply>;
  readonly answeredMs: number;
  readonly looks: readonly Look[];
  /** The task, from the answer until it had settled. */
  readonly reads: readonly Read[];
  /** A listing of its context, asked for after the first reading. */
  readonly listed: Outcome<TaskPage> | undefined;
  /** From sending until the task was seen to have settled; undefined when it was not. */
  readonly lastedMs: number | undefined;
}

/** For as long as an answer does not come, and ever more seldom. */
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

/** The task of an answer that shows it open, under an id that can be sent back. */
function openIn(outcome: Outcome<SendReply>): Task | undefined {
  const task = outcome.kind === 'result' && outcome.value.type === 'task' ? outcome.value.task : undefined;
  return task === undefined || task.id === '' || isSettled(task.status.state) ? undefined : task;
}

/** How long work may go on that was said to be over, ms: as long as it takes where it is left alone, and this. */
const pauseMs = 1000;

/** What was there and is gone has ended and was purged (1.0 §3.3.2), unless it soon comes back. */
function isOver(reads: readonly Read[]): boolean {
  const last = reads.at(-1);
  if (last === undefined) return false;
  if (last.outcome.kind === 'result') return isSettled(last.outcome.value.status.state);
  if (!isGone(last.outcome)) return true;
  const found = reads.findLastIndex(({ outcome }) => outcome.kind === 'result');
  const lost = reads[found + 1] ?? last;
  return found >= 0 && last.atMs - lost.atMs >= 2 * pauseMs;
}

export const leftAlone = source('work that takes its time', async (scene): Promise<LeftAlone> => {
  const { client, clock, patienceMs } = scene;
  const from = clock.now();
  const passed = () => clock.now() - from;
  const message = longPrompt(scene);
  const sent = sendQuick(scene, message);
  const looks = await lookMeanwhile(scene, sent, from);
  const outcome = await sent;
  const answeredMs = passed();
  const task = openIn(outcome);
  const reads: Read[] = [];
  if (task === undefined) {
    const isDone = outcome.kind === 'result' && outcome.value.type === 'task';
    return { message, outcome, answeredMs, looks, reads, listed: undefined, lastedMs: isDone ? answeredMs : undefined };
  }
  const { id, contextId } = task;
  let listed: Outcome<TaskPage> | undefined;
  for (let pause = 50; ; pause = Math.min(pause * 2, 2000)) {
    reads.push({ outcome: await client.call('get', { id }), atMs: passed() });
    if (isOver(reads) || passed() >= patienceMs) break;
    if (contextId) listed ??= await client.call('list', { contextId });
    await sleep(clock, Math.min(pause, Math.max(1, patienceMs - passed())));
  }
  const last = reads.at(-1);
  const isSeen = last?.outcome.kind === 'result' && isSettled(last.outcome.value.status.state);
  return { message, outcome, answeredMs, looks, reads, listed, lastedMs: isSeen ? last.atMs : undefined };
});

/** Long enough for work that was begun by now to have come to its end, within the patience of the run. */
export const workMs = async (scene: Scene): Promise<number> =>
  Math.min(scene.patienceMs, ((await scene.use(leftAlone)).lastedMs ?? 0) + pauseMs);

/** The same work once more, canceled as soon as it is under way, and the task when the work would have been done. */
export interface CutShort {
  readonly task: Task;
  readonly outcome: Outcome<Task>;
  /** Read right after the answer. */
  readonly after: Outcome<Task>;
  /** When it was seen canceled, at the latest; undefined where it was not. */
  readonly canceled: Result<Task> | undefined;
  /** Read when the work would have been done; undefined where it was not canceled. */
  readonly later: Outcome<Task> | undefined;
  /** From canceling to that reading. */
  readonly watchedMs: number;
  /** How long the work takes where it is left alone. */
  readonly lastedMs: number | undefined;
}

const asCanceled = (outcome: Outcome<Task>): Result<Task> | undefined =>
  outcome.kind === 'result' && outcome.value.status.state === 'canceled' ? outcome : undefined;

export const cutShort = source('work that takes its time', async (scene): Promise<CutShort> => {
  const { client, clock } = scene;
  const { outcome: first, lastedMs } = await scene.use(leftAlone);
  if (openIn(first) === undefined) throw new Unreached('no task was seen at work; set behaviours.long-running');
  const task = openIn(await sendQuick(scene, longPrompt(scene)));
  if (task === undefined) throw new Unreached('no task was seen at work a second time; set behaviours.long-running');
  const { id } = task;
  const read = () => client.call('get', { id });
  const from = clock.now();
  const outcome = await client.call('cancel', { id });
  const after = await read();
  let canceled = asCanceled(after) ?? asCanceled(outcome);
  // AMB03-25: the work may be stopped after the answer.
  if (canceled === undefined && outcome.kind === 'result' && !isTerminal(outcome.value.status.state)) {
    canceled = asCanceled(await readSettled(scene, id, after));
  }
  if (canceled === undefined) {
    return { task, outcome, after, canceled, later: undefined, watchedMs: 0, lastedMs };
  }
  await sleep(clock, Math.max(pauseMs, (await workMs(scene)) - (clock.now() - from)));
  return { task, outcome, after, canceled, later: await read(), watchedMs: clock.now() - from, lastedMs };
});
