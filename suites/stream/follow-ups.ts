import {
  aTask,
  type CollectedStream,
  collectStream,
  type Message,
  type Opened,
  type Outcome,
  openStream,
  readSettled,
  type Scene,
  type Source,
  source,
  type Task,
} from '../../src/kit/index.js';
import type { Afterwards } from './endings.js';
import { sayTo } from './streams.js';

// Streamed messages to existing tasks. No rules: index.ts does not collect this file.

/** A message to an open task, and the stream that answered it. */
export interface FollowUp extends Afterwards {
  /** The task before the message. */
  readonly task: Task;
  readonly message: Message;
  readonly opened: Opened;
  readonly watched: CollectedStream | undefined;
  /** The call about the task while the stream was open; undefined where the stream ended before. */
  readonly halfway: Outcome<Task> | undefined;
}

async function follow(
  scene: Scene,
  task: Task,
  message: Message,
  meanwhile: () => Promise<Outcome<Task>>,
  afterMs: number,
): Promise<FollowUp> {
  let asking: Promise<Outcome<Task>> | undefined;
  const ask = () => {
    asking ??= meanwhile();
  };
  // A stream without events may not even send its response headers.
  const stop = scene.clock.after(scene.patienceMs / 2, ask);
  const opened = await openStream(scene, 'stream', { message });
  const isLong = scene.clock.after(afterMs, ask);
  const watched = opened.kind === 'stream' ? await collectStream(scene, opened, { wasWaiting: true }) : undefined;
  stop();
  isLong();
  const halfway = await asking;
  // A task that took no message goes on as before: its end is not waited for.
  const atOnce = await scene.client.call('get', { id: task.id });
  const after = opened.kind === 'refusal' ? atOnce : await readSettled(scene, task.id, atOnce);
  return { task, message, opened, watched, halfway, atOnce, after };
}

/** The task is read after half of the patience. `named`: what the message names. */
const answer = (named: (task: Task) => Pick<Task, 'id' | 'contextId'>): Source<FollowUp> =>
  source('a task that asks for input', async (scene) => {
    const task = await scene.use(aTask('input-required'));
    const read = () => scene.client.call('get', { id: task.id });
    return follow(scene, task, sayTo(scene, named(task)), read, scene.patienceMs);
  });
export const answered = answer((task) => task);
export const answeredByTaskAlone = answer(({ id }) => ({ id }));

/** The task is canceled as soon as the stream has begun, or after half of the patience. */
export const interrupted: Source<FollowUp> = source('a task at work', async (scene) => {
  const task = await scene.use(aTask('working'));
  const cancel = () => scene.client.call('cancel', { id: task.id });
  return follow(scene, task, sayTo(scene, task), cancel, 0);
});
