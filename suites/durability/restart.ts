import {
  aTask,
  aTaskWith,
  check,
  describe,
  endedTask,
  type Judgement,
  type Outcome,
  type Scene,
  type Task,
  Unreached,
} from '../../src/kit/index.js';
import { difference } from '../task/kept.js';

// OpenClaw design, Design Decisions 1: tasks survive a restart. The protocol itself promises nothing of it; whoever gives
// --restart-command wants to know.

interface Kept {
  readonly before: Task;
  readonly after: Outcome<Task>;
}

/** Finished tasks of several kinds, each once, as they are read just before the restart. */
async function finishedTasks(scene: Scene): Promise<readonly Task[]> {
  const found = new Map<string, Task>();
  for (const source of [
    endedTask,
    aTask('completed'),
    aTaskWith('artifact-text'),
    aTask('failed'),
    aTask('canceled'),
  ]) {
    try {
      const { id } = await scene.use(source);
      const read = found.has(id) ? undefined : await scene.client.call('get', { id });
      if (read?.kind === 'result') found.set(id, read.value);
    } catch (error) {
      if (!(error instanceof Unreached)) throw error;
    }
  }
  if (found.size === 0) throw new Unreached('no task was seen to end; set behaviours.completed in the configuration');
  return [...found.values()];
}

export const finishedKept = check('durability/finished-tasks-kept', 'get.survives-restart')
  .alone()
  .when('the agent is restarted', async (scene): Promise<readonly Kept[]> => {
    const { client, restart } = scene;
    if (restart === undefined) {
      throw new Unreached('the kit cannot restart the agent; say how with --restart-command');
    }
    const before = await finishedTasks(scene);
    await restart();
    const kept: Kept[] = [];
    for (const task of before) kept.push({ before: task, after: await client.call('get', { id: task.id }) });
    return kept;
  })
  .expects('still have the tasks that had ended', (kept): Judgement => {
    const lost = kept.filter(({ after }) => after.kind !== 'result');
    const [first] = lost;
    return first && `${lost.length} of ${kept.length} are gone: ${first.before.id}: ${describe(first.after)}`;
  })
  .expects('show them with the same status and artifacts', (kept): Judgement => {
    const changes = kept.map(({ before, after }) =>
      after.kind === 'result' ? difference(before, after.value) : undefined,
    );
    const at = changes.findIndex((one) => one !== undefined);
    return at < 0 ? undefined : `of the task ${kept[at]?.before.id}, ${changes[at]}`;
  })
  .advice('Keep tasks where a restart leaves them: a file, a database. Write an end down before you report it.')
  .killedBy('restart-loses-tasks', 'restart-loses-artifacts', 'restart-fails-tasks', 'restart-loses-context');
