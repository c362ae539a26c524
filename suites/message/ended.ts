import {
  early,
  firstOf,
  fresh,
  type Outcome,
  ownTask,
  type SendReply,
  type Source,
  source,
  type Task,
} from '../../src/kit/index.js';
import { sayTo } from './sends.js';

// Messages to ended tasks. No rules: index.ts does not collect this file.

type Ended = 'completed' | 'failed' | 'rejected' | 'canceled';

export interface Knock {
  readonly task: Task;
  readonly outcome: Outcome<SendReply>;
  readonly after: Outcome<Task>;
}

/** Sends a message to an ended task, and reads the task afterwards. */
function knockOn(state: Ended): Source<Knock> {
  const given = ownTask(state);
  return source(given.about, async (scene) => {
    const task = await scene.use(given);
    const message = sayTo(scene, task);
    const outcome = await scene.client.call('send', { message, configuration: early(scene) }, { invalid: true });
    return { task, outcome, after: await scene.client.call('get', { id: task.id }) };
  });
}

export const knocks = {
  completed: knockOn('completed'),
  failed: knockOn('failed'),
  rejected: knockOn('rejected'),
  canceled: knockOn('canceled'),
} as const satisfies Record<Ended, Source<Knock>>;

/**
 * An ended task for one more check that sends to it: that of the message above, where the agent refused the message and
 * shows the task as it was; else a new one.
 */
export const endedTaskOf = (state: Ended): Source<Task> =>
  fresh(knocks[state].about, async (scene) => {
    const { task, outcome, after } = await scene.use(knocks[state]);
    const isUntouched =
      outcome.kind === 'refusal' && after.kind === 'result' && after.value.status.state === task.status.state;
    return isUntouched ? task : scene.use(ownTask(state));
  });

const ends = ['completed', 'failed', 'rejected', 'canceled'] as const;

/** The same, completed where the agent completes tasks. */
export const anyEndedTask: Source<Task> = fresh('a task that has ended', (scene) =>
  firstOf(scene, ends.map(endedTaskOf)),
);

/** The message to a completed task, or else to a task that ended otherwise. */
export const anyKnock: Source<Knock> = source(anyEndedTask.about, (scene) =>
  firstOf(
    scene,
    ends.map((state) => knocks[state]),
  ),
);
