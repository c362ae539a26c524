import { isDeepStrictEqual } from 'node:util';
import {
  aTask,
  brief,
  check,
  inconclusive,
  type Judgement,
  type Message,
  type Outcome,
  PreconditionUnmet,
  type Scene,
  sendQuick,
  settle,
  source,
  type Task,
} from '../../src/kit/index.js';
import { withWord } from '../message/marked.js';
import { ofTask } from '../task/answers.js';

// OpenClaw design: Response Mapping, Design Decisions 3 (history scope).

const readWhole = source('a completed task', async (scene: Scene) => {
  const { id } = await scene.use(aTask('completed'));
  return scene.client.call('get', { id, historyLength: 100 });
});

// In our words (OpenClaw, Response Mapping): The answer is the agent message in status.message of a completed task.
export const inStatus = check('dialect/answer-in-status', 'send.answer-in-status')
  .given('task', aTask('completed'))
  .when('the client reads a completed task', async ({ task }) => task.status.message)
  .expects('show it as the message of the agent in the status', (message): Judgement => {
    if (message === undefined) return 'the status of the completed task has no message';
    if (message.role !== 'agent') return `the message of the status is of the ${message.role}`;
    return message.parts.length > 0 ? undefined : 'the message of the status has no part';
  })
  .advice('Put the answer into status.message of the completed task, with role "agent" and at least one part.');

/** Only role and parts: ids and metadata of messages are not part of this dialect. */
const words = ({ role, parts }: Message) => ({ role, parts });

// In our words (OpenClaw, Response Mapping): The answer is appended to the history of the task.
export const inHistory = check('dialect/answer-in-history', 'send.answer-in-history')
  .given('read', readWhole)
  .when('the client reads the history of a completed task', async ({ read }) => read)
  .expects(
    'show a history that ends with the answer',
    ofTask(({ status, history }): Judgement => {
      const last = history?.at(-1);
      if (last === undefined) return inconclusive('the agent shows no history');
      if (status.message === undefined) return inconclusive('the status has no message to compare with');
      return isDeepStrictEqual(words(last), words(status.message))
        ? undefined
        : `the last message of the history is ${brief(words(last))}`;
    }),
  )
  .advice('When the task completes, append the message of status.message to the history as well.');

interface Pair {
  readonly first: Message;
  readonly outcome: Outcome<Task>;
}
const secondOfContext = source('two tasks in one context', async (scene: Scene): Promise<Pair> => {
  // No other message of the kit contains this word. The agent itself may repeat it in the same conversation.
  const first = withWord(scene.say(), scene.uuid());
  const begun = await sendQuick(scene, first);
  if (begun.kind !== 'result' || begun.value.type !== 'task')
    throw new PreconditionUnmet('set behaviours.completed to a prompt that becomes a task: the message made none');
  const { contextId } = await settle(scene, begun.value.task);
  if (contextId === undefined) throw new PreconditionUnmet('the task has no contextId');
  const next = await sendQuick(scene, { ...scene.say(), contextId });
  if (next.kind !== 'result' || next.value.type !== 'task')
    throw new PreconditionUnmet('the second message made no task');
  await settle(scene, next.value.task);
  return { first, outcome: await scene.client.call('get', { id: next.value.task.id, historyLength: 100 }) };
});

// In our words (OpenClaw, Design Decisions (Confirmed)): The history holds messages of this task only.
export const historyOfTask = check('dialect/history-of-task', 'get.history-of-task')
  .given('pair', secondOfContext)
  .when('the client reads the history of the second task of a context', async ({ pair }) => pair.outcome)
  .expects(
    'show no message of the first',
    ofTask(({ history = [] }, { pair: { first } }: { readonly pair: Pair }): Judgement => {
      const own = history.filter(({ role }) => role === 'user');
      if (own.length === 0) return inconclusive('the history shows no message of the client');
      const part = first.parts.find(({ kind }) => kind === 'text');
      if (part?.kind !== 'text')
        return inconclusive('set behaviours.completed to a prompt with a text: the prompt has none to recognise it by');
      const strange = own.find((message) =>
        message.parts.some((ownPart) => ownPart.kind === 'text' && ownPart.text === part.text),
      );
      return strange && `the history holds ${brief(words(strange))}, said in another task`;
    }),
  )
  .advice('Keep a history for each task: a list for the whole context shows the messages of others.');
