import {
  aTask,
  check,
  codeIs,
  type Outcome,
  openTask,
  refused,
  type Scene,
  source,
  type Task,
} from '../../src/kit/index.js';

// A2A 0.3 §7.4 tasks/cancel, §8.2 TaskNotCancelable.

/** Asked once, judged by two checks: whether it is refused, and with which code. */
const cancelingCompleted = source('a completed task', async (scene: Scene) => {
  const task = await scene.use(aTask('completed'));
  const outcome = await scene.client.call('cancel', { id: task.id });
  const after = await scene.client.call('get', { id: task.id });
  return { task, outcome, after };
});

const cancelOpen = async (scene: Scene): Promise<Outcome<Task>> => {
  const task = await scene.use(openTask);
  return scene.client.call('cancel', { id: task.id });
};

export const terminalRefused = check('task/cancel-terminal-refused', 'cancel.terminal-refused')
  .given('canceled', cancelingCompleted)
  .when('the client cancels it', async ({ canceled }) => canceled.outcome)
  .expects('be refused', refused)
  .expects('leave the task as it was', (_, { canceled: { task, after } }) => {
    if (after.kind !== 'result') return undefined;
    const state = after.value.status.state;
    return state === task.status.state ? undefined : `the task went from ${task.status.state} to ${state}`;
  })
  .butAccepts('the same request for an open task', cancelOpen)
  .advice('Look at the state before canceling: a task that has ended stays as it is.')
  .killedBy('cancel-accepts-terminal');

export const terminalCode = check('task/cancel-terminal-code', 'cancel.terminal-code')
  .given('canceled', cancelingCompleted)
  .when('the client cancels it', async ({ canceled }) => canceled.outcome)
  .expects('be refused as TaskNotCancelable', codeIs('TaskNotCancelable'))
  .killedBy('cancel-wrong-code');
