import {
  aTask,
  aTaskWith,
  brief,
  check,
  describe,
  endedTask,
  ifMet,
  inconclusive,
  type Judgement,
  type Outcome,
  PreconditionUnmet,
  type Scene,
  sendQuick,
  settle,
  sleep,
  type Task,
} from '../../src/kit/index.js';
import { difference } from '../shared/kept.js';
import { isGone } from '../task/answers.js';

// OpenClaw design, Design Decisions 1: tasks survive a restart. The protocol itself does not promise this; it is
// checked when the user gives --restart-command.

interface Kept {
  readonly before: Task;
  readonly after: Outcome<Task>;
}

/** Finished tasks of several kinds, each once, read just before the restart. */
async function finishedTasks(scene: Scene): Promise<readonly Task[]> {
  const tasks = new Map<string, Task>();
  for (const source of [
    endedTask,
    aTask('completed'),
    aTaskWith('artifact-text'),
    aTask('failed'),
    aTask('canceled'),
  ]) {
    const task = await ifMet(scene.use(source));
    if (task === undefined || tasks.has(task.id)) continue;
    const read = await scene.client.call('get', { id: task.id });
    if (read.kind === 'result') tasks.set(task.id, read.value);
  }
  if (tasks.size === 0) throw new PreconditionUnmet('set behaviours.completed: no task ended');
  return [...tasks.values()];
}

/** Whether a new task is gone `ms` after its end: an agent may purge ended tasks (1.0 §3.3.2). */
async function goesWithin(scene: Scene, ms: number): Promise<boolean> {
  const sent = await sendQuick(scene, scene.say());
  if (sent.kind !== 'result' || sent.value.type !== 'task') return false;
  const { id } = await settle(scene, sent.value.task);
  await sleep(scene.clock, ms);
  return isGone(await scene.client.call('get', { id }));
}

// In our words (1.0, 3.1.3 Get Task): Finished tasks outlive a restart of the agent; the text does not ask for it, a
//   user who gives --restart-command does.
export const finishedKept = check('durability/finished-tasks-kept', 'get.survives-restart')
  .alone()
  .when('the agent restarts', async (scene) => {
    const { client, restart } = scene;
    if (restart === undefined) {
      throw new PreconditionUnmet('give --restart-command: the kit cannot restart the agent');
    }
    const before = await finishedTasks(scene);
    const from = scene.clock.now();
    await restart();
    const kept: Kept[] = [];
    for (const task of before) kept.push({ before: task, after: await client.call('get', { id: task.id }) });
    const isPurged = kept.some(({ after }) => isGone(after)) && (await goesWithin(scene, scene.clock.now() - from));
    return { kept, isPurged };
  })
  .expects('keep the ended tasks', ({ kept, isPurged }): Judgement => {
    const lost = kept.filter(({ after }) => after.kind !== 'result');
    const [first] = lost;
    if (first !== undefined && isPurged) return inconclusive('the agent forgets ended tasks as soon without a restart');
    return (
      first && `${lost.length} of ${kept.length} are gone: the task ${brief(first.before.id)}: ${describe(first.after)}`
    );
  })
  .expects('their status and artifacts', ({ kept }): Judgement => {
    const changes = kept.map(({ before, after }) =>
      after.kind === 'result' ? difference(before, after.value) : undefined,
    );
    const at = changes.findIndex((change) => change !== undefined);
    return at < 0 ? undefined : `of the task ${kept[at]?.before.id}, ${changes[at]}`;
  })
  .advice('Keep tasks where a restart leaves them: a file, a database. Write an end down before you report it.');
