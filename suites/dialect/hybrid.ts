import { isDeepStrictEqual } from 'node:util';
import {
  accepted,
  check,
  describe,
  endedTask,
  inconclusive,
  type Judgement,
  law,
  type Outcome,
  openTask,
  type Scene,
  sendQuick,
  settle,
  source,
  type Task,
} from '../../src/kit/index.js';
import { alive, blamesShape, taskIn } from '../message/sends.js';

// Terminal Bench document, §5 Agent Behavior (Hybrid Agent Pattern), §3 Supported RPC Methods, Usage Examples.

// In our words (terminal-bench, 5. Agent Behavior (Hybrid Agent Pattern)): The agent always responds with a Task, never
//   with a Message.
export const alwaysTask = law(
  'dialect/always-task',
  'send.always-task',
  'answer each message with a task, never with a message',
  {
    subject: 'the agent',
    otherwise: 'the agent answered no message with a result',
    advice: 'Make a task for every message, for a short answer too, and return it completed.',
  },
  ({ operation, outcome, valid }) => {
    if (operation !== 'send' || !valid) return 'not-concerned';
    if (outcome.kind === 'invalid-response' && outcome.fault === 'unreadable')
      return `it is neither task nor message: ${describe(outcome)}`;
    if (outcome.kind !== 'result') return 'not-concerned';
    const { type } = outcome.value as { readonly type: string };
    return type === 'task' ? 'holds' : `the answer is a message: ${describe(outcome)}`;
  },
);

// In our words (terminal-bench, 5. Agent Behavior (Hybrid Agent Pattern)): Simple queries are answered with a completed
//   task.
export const completesAtOnce = check('dialect/completes-at-once', 'send.completes-at-once')
  .when('the client sends a simple request', async (scene) => {
    const outcome = await scene.client.call('send', { message: scene.say() });
    const task = taskIn(outcome);
    return { outcome, end: typeof task === 'string' ? undefined : await settle(scene, task) };
  })
  .expects('return the completed task', ({ outcome, end }): Judgement => {
    const task = taskIn(outcome);
    if (typeof task === 'string') return inconclusive(task);
    if (task.status.state === 'completed') return undefined;
    // An agent that asks back or works for long may not consider the request simple.
    return end?.status.state === 'completed'
      ? `the task was answered in ${task.status.state}, and completed a moment later`
      : inconclusive(`set behaviours.completed to simple work: the task is ${end?.status.state}`);
  })
  .advice('This dialect has neither streams nor notifications: wait for the end of short work before you answer.');

// In our words (terminal-bench, Usage Examples): A message without `messageId` may be sent.
export const messageIdOptional = check('dialect/message-id-optional', 'send.message-id-optional')
  .when('the client sends a message without messageId', (scene) =>
    scene.client.call('send', { message: { ...scene.say(), messageId: undefined } }, { invalid: true }),
  )
  .expects('return a result or an error', async (outcome, scene): Promise<Judgement> => {
    const error = outcome.kind === 'refusal' ? outcome.error : undefined;
    if (error === 'InternalError') return describe(outcome);
    return alive(outcome, scene);
  })
  .advice('Accept the message, or answer -32602. Check for the messageId before it is used.');

interface FollowUp {
  readonly before: Task;
  readonly outcome: Outcome<unknown>;
  readonly task: Task | string;
  readonly after: Outcome<Task>;
}
const followUp = source('a task that has ended', async (scene: Scene): Promise<FollowUp> => {
  const before = await scene.use(endedTask);
  const { contextId } = before;
  const outcome = await sendQuick(scene, {
    ...scene.say(),
    ...(contextId === undefined ? {} : { contextId }),
    referenceTaskIds: [before.id],
  });
  return { before, outcome, task: taskIn(outcome), after: await scene.client.call('get', { id: before.id }) };
});

// In our words (terminal-bench, 5. Agent Behavior (Hybrid Agent Pattern)): A follow-up that references a finished task
//   is a new task in its context, and leaves the finished one as it was.
export const followUps = check('dialect/follow-up', 'send.follow-up')
  .given('turn', followUp)
  .when('the client references an ended task in a message', async ({ turn }) => turn.outcome)
  .expects('return a new task', (outcome, { turn: { task, before } }): Judgement => {
    if (outcome.kind === 'refusal' && blamesShape(outcome)) return describe(outcome);
    if (typeof task === 'string') return inconclusive(task);
    if (task.id === before.id) return `the answer is the ${before.status.state} task ${task.id} again`;
    return task.contextId === before.contextId ? undefined : `the new task is in ${task.contextId ?? 'no context'}`;
  })
  .expects('leave the old one unchanged', (_, { turn: { before, after } }): Judgement => {
    if (after.kind !== 'result')
      return inconclusive(`the agent did not let the client read the task: ${describe(after)}`);
    const { status, artifacts } = after.value;
    if (status.state !== before.status.state) return `the task changed from ${before.status.state} to ${status.state}`;
    return isDeepStrictEqual(artifacts, before.artifacts) ? undefined : 'its artifacts are others than before';
  })
  .advice(
    'Take referenceTaskIds, and make a new task in the same context: read the task that is named there, and never write to it.',
  );

// In our words (terminal-bench, 3. Supported RPC Methods): `reason` in the cancel params is accepted.
export const cancelReason = check('dialect/cancel-reason', 'cancel.reason-accepted')
  .given('task', openTask)
  .when('the client cancels an open task with a reason', ({ client, task }) =>
    client.call('cancel', { id: task.id, reason: 'The user no longer needs it.' }),
  )
  .expects('not refuse the call because of the reason', async (outcome, { client, task }): Promise<Judgement> => {
    if (outcome.kind !== 'refusal') return accepted(outcome);
    const blames = blamesShape(outcome) || outcome.error === 'InternalError';
    if (!blames) return inconclusive(`the agent refused the request for another reason: ${describe(outcome)}`);
    const plain = await client.call('cancel', { id: task.id });
    return plain.kind === 'result'
      ? describe(outcome)
      : inconclusive(`the agent did not cancel the task without the member either: ${describe(plain)}`);
  })
  .advice('Let the validator take reason, a text, in the params of task.cancel. Nothing need be done with it.');
