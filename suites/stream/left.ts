import {
  isSettled,
  isTerminal,
  lastState,
  type Outcome,
  openStream,
  promptFor,
  readSettled,
  type Scene,
  type Source,
  type StreamEvent,
  sendQuick,
  sleep,
  source,
  type Task,
  untilTask,
} from '../../src/kit/index.js';
import { isGone } from '../task/answers.js';
import { stateOf } from './endings.js';
import { several, underWay } from './open-tasks.js';

// Long tasks whose only stream was dropped, and which were then only read. No rules: index.ts does not collect this
// file.

/** A task without any listening client. */
export interface Left {
  /** The kind of its stream: "stream", "subscription". */
  readonly stream: string;
  readonly before: readonly StreamEvent[];
  /** The task when it had settled, or at the last read. */
  readonly after: Outcome<Task>;
  /** How long it was read, ms. */
  readonly forMs: number;
}

/** The same prompt, with a stream that was read to the end. */
export interface Kept {
  readonly tookMs: number;
  readonly after: Outcome<Task>;
  /** The task was readable at its end, and gone when the others were gone: this agent purges ended tasks. */
  readonly isPurged: boolean;
}

export interface Alone {
  /** Undefined where no stream reached the end of such a task. */
  readonly kept: Kept | undefined;
  readonly left: readonly Left[];
}

/** Work may take longer at times: only this many times the usual duration is late. */
export const lateFactor = 10;
/** The longest time to read a task, as a multiple of the patience. */
const longest = 4;

/** How long the same work took under a stream, ms, and how long it may take; known when that stream has ended. */
interface Usual {
  readonly usualMs: number;
  readonly ms: number;
}

/** Reads at once, again when the work has usually ended, and then until it has settled. */
async function read(scene: Scene, id: string, usual: Promise<Usual>): Promise<Pick<Left, 'after' | 'forMs'>> {
  const { clock, client } = scene;
  const from = clock.now();
  let after = await client.call('get', { id });
  const { usualMs, ms } = await usual;
  if (after.kind === 'result' && !isSettled(after.value.status.state)) {
    await sleep(clock, Math.max(0, from + Math.min(usualMs, ms) - clock.now()));
    after = await client.call('get', { id });
  }
  while (after.kind === 'result' && !isSettled(after.value.status.state) && clock.now() < from + ms) {
    after = await readSettled(scene, id, after);
  }
  return { after, forMs: clock.now() - from };
}

/** Streams a message that takes its time. */
const begin = (scene: Scene) => underWay(scene, 'long-running');

async function leftByStream(scene: Scene, usual: Promise<Usual>, begun = begin(scene)): Promise<Left> {
  const { stream, taskId } = await begun;
  stream.close();
  await stream.ended;
  const before = stream.seen.flatMap(({ event }) => event ?? []);
  return { stream: 'stream', before, ...(await read(scene, taskId, usual)) };
}

/** Undefined where the task is not at work, or no stream is opened. */
async function leftBySubscription(scene: Scene, usual: Promise<Usual>): Promise<Left | undefined> {
  const sent = await sendQuick(scene, promptFor(scene, 'long-running'));
  if (sent.kind !== 'result' || sent.value.type !== 'task') return undefined;
  const { task } = sent.value;
  if (isSettled(task.status.state)) return undefined;
  const opened = await openStream(scene, 'subscribe', { id: task.id });
  if (opened.kind !== 'stream') return undefined;
  await untilTask(opened);
  opened.close();
  await opened.ended;
  const before = opened.seen.flatMap(({ event }) => event ?? []);
  if (isTerminal(lastState(before) ?? 'unknown')) return undefined;
  return { stream: 'subscription', before, ...(await read(scene, task.id, usual)) };
}

/** Work may fail by chance: a task that failed counts where two more, left in the same way, fail as well. */
const tries = 3;

async function unlessByChance<T extends Left | undefined>(leave: () => Promise<T>, first = leave()): Promise<T> {
  let last = await first;
  for (let tried = 1; tried < tries && last !== undefined && stateOf(last.after) === 'failed'; tried++)
    last = (await leave()) ?? last;
  return last;
}

export const alone: Source<Alone> = source('a stream that was dropped', async (scene) => {
  const { patienceMs, client } = scene;
  // The tasks are left while the one with a listener goes on: together they take as long as one.
  const listened = scene.use(several).then(({ first, after }) => {
    const ended = isTerminal(lastState(first.events) ?? 'unknown') && after.kind === 'result' ? after : undefined;
    return { ended, tookMs: first.exchange.durationMs };
  });
  const usual = listened.then(({ ended, tookMs }): Usual => {
    const usualMs = ended === undefined ? 0 : tookMs;
    return { usualMs, ms: Math.min(longest * patienceMs, Math.max(patienceMs, lateFactor * usualMs)) };
  });
  usual.catch(() => undefined);
  const begun = begin(scene);
  const [{ ended, tookMs }, ...both] = await Promise.all([
    listened,
    unlessByChance(() => leftByStream(scene, usual), leftByStream(scene, usual, begun)),
    // The task of a subscription is begun without a stream: not where no stream opens.
    begun.then(() => unlessByChance(() => leftBySubscription(scene, usual))),
  ]);
  const left = both.flatMap((left) => left ?? []);
  if (ended === undefined) return { kept: undefined, left };
  const isPurged = left.some((left) => isGone(left.after)) && isGone(await client.call('get', { id: ended.value.id }));
  return { kept: { tookMs, after: ended, isPurged }, left };
});
