import {
  isTerminal,
  type LiveStream,
  type Outcome,
  readSettled,
  type Scene,
  type Task,
  type TaskState,
  type Watched,
  type Watching,
  watch,
} from '../../src/kit/index.js';

// How streams end, and what their tasks are then. No rules: index.ts does not collect this file.

/** How a task is read when a stream of it has ended. */
export interface Afterwards {
  /** Right then. */
  readonly atOnce: Outcome<Task>;
  /** When it had settled, or when the patience was over. */
  readonly after: Outcome<Task>;
}

export async function readEnd(scene: Scene, id: string): Promise<Afterwards> {
  const atOnce = await scene.client.call('get', { id });
  return { atOnce, after: await readSettled(scene, id, atOnce) };
}

/** A stream, and its task as it was read. */
export interface Ending extends Afterwards {
  readonly watched: Watched;
  /** While the stream was open, long before it was given up. Undefined where it had come to an end. */
  readonly halfway: Outcome<Task> | undefined;
}

/** Reads a stream to its end, and its task. */
export async function watchWithTask(scene: Scene, stream: LiveStream, id: string, how?: Watching): Promise<Ending> {
  let reading: Promise<Outcome<Task>> | undefined;
  const stop = scene.clock.after(scene.patienceMs / 2, () => {
    reading = scene.client.call('get', { id });
  });
  const watched = await watch(scene, stream, how);
  stop();
  const halfway = await reading;
  return { watched, halfway, ...(await readEnd(scene, id)) };
}

export const stateOf = (read: Outcome<Task> | undefined): TaskState | undefined =>
  read?.kind === 'result' ? read.value.status.state : undefined;
export const isOver = (read: Outcome<Task> | undefined): boolean => isTerminal(stateOf(read) ?? 'unknown');

/** The read that shows what a stream could have told by its end: what happens last may happen when nobody listens. */
export const known = ({ watched, halfway, atOnce }: Ending): Outcome<Task> | undefined =>
  watched.end === 'unfinished' ? halfway : atOnce;
