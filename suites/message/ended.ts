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

const ends = ['completed', 'failed', 'rejected', 'canceled'] as const;
type End = (typeof ends)[number];

export interface Knock {
  readonly task: Task;
  readonly outcome: Outcome<SendReply>;
  readonly after: Outcome<Task>;
}

/** Sends a message to an ended task, and reads the task afterwards. */
function knockOn(given: Source<Task>): Source<Knock> {
  return source(given.about, async (scene) => {
    const task = await scene.use(given);
    const message = sayTo(scene, task);
    const outcome = await scene.client.call('send', { message, configuration: early(scene) }, { invalid: true });
    return { task, outcome, after: await scene.client.call('get', { id: task.id }) };
  });
}

export const knocks = {
  completed: knockOn(ownTask('completed')),
  failed: knockOn(ownTask('failed')),
  rejected: knockOn(ownTask('rejected')),
  canceled: knockOn(ownTask('canceled')),
} as const satisfies Record<End, Source<Knock>>;

/** The message to a completed task, or else to a task that ended otherwise. */
export const anyKnock: Source<Knock> = source('a task that has ended', (scene) =>
  firstOf(
    scene,
    ends.map((state) => knocks[state]),
  ),
);

/** Its task for one more request, where the agent refused the message and shows the task as it was; else a new one. */
export const anyEndedTask: Source<Task> = fresh(anyKnock.about, async (scene) => {
  const { task, outcome, after } = await scene.use(anyKnock);
  const { state } = task.status;
  const isStanding = outcome.kind === 'refusal' && after.kind === 'result' && after.value.status.state === state;
  return isStanding ? task : scene.use(ownTask(ends.find((end) => end === state) ?? 'completed'));
});
