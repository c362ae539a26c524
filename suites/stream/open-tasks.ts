import {
  answerTo,
  aTask,
  type CollectedStream,
  collectStream,
  describe,
  type Goal,
  graceMs,
  ifMet,
  isSettled,
  isTerminal,
  type LiveStream,
  lastState,
  type Opened,
  type Outcome,
  openStream,
  outcomeOf,
  PreconditionUnmet,
  promptFor,
  type Scene,
  type Source,
  type StreamEvent,
  sendQuick,
  sleep,
  source,
  stateIn,
  type Task,
  untilTask,
} from '../../src/kit/index.js';
import { type Afterwards, type Ending, readEnd, watch, watchWithTask } from './endings.js';

// Long tasks and their streams: each is created once for all checks. No rules: index.ts does not collect this file.

/** A stream that has begun, of a task that is still at work. Throws `PreconditionUnmet` otherwise. */
export async function underWay(scene: Scene, goal: Goal): Promise<{ stream: LiveStream; taskId: string }> {
  const opened = await openStream(scene, 'stream', { message: promptFor(scene, goal) });
  if (opened.kind !== 'stream') throw new PreconditionUnmet(`the agent answered without a stream: ${describe(opened)}`);
  const taskId = await untilTask(opened);
  const state = lastState(opened.seen.flatMap(({ event }) => event ?? []));
  if (taskId !== undefined && (state === undefined || !isSettled(state))) return { stream: opened, taskId };
  opened.close();
  await opened.ended;
  const seen = taskId === undefined ? 'it named no task' : `the task was ${state} at once`;
  throw new PreconditionUnmet(`set behaviours.${goal}: no stream of a task at work came: ${seen}`);
}

/** A long task whose stream was dropped, and to which the client then subscribed. */
export interface Dropped extends Afterwards {
  readonly taskId: string;
  readonly before: readonly StreamEvent[];
  readonly opened: Opened;
  readonly watched: CollectedStream | undefined;
  /** The task after half of the patience; undefined where the stream ended before. */
  readonly halfway: Outcome<Task> | undefined;
}
export const dropped: Source<Dropped> = source('a stream that was dropped', async (scene) => {
  const { stream, taskId } = await underWay(scene, 'long-running');
  stream.close();
  await stream.ended;
  const before = stream.seen.flatMap(({ event }) => event ?? []);
  let opened = await openStream(scene, 'subscribe', { id: taskId });
  if (opened.kind === 'refusal' && opened.error !== 'MethodNotFound') {
    // An agent may allow only one stream per task, and may notice late that the old one is closed.
    await sleep(scene.clock, 300);
    opened = await openStream(scene, 'subscribe', { id: taskId });
  }
  const ending =
    opened.kind === 'stream'
      ? await watchWithTask(scene, opened, taskId)
      : { watched: undefined, halfway: undefined, ...(await readEnd(scene, taskId)) };
  return { taskId, before, opened, ...ending };
});

/** One task with several streams. Times are those of the kit's clock. */
export interface Several {
  /** The stream of the message itself. */
  readonly first: CollectedStream;
  /** A subscription that is read as it comes; undefined where the agent did not open it. */
  readonly second: CollectedStream | undefined;
  /** A subscription that is not read until the first stream has ended. */
  readonly slow: CollectedStream | undefined;
  readonly joinedAt: number;
  /** Another subscription was opened, and closed at once. */
  readonly closedOne: boolean;
  /**
   * After the first artifact: the task as read, and the first event of a new subscription; undefined without artifacts.
   */
  readonly late: { readonly read: Outcome<Task>; readonly began: Outcome<StreamEvent | undefined> } | undefined;
  readonly after: Outcome<Task>;
}
export const several: Source<Several> = source('a task with several streams', async (scene) => {
  const { stream, taskId } = await underWay(scene, 'long-running');
  let joining: ReturnType<typeof joinLate> | undefined;
  const onUpdate = (latest: StreamEvent | undefined): void => {
    if (latest?.type === 'artifact') joining ??= joinLate(scene, taskId);
  };
  const read = (opened: Opened) => (opened.kind === 'stream' ? collectStream(scene, opened) : undefined);
  // The streams are read at once: the times of events are only known while a stream is read.
  const reading = collectStream(scene, stream, { onUpdate });
  const joined = openStream(scene, 'subscribe', { id: taskId });
  const readingToo = joined.then(read);
  const [slow, other] = await Promise.all([
    openStream(scene, 'subscribe', { id: taskId }, { slowly: true }),
    openStream(scene, 'subscribe', { id: taskId }),
    joined,
  ]);
  const joinedAt = scene.clock.now();
  await outcomeOf(other);
  const [first, second] = await Promise.all([reading, readingToo]);
  const last = await read(slow);
  const late = await joining;
  const { after } = await readEnd(scene, taskId);
  return { first, second, slow: last, joinedAt, closedOne: other.kind === 'stream', late, after };
});

async function joinLate(scene: Scene, id: string): Promise<NonNullable<Several['late']>> {
  const read = await scene.client.call('get', { id });
  return { read, began: await outcomeOf(await openStream(scene, 'subscribe', { id })) };
}

/** A task that was canceled while its stream was open. */
export interface Canceled {
  readonly watched: CollectedStream;
  readonly graceMs: number;
}
export const canceled: Source<Canceled> = source('a task that is streamed', async (scene) => {
  const { stream, taskId } = await underWay(scene, 'working');
  const outcome = await scene.client.call('cancel', { id: taskId });
  const state = outcome.kind === 'result' ? outcome.value.status.state : undefined;
  if (state !== undefined && (state === 'canceled' || !isTerminal(state))) {
    const watched = await collectStream(scene, stream);
    // AMB03-25: the agent may answer before it stops the work; then the stream or a read shows the result.
    const isCanceled = state === 'canceled' || watched.events.some((event) => stateIn(event) === 'canceled');
    const now = isCanceled ? undefined : await scene.client.call('get', { id: taskId });
    const isNow = now?.kind === 'result' && now.value.status.state === 'canceled';
    if (isCanceled || isNow) return { watched, graceMs: graceMs(scene) };
  }
  stream.close();
  await stream.ended;
  throw new PreconditionUnmet(`the agent did not cancel the task: ${describe(outcome)}`);
});

/** Tasks that wait for the client, each with a subscription. */
export interface WaitingSubscribed {
  /** The subscription that was refused; else the first. */
  readonly outcome: Outcome<StreamEvent | undefined>;
  /**
   * The subscription of the task that asked, read while the client answered the task by another call; undefined where the
   * agent did not open it, or did not accept the answer.
   */
  readonly answered: Answered | undefined;
}

/** The stream of a task that the client answered by another call. */
export interface Answered extends Pick<Ending, 'watched' | 'halfway'> {
  readonly id: string;
}
export const waitingSubscribed = source(
  'tasks that wait for input and for a sign-in',
  async (scene): Promise<WaitingSubscribed> => {
    const subscribe = (task: Task) => openStream(scene, 'subscribe', { id: task.id });
    const signIn = await ifMet(scene.use(aTask('auth-required')));
    const first = await ifMet(scene.use(aTask('input-required')));
    const asked = first ?? (signIn === undefined ? await scene.use(aTask('input-required')) : undefined);
    const opened = asked && (await subscribe(asked));
    const answered = asked && opened?.kind === 'stream' ? await answerBeside(scene, opened, asked) : undefined;
    const found: Outcome<StreamEvent | undefined>[] = [];
    if (opened !== undefined) found.push(await outcomeOf(opened));
    if (signIn !== undefined) found.push(await outcomeOf(await subscribe(signIn)));
    const [outcome] = found;
    if (outcome === undefined)
      throw new PreconditionUnmet('set behaviours.input-required: no task waits for the client');
    return { outcome: found.find(({ kind }) => kind === 'refusal') ?? outcome, answered };
  },
);

/** Answers the task while its stream is read. */
async function answerBeside(scene: Scene, stream: LiveStream, task: Task): Promise<Answered | undefined> {
  const watching = watch(scene, stream, task.id, { wasWaiting: true });
  const outcome = await sendQuick(scene, answerTo(scene, task));
  if (outcome.kind !== 'result') stream.close();
  const ending = await watching;
  return outcome.kind === 'result' ? { id: task.id, ...ending } : undefined;
}
