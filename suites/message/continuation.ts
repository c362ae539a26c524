import {
  accepted,
  aTask,
  type Continuation,
  check,
  continuation,
  errorOf,
  inconclusive,
  isInterrupted,
  isTerminal,
  type Judgement,
  type Outcome,
  type Scene,
  type SendReply,
  sendQuick,
  sleep,
  source,
  stands,
  type Task,
} from '../../src/kit/index.js';
import { alive, sayTo } from './sends.js';

// A2A 0.3 §6.4 taskId, §9.4 input required, §4.5 in-task authentication, §7.1 messages to open tasks.

/** The message was accepted. A refusal counts only while the task still waits, since it may have ended meanwhile. */
async function continued(outcome: Outcome<SendReply>, before: Task, { client }: Scene): Promise<Judgement> {
  const judgement = accepted(outcome);
  if (typeof judgement !== 'string') return judgement;
  // InternalError fails in any state of the task.
  if (outcome.kind === 'refusal' && outcome.error === 'InternalError') return judgement;
  const now = await client.call('get', { id: before.id });
  const waits = now.kind === 'result' && isInterrupted(now.value.status.state);
  return waits ? judgement : inconclusive('the task no longer waited for the client');
}

function sameTask(outcome: Outcome<SendReply>, before: Task): Judgement {
  if (outcome.kind !== 'result') return inconclusive('the agent did not accept the answer');
  const { value } = outcome;
  const id = value.type === 'task' ? value.task.id : value.message.taskId;
  if (id === undefined) return inconclusive('the agent replied with a message that names no task');
  return id === before.id ? undefined : `the message named the task ${before.id}, the reply is about ${id}`;
}

// In our words (1.0, 3.4.3 Multi-Turn Conversation Patterns): A message with the taskId of an open task continues that
//   task.
export const continuesTask = check('message/continues-task', 'send.continues-task')
  .given('turn', continuation)
  .when('the client sends a message with the taskId of a waiting task', async ({ turn }) => turn.outcome)
  .expects('accept it', (outcome, scene) => continued(outcome, scene.turn.before, scene))
  .expects('answer with that task', (outcome, { turn }) => sameTask(outcome, turn.before))
  .advice(
    'A message with a taskId belongs to that task: look the task up and continue it, instead of starting another one.',
  );

// In our words (1.0, 3.4.3 Multi-Turn Conversation Patterns): With taskId only, the contextId is taken from the task.
export const keepsContext = check('message/continuation-keeps-context', 'send.continuation-keeps-context')
  .given('turn', continuation)
  .when('the client sends a message with the taskId of a waiting task', async ({ turn }) => turn.outcome)
  .expects('keep the contextId of the task', (outcome, { turn: { before } }): Judgement => {
    if (outcome.kind !== 'result') return inconclusive('the agent did not accept the answer');
    if (before.contextId === undefined) return inconclusive('the task had no contextId');
    const { value } = outcome;
    const contextId = value.type === 'task' ? value.task.contextId : value.message.contextId;
    if (contextId === undefined && value.type === 'message')
      return inconclusive('the agent replied without a contextId');
    return contextId === before.contextId
      ? undefined
      : `the context changed from ${before.contextId} to ${contextId ?? 'none'}`;
  })
  .advice(
    'Copy the contextId of the stored task into the answer. Make a new one only for a message that names neither task nor context.',
  );

// In our words (1.0, 3.4.3 Multi-Turn Conversation Patterns (rule from topics/life-of-a-task)): Once a task exists,
//   answers to messages on it are Task objects.
export const taskAnswers = check('message/task-answers-task', 'send.task-answers-task')
  .given('turn', continuation)
  .when('the client sends a message with the taskId of a waiting task', async ({ turn }) => turn.outcome)
  .expects('answer with a task', (outcome): Judgement => {
    if (outcome.kind !== 'result') return inconclusive('the agent did not accept the answer');
    return outcome.value.type === 'task' ? undefined : 'the reply is a message, though the task exists';
  })
  .advice('Answer with the task once there is one, and put what the agent says into status.message.');

/** The task some time after the answer, read until its status has changed. */
const afterwards = source('an answered request for input', async (scene: Scene) => {
  const turn: Continuation = await scene.use(continuation);
  const { before, outcome } = turn;
  let now = outcome.kind === 'result' && outcome.value.type === 'task' ? outcome.value.task : undefined;
  const until = scene.clock.now() + scene.patienceMs;
  for (let pause = 100; scene.clock.now() < until; pause = Math.min(2 * pause, 2000)) {
    if (outcome.kind !== 'result' || (now !== undefined && (now.id !== before.id || !stands(before, now)))) break;
    await sleep(scene.clock, pause);
    const read = await scene.client.call('get', { id: before.id });
    if (read.kind !== 'result') break;
    now = read.value;
  }
  return { ...turn, now };
});

// In our words (1.0, 3.4.3 Multi-Turn Conversation Patterns): A task in INPUT_REQUIRED continues when a message with
//   its taskId arrives.
export const inputContinues = check('message/input-required-continues', 'life.input-required-continues')
  .given('turn', afterwards)
  .when('the client answers a task that waits for input', async ({ turn }) => turn.outcome)
  .expects('accept the answer', (outcome, scene) => continued(outcome, scene.turn.before, scene))
  .expects('go on with the task that waits', (outcome, { turn: { before, now } }): Judgement => {
    if (outcome.kind !== 'result' || now === undefined)
      return inconclusive('the agent did not show the task after the answer');
    if (now.id !== before.id) return `the answer went to the task ${now.id}, while ${before.id} waits`;
    // Slow work may keep the old status for longer than the kit waits: no failure.
    return stands(before, now)
      ? inconclusive('raise --timeout: the status of the task did not change in time')
      : undefined;
  })
  .advice(
    'Look up the task that the message names, hand the answer to the work that waits, and continue it. Only ended tasks take no message.',
  );

const saysWhatItNeeds = (task: Task): Judgement => {
  if (task.status.message === undefined) return `the status ${task.status.state} has no message`;
  return task.status.message.parts.length > 0 ? undefined : `the message of the status ${task.status.state} is empty`;
};

// In our words (0.3, 9.4 Multi-Turn Interaction (Input Required)): An input-required status carries an agent message
//   saying what is needed.
export const inputMessage = check('message/input-required-message', 'life.input-required-message')
  .given('turn', continuation)
  .when('a task waits for input', async ({ turn }) => turn.before)
  .expects('name the needed input in the message of the status', saysWhatItNeeds)
  .advice('Put the question into status.message: a client has nowhere else to look for it.');

const signedIn = source('a task waiting for authorization', async (scene: Scene) => {
  const before = await scene.use(aTask('auth-required'));
  const outcome = await sendQuick(scene, sayTo(scene, before, 'I have signed in. Please go on.'));
  return { before, outcome };
});

// In our words (1.0, 7.6.1 In-Task Authorization Agent Responsibilities): AUTH_REQUIRED carries a status message
//   explaining the need.
export const authMessage = check('message/auth-required-message', 'life.auth-required-message')
  .given('turn', signedIn)
  .when('a task waits for authorization', async ({ turn }) => turn.before)
  .expects('name the needed credentials in the message of the status', saysWhatItNeeds)
  .advice('Put a message with a text part into status.message that says which credentials are needed, and where.');

// In our words (1.0, 7.6.1 In-Task Authorization Agent Responsibilities): Messages to a task in AUTH_REQUIRED are
//   accepted.
export const authContinues = check('message/auth-required-continues', 'life.auth-required-continues')
  .given('turn', signedIn)
  .when('the client sends a message to a task that waits for authorization', async ({ turn }) => turn.outcome)
  .expects('accept the message', (outcome, scene) => continued(outcome, scene.turn.before, scene))
  .advice(
    'Refuse messages only to tasks that have ended: a task that waits for authorization accepts the answer and continues.',
  );

const interrupted = source('a task at work', async (scene: Scene) => {
  const task = await scene.use(aTask('working'));
  const outcome = await sendQuick(scene, sayTo(scene, task));
  const after = await scene.client.call('get', { id: task.id });
  // This task works for long, and no check needs its result.
  if (after.kind === 'result' && !isTerminal(after.value.status.state)) {
    await scene.client.call('cancel', { id: task.id });
  }
  return { task, outcome, after };
});

// In our words (1.0, 3.3.3 Asynchronous Processing): Messages to a task that is submitted or working may be accepted or
//   refused.
export const whileWorking = check('message/while-working', 'life.message-while-working')
  .given('interrupted', interrupted)
  .when('the client sends a second message to a task at work', async ({ interrupted: seen }) => seen.outcome)
  .expects('answer with a reply or an error', alive)
  .expects(
    'keep the task readable',
    async (_, scene): Promise<Judgement> => {
      const { after, task } = scene.interrupted;
      if (after.kind === 'refusal') return `the task ${task.id} can no longer be read: error ${errorOf(after)}`;
      return alive(after, scene);
    },
    ({ interrupted: seen }) => seen.after,
  )
  .advice(
    'Accept the message, or refuse it with an error, without writing to the stored task: the work still needs it.',
  );
