import {
  answerTo,
  aTask,
  check,
  describe,
  early,
  endedTask,
  ifMet,
  inconclusive,
  isSettled,
  type Judgement,
  type Outcome,
  refused,
  type Scene,
  type SendReply,
  settleAfter,
  source,
  type Task,
} from '../../src/kit/index.js';
import { inTime, invented, leftEarly, otherContext, sendPlain, taskIn } from './sends.js';

// A2A 1.0 §3.4.1 Context Identifier Semantics, §3.4.3 Multi-Turn Conversation Patterns.

// In our words (1.0, 3.4.1 Context Identifier Semantics): A contextId that the client invented is never replaced by
//   another one.
export const inventedContext = check('message/invented-context', 'send.unknown-context-id')
  .given('sent', invented)
  .when('the client sends a message with an invented contextId', async ({ sent }) => sent.outcome)
  .expects('keep the contextId, or refuse the message', (outcome, { sent }): Judgement => {
    if (outcome.kind === 'refusal') return undefined;
    if (outcome.kind !== 'result') return inconclusive(describe(outcome));
    const { value } = outcome;
    const contextId = value.type === 'task' ? value.task.contextId : value.message.contextId;
    if (contextId === undefined) return inconclusive('the answer names no contextId');
    return contextId === sent.contextId ? undefined : `the client sent ${sent.contextId}, the answer has ${contextId}`;
  })
  .butAccepts('a message without a contextId', sendPlain)
  .advice('If you accept no contextIds from clients, refuse the message: another id would look like success.');

interface Turn {
  readonly before: Task;
  readonly outcome: Outcome<SendReply>;
}

const byTaskAlone = source('a task waiting for input', async (scene: Scene) => {
  const before = await scene.use(aTask('input-required'));
  const answer = answerTo(scene, { id: before.id });
  // Without a configuration: since 1.0 it waits as the first message does (§3.2.2).
  const outcome = await scene.client.call('send', { message: answer }, { timeoutMs: scene.patienceMs });
  const cutShort = await leftEarly(outcome, scene);
  const task = outcome.kind === 'result' && outcome.value.type === 'task' ? outcome.value.task : undefined;
  return { before, answer, outcome, cutShort, after: task && (await settleAfter(scene, before, task)) };
});
const answerByTask = async (scene: Scene) => (await scene.use(byTaskAlone)).outcome;

// In our words (1.0, 3.4.3 Multi-Turn Conversation Patterns): With taskId only, the contextId is taken from the task.
export const inferred = check('message/context-inferred', 'send.continuation-keeps-context')
  .given('turn', byTaskAlone)
  .when('the client answers a waiting task without a contextId', async ({ turn }) => turn.outcome)
  .expects('take the contextId from the task', (outcome, { turn: { before } }): Judgement => {
    if (outcome.kind !== 'result') return inconclusive(`the agent did not accept the answer: ${describe(outcome)}`);
    if (before.contextId === undefined) return inconclusive('the task had no contextId');
    const { value } = outcome;
    const contextId = value.type === 'task' ? value.task.contextId : value.message.contextId;
    if (contextId === undefined) return inconclusive('the agent replied without a contextId');
    return contextId === before.contextId ? undefined : `the context changed from ${before.contextId} to ${contextId}`;
  })
  .expects('keep it afterwards', (_, { turn: { before, answer, after } }) =>
    after === undefined ? undefined : otherContext(after, before, answer),
  )
  .advice(
    'Look up the task by the taskId first, and take its contextId, for the stored message and each status as well. Make a new context only where no task is named.',
  );

// In our words (1.0, 3.2.2 SendMessageConfiguration): Without returnImmediately the call waits as well.
export const answerWaits = check('message/answer-waits', 'send.blocking-by-default')
  .given('turn', byTaskAlone)
  .when('the client answers a waiting task and says nothing about waiting', async ({ turn }) => turn.outcome)
  .expects('answer when the work is done, or when it asks again', (outcome, { turn: { cutShort } }): Judgement => {
    if (cutShort !== undefined) return cutShort;
    const task = taskIn(outcome);
    if (typeof task === 'string') return inconclusive(task);
    return isSettled(task.status.state)
      ? undefined
      : inconclusive(`the agent answered with a task that is ${task.status.state}, which did not end in time`);
  })
  .advice('Wait for the work of each message in the same way, whether it begins a task or continues one.');

const mismatched = source('a task waiting for input', async (scene: Scene): Promise<Turn> => {
  const before = await scene.use(aTask('input-required'));
  // The context of another task is one that the agent knows.
  const other = (await ifMet(scene.use(endedTask)))?.contextId;
  const contextId = other && other !== before.contextId ? other : scene.uuid();
  const message = answerTo(scene, { id: before.id, contextId });
  const outcome = await scene.client.call('send', { message, configuration: early(scene) }, { invalid: true });
  // The task would wait forever.
  if (outcome.kind === 'refusal') await scene.client.call('cancel', { id: before.id });
  return { before, outcome };
});

// In our words (1.0, 3.4.3 Multi-Turn Conversation Patterns): A contextId that differs from that of the named task is
//   refused.
export const mismatch = check('message/context-mismatch', 'send.context-mismatch-refused')
  .given('turn', mismatched)
  .when('the client answers a waiting task with another contextId', async ({ turn }) => turn.outcome)
  .expects('refuse the message', inTime(refused))
  .butAccepts('an answer with the taskId alone', answerByTask)
  .advice('Compare both ids: a client that names a task and another context has mixed up two conversations.');
