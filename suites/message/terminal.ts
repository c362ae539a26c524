import {
  check,
  codeIs,
  describe,
  early,
  inconclusive,
  type Judgement,
  refused,
  type Scene,
  type Source,
  source,
} from '../../src/kit/index.js';
import { type Knock, knocks } from './ended.js';
import { alive, inTime, sendPlain } from './sends.js';

// A2A 0.3 §6.1, §7.1: a task in a terminal state cannot be restarted; a message to it is refused.

const { completed, failed, rejected, canceled } = knocks;

/** The state has not changed. A purged task shows no state, and passes. */
function unmoved({ task, after }: Knock): Judgement {
  if (after.kind !== 'result') return undefined;
  const { state } = after.value.status;
  return state === task.status.state ? undefined : `the task went from ${task.status.state} to ${state}`;
}

const advice =
  'Look at the state of the task before anything is done with the message. What follows an ended task is a new task: the client leaves the taskId out and keeps the contextId.';

const finalCheck = (id: `message/${string}`, knock: Source<Knock>) =>
  check(id, 'send.terminal-refused')
    .given('knock', knock)
    .when(`the client sends a message to ${knock.about}`, async ({ knock: { outcome } }) => outcome)
    .expects('refuse the message', refused)
    .expects(
      'leave the task as it was',
      (_, { knock: seen }) => unmoved(seen),
      ({ knock: seen }) => seen.after,
    )
    .butAccepts('a message without a taskId', sendPlain)
    .advice(advice);

export const completedRefused = finalCheck('message/completed-refused', completed);
export const failedRefused = finalCheck('message/failed-refused', failed);
export const rejectedRefused = finalCheck('message/rejected-refused', rejected);
export const canceledRefused = finalCheck('message/canceled-refused', canceled);

// In our words (1.0, 3.1.1 Send Message): The error of a message to a finished task is UnsupportedOperationError.
export const terminalCode = check('message/terminal-code', 'send.terminal-code')
  .given('knock', completed)
  .when('the client sends a message to a completed task', async ({ knock: { outcome } }) => outcome)
  .expects('refuse the message as UnsupportedOperation', (outcome): Judgement => {
    const isGone = outcome.kind === 'refusal' && outcome.error === 'TaskNotFound';
    return isGone ? inconclusive('the agent no longer has the task') : codeIs('UnsupportedOperation')(outcome);
  })
  .butAccepts('a message without a taskId', sendPlain)
  .advice(
    'Check the state before anything else, and answer -32004 (reason UNSUPPORTED_OPERATION): -32602 blames the params, -32603 the agent.',
  );

/** Judges the read after a message, for rows where only a crash or a changed state is a failure. */
const stillShown = async (knock: Knock, scene: Scene): Promise<Judgement> => {
  if (knock.after.kind === 'refusal') return inconclusive('the agent no longer has the task');
  return (await alive(knock.after, scene)) ?? unmoved(knock);
};

// In our words (1.0, 4.1.3 TaskState): An agent may reject a task at creation or later.
export const rejectedStays = check('message/rejected-stays-rejected', 'life.rejected')
  .given('knock', rejected)
  .when('the client sends a message to a rejected task', async ({ knock }) => knock.after)
  .expects('show it as rejected', (_, scene) => stillShown(scene.knock, scene))
  .advice(
    'Look at the state of the task before a message is handled: rejected is an end, and the task can still be read.',
  );

// In our words (1.0, 4.1.3 TaskState): Failed work ends in TASK_STATE_FAILED.
export const failedStays = check('message/failed-stays-failed', 'life.failed')
  .given('knock', failed)
  .when('the client sends a message to a failed task', async ({ knock }) => knock.after)
  .expects('show it as failed', (_, scene) => stillShown(scene.knock, scene))
  .advice(
    'Look at the state of the task before a message is handled: failed is an end, and the task can still be read.',
  );

const strange = source('a task that does not exist', async (scene: Scene) => {
  const id = scene.uuid();
  const message = { ...scene.say(), taskId: id };
  const outcome = await scene.client.call('send', { message, configuration: early(scene) }, { invalid: true });
  return { id, outcome, after: await scene.client.call('get', { id }) };
});

// In our words (1.0, 3.4.2 Task Identifier Semantics): The id of a task is made by the server: an unknown taskId in a
//   message never becomes one.
export const notAdopted = check('message/task-id-not-adopted', 'send.task-id-not-adopted')
  .given('strange', strange)
  .when('the client sends a message with the taskId of no task', async ({ strange: { outcome } }) => outcome)
  .expects('make no task with that id', async (outcome, scene): Promise<Judgement> => {
    const { id, after } = scene.strange;
    if (outcome.kind === 'result' && outcome.value.type === 'task' && outcome.value.task.id === id) {
      return `the answer is a task with the id ${id}, which the client made up`;
    }
    if (after.kind === 'result' && after.value.id === id) {
      // An agent that returns a task for any id has not adopted this one.
      const never = await scene.client.call('get', { id: scene.uuid() });
      if (never.kind !== 'result') return `a task with the id ${id}, which the client made up, can now be read`;
    }
    if (outcome.kind === 'result' || outcome.kind === 'refusal') return undefined;
    return inconclusive(describe(outcome));
  })
  .butAccepts('a message without a taskId', sendPlain)
  .advice('Ids of tasks are made by the agent. Refuse a taskId that you did not give out with TaskNotFound (-32001).');

// In our words (1.0, 3.4.2 Task Identifier Semantics): A message naming an unknown taskId is refused.
export const unknownTaskRefused = check('message/unknown-task-refused', 'send.unknown-task-refused')
  .given('strange', strange)
  .when('the client sends a message with an unknown taskId', async ({ strange: { outcome } }) => outcome)
  .expects('refuse the message', inTime(refused))
  .butAccepts('a message without a taskId', sendPlain)
  .advice('A taskId that you did not give out is a mistake of the client: refuse it, and start no other task.');

// In our words (1.0, 3.4.2 Task Identifier Semantics): The error for a message naming an unknown taskId is
//   TaskNotFoundError.
export const unknownTask = check('message/unknown-task-code', 'send.unknown-task')
  .given('strange', strange)
  .when('the client sends a message with an unknown taskId', async ({ strange: { outcome } }) => outcome)
  // AMB03-26: an agent may also be right to answer with something other than an error.
  .expects('refuse the message as TaskNotFound', inTime(codeIs('TaskNotFound')))
  .butAccepts('a message without a taskId', sendPlain)
  .advice(
    'Look the task up first, and answer -32001 (reason TASK_NOT_FOUND): what the store throws must not become -32603.',
  );
