import {
  type CollectedStream,
  type CollectOptions,
  collectStream,
  type Exchange,
  isTerminal,
  type LiveStream,
  type Outcome,
  readSettled,
  type Scene,
  type Task,
  type TaskState,
} from '../../src/kit/index.js';

// How streams end, and the state of their tasks then. No rules: index.ts does not collect this file.

/** An answer that comes this shortly before the kit gives up a stream may have waited for that, ms. */
const apartMs = 200;

/** Reads of a task after a stream of it has ended. */
export interface Afterwards {
  /** Read at once. */
  readonly atOnce: Outcome<Task>;
  /** Read when it had settled, or when the patience was over. */
  readonly after: Outcome<Task>;
}

export async function readEnd(scene: Scene, id: string): Promise<Afterwards> {
  const atOnce = await scene.client.call('get', { id });
  return { atOnce, after: await readSettled(scene, id, atOnce) };
}

/** A stream, and reads of its task. */
export interface Ending extends Afterwards {
  readonly watched: CollectedStream;
  /** Read while the stream was open, halfway through the patience; undefined where the stream ended before. */
  readonly halfway: Outcome<Task> | undefined;
}

/** Reads a stream to its end, and its task halfway through the patience. */
export async function watch(
  scene: Scene,
  stream: LiveStream,
  id: string,
  how?: CollectOptions,
): Promise<Pick<Ending, 'watched' | 'halfway'>> {
  let reading: Promise<Outcome<Task>> | undefined;
  const stop = scene.clock.after(scene.patienceMs / 2, () => {
    reading = scene.client.call('get', { id });
  });
  const watched = await collectStream(scene, stream, how);
  stop();
  return { watched, halfway: await reading };
}

/** Reads a stream to its end, and then its task. */
export const watchWithTask = async (...given: Parameters<typeof watch>): Promise<Ending> => {
  const [scene, , id] = given;
  return { ...(await watch(...given)), ...(await readEnd(scene, id)) };
};

export const stateOf = (read: Outcome<Task> | undefined): TaskState | undefined =>
  read?.kind === 'result' ? read.value.status.state : undefined;
export const isOver = (read: Outcome<Task> | undefined): boolean => isTerminal(stateOf(read) ?? 'unknown');

/** A read that was answered before the kit gave up the stream beside it: an agent with one worker answers later. */
export const readDuring = (stream: Exchange, read: Outcome<Task> | undefined): Outcome<Task> | undefined =>
  read?.kind === 'result' && endOf(read.exchange) + apartMs < endOf(stream) ? read : undefined;
const endOf = ({ startedAt, durationMs }: Exchange): number => startedAt + durationMs;

/**
 * The read that shows what the stream could have brought before its end: later changes may come after the kit stopped
 * listening.
 */
export const known = ({ watched, halfway, atOnce }: Ending): Outcome<Task> | undefined =>
  watched.end === 'unfinished' ? readDuring(watched.exchange, halfway) : atOnce;
