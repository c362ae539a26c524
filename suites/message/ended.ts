import {
  type EndState,
  early,
  endStates,
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

export interface Knock {
  readonly task: Task;
  readonly outcome: Outcome<SendReply>;
  readonly after: Outcome<Task>;
}

/** Sends a message to an ended task, and reads the task afterwards. `isAlone`: the message names no context. */
function knockOn(state: EndState, isAlone = false): Source<Knock> {
  const given = ownTask(state);
  return source(given.about, async (scene) => {
    const task = await scene.use(given);
    const message = isAlone ? { ...scene.say(), taskId: task.id } : sayTo(scene, task);
    const outcome = await scene.client.call('send', { message, configuration: early(scene) }, { invalid: true });
    return { task, outcome, after: await scene.client.call('get', { id: task.id }) };
  });
}

export const knocks = {
  completed: knockOn('completed'),
  failed: knockOn('failed'),
  rejected: knockOn('rejected'),
  canceled: knockOn('canceled', true),
} as const satisfies Record<EndState, Source<Knock>>;

/** The message to a completed task, or else to a task that ended otherwise. */
export const anyKnock: Source<Knock> = source('a task that has ended', (scene) =>
  firstOf(
    scene,
    endStates.map((state) => knocks[state]),
  ),
);

/** Its task for one more request, where the agent refused the message and shows the task as it was; else a new one. */
export const anyEndedTask: Source<Task> = fresh(anyKnock.about, async (scene) => {
  const { task, outcome, after } = await scene.use(anyKnock);
  const { state } = task.status;
  const isStanding = outcome.kind === 'refusal' && after.kind === 'result' && after.value.status.state === state;
  return isStanding ? task : scene.use(ownTask(endStates.find((end) => end === state) ?? 'completed'));
});
