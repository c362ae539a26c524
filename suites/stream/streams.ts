import {
  type Artifact,
  aTaskWith,
  type CollectedStream,
  collectStream,
  describe,
  early,
  endedTask,
  ifMet,
  isEnd,
  isTerminal,
  lastState,
  type Message,
  messageAnswer,
  type Opened,
  type Outcome,
  openStream,
  outcomeOf,
  PreconditionUnmet,
  promptFor,
  promptTo,
  type Scene,
  type SendParams,
  type Source,
  sleep,
  source,
  type Task,
  untilTask,
} from '../../src/kit/index.js';
import { isGone } from '../task/answers.js';

// The streams that checks of this chapter judge: each is opened once for all of them. No rules: index.ts does not
// collect this file.

/** A message, its stream, and reads of its task. */
export interface StreamedMessage {
  /** The stream, or the answer that came instead. */
  readonly opened: Opened;
  readonly watched: CollectedStream | undefined;
  readonly taskId: string | undefined;
  /** The task read while the stream was open, and whether the stream had shown its end by then. */
  readonly early: { readonly outcome: Outcome<Task>; readonly wasOver: boolean } | undefined;
  /** The task read when the stream had ended. */
  readonly late: Outcome<Task> | undefined;
}

async function tell(scene: Scene, params: SendParams): Promise<StreamedMessage> {
  const opened = await openStream(scene, 'stream', params);
  if (opened.kind !== 'stream') {
    return { opened, watched: undefined, taskId: undefined, early: undefined, late: undefined };
  }
  const taskId = await untilTask(opened);
  const read = async () => (taskId === undefined ? undefined : scene.client.call('get', { id: taskId }));
  // The stream is read meanwhile.
  const watching = collectStream(scene, opened);
  const from = scene.clock.now();
  const reading = await read();
  // The end of the stream may still be in transit: waits as long as the read took.
  if (reading !== undefined && isGone(reading)) await sleep(scene.clock, scene.clock.now() - from);
  const wasOver = opened.seen.some(({ event }) => event !== undefined && isEnd(event));
  const watched = await watching;
  const early = reading && { outcome: reading, wasOver };
  return { opened, watched, taskId, early, late: await read() };
}

export const plain: Source<StreamedMessage> = source('a streamed message', (scene) =>
  tell(scene, { message: scene.say() }),
);

/**
 * A stream with a full configuration, for a prompt whose answer comes in chunks; where that is refused, for a plain
 * message.
 */
export const configured: Source<StreamedMessage> = source('a streamed message with a configuration', async (scene) => {
  const configuration = { ...early(scene), historyLength: 1 };
  const streamed = await tell(scene, { message: promptFor(scene, 'streamed-chunks'), configuration });
  // The agent may have refused the prompt and not the configuration.
  return streamed.opened.kind === 'refusal' ? tell(scene, { message: scene.say(), configuration }) : streamed;
});

/** The artifacts that the task finally shows. */
export const artifactsOf = ({ late }: StreamedMessage): readonly Artifact[] =>
  late?.kind === 'result' ? (late.value.artifacts ?? []) : [];

const brings = (watched: StreamedMessage | undefined): boolean =>
  watched !== undefined &&
  (artifactsOf(watched).length > 0 || (watched.watched?.events ?? []).some(({ type }) => type === 'artifact'));

/** A stream for a prompt that has made this agent produce artifacts before. */
export const giving: Source<StreamedMessage> = source('a stream of a task with artifacts', async (scene) => {
  for (const source of [plain, configured]) {
    const watched = await ifMet(scene.use(source));
    if (watched !== undefined && brings(watched)) return watched;
  }
  const goals = ['artifact-text', 'artifact-file', 'artifact-data', 'artifact-file-uri'] as const;
  for (const goal of goals) {
    if ((await ifMet(scene.use(aTaskWith(goal)))) === undefined) continue;
    const streamed = await tell(scene, { message: await promptTo(scene, goal) });
    if (brings(streamed)) return streamed;
  }
  // Where reads do not show artifacts, only a stream can.
  const streamed = await tell(scene, { message: promptFor(scene, 'artifact-text') });
  if (brings(streamed)) return streamed;
  throw new PreconditionUnmet('set behaviours.artifact-text: no prompt brought a task with artifacts');
});

/** The control for refused streams: a plain message is streamed. */
export const streamPlain = async (scene: Scene): Promise<Outcome<unknown>> =>
  outcomeOf((await scene.use(plain)).opened);

/** The stream that was read. Throws `PreconditionUnmet` when none came. */
export function watchedOf({ opened, watched }: StreamedMessage): CollectedStream {
  if (watched !== undefined) return watched;
  throw new PreconditionUnmet(
    opened.kind === 'stream'
      ? 'the kit did not read the stream'
      : `the agent answered without a stream: ${describe(opened)}`,
  );
}

/** A stream whose first event is a message, if the agent offers that. */
export const ofMessage: Source<CollectedStream> = source('a stream that answers with a message', async (scene) => {
  const streamed = await scene.use(plain);
  if (watchedOf(streamed).events[0]?.type === 'message') return watchedOf(streamed);
  // Sent without a stream first: if that brings no message either, a stream need not be opened.
  await scene.use(messageAnswer);
  const other = watchedOf(await tell(scene, { message: promptFor(scene, 'message') }));
  if (other.events[0]?.type === 'message') return other;
  throw new PreconditionUnmet('set behaviours.message: the agent streams no message');
});

/**
 * A stream may end where the task is interrupted (1.0 §11.7). The task may go on by itself when the user has signed in
 * elsewhere (§7.6.1); such a stream need not show later updates.
 */
export const isPaused = ({ events }: CollectedStream): boolean => lastState(events) === 'auth-required';

/** A task that has ended. */
export const overTask: Source<Task> = source('a task that has ended', async (scene) => {
  const { late } = await scene.use(plain);
  if (late?.kind === 'result' && late.value.id !== '' && isTerminal(late.value.status.state)) return late.value;
  return scene.use(endedTask);
});

export const sayTo = (scene: Scene, task: Pick<Task, 'id' | 'contextId'>): Message => ({
  ...scene.say(),
  taskId: task.id,
  ...(task.contextId === undefined ? {} : { contextId: task.contextId }),
});
