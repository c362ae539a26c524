import {
  brief,
  check,
  conforms,
  describe,
  firstAnswer,
  inconclusive,
  type Judgement,
  lacksOperation,
  law,
  type SendReply,
} from '../../src/kit/index.js';

// A2A 0.3 §7.1 message/send, §11.1.2 core methods, §6.1 Task Object.

export const implemented = law(
  'message/implemented',
  'send.implemented',
  'have a method to send messages',
  {
    subject: 'the agent',
    otherwise: 'the agent answered no message',
    advice: 'The agent does not know the method. Every agent has to serve it, under exactly this name.',
  },
  ({ operation, valid, outcome, exchange }) => {
    if (operation !== 'send' || !valid) return 'not-concerned';
    if (outcome.kind === 'result') return 'holds';
    const status = exchange.response?.status;
    if (lacksOperation(outcome)) return describe(outcome);
    const missing = outcome.kind === 'refusal' && !outcome.inForm && (status === 404 || status === 405);
    const isSaid = outcome.kind === 'refusal' && (outcome.error ?? outcome.fits) !== undefined;
    return missing || (status === 501 && !isSaid) ? describe(outcome) : 'not-concerned';
  },
);

export const taskOrMessage = conforms(
  'message/task-or-message',
  'send.task-or-message',
  'be one task or one message, when a message was sent',
  {
    otherwise: 'the agent answered no message with a result',
    advice:
      'In 1.0 and over HTTP+JSON the result is {"task": …} or {"message": …}. Before 1.0, over JSON-RPC, it is the bare object.',
  },
);

const noTask = 'set behaviours.completed: the agent answered with a message and made no task';

const onTask = (reply: SendReply, reason: (id: string, contextId: string | undefined) => string | undefined) =>
  reply.type === 'task' ? reason(reply.task.id, reply.task.contextId) : inconclusive(noTask);

export const serverMadeId = check('message/server-made-id', 'send.server-made-id')
  .given('answer', firstAnswer)
  .when('the client sends a message without a taskId', async ({ answer, client }) => ({
    unnamed: client.messages.unnamed,
    answer,
  }))
  .expects('answer with a task that has an id', ({ unnamed, answer }) =>
    unnamed === undefined
      ? onTask(answer, (id) => (id === '' ? 'the task has no id, or an empty one' : undefined))
      : `${describe(unnamed)}; with an id that the client made up the message is taken`,
  )
  .advice(
    'Ids of tasks are made by the agent, together with the task: a new one is wanted where a message has no taskId.',
  );

export const contextIdMade = check('message/context-id-made', 'send.context-id-made')
  .given('answer', firstAnswer)
  .when('the client sends a message without a contextId', async ({ answer }) => answer)
  .expects('answer with a task that has a contextId', (answer) =>
    onTask(answer, (_, contextId) => (contextId ? undefined : 'the task has no contextId, or an empty one')),
  )
  .advice('When the client names no context, the agent makes one and names it in the task.');

export const contextIdShown = check('message/context-id-shown', 'send.context-id-shown')
  .given('answer', firstAnswer)
  .when('the client sends a message without a contextId, and reads the task', async ({ answer, client }) => ({
    answer,
    read: answer.type === 'task' ? await client.call('get', { id: answer.task.id }) : undefined,
  }))
  .expects('name the context in the answer', ({ answer, read }): Judgement => {
    if (answer.type !== 'task' || read?.kind !== 'result')
      return inconclusive('the agent made no task to compare with');
    const { contextId } = read.value;
    // An agent MAY create a context (AMB10-10).
    if (!answer.task.contextId && !contextId) return inconclusive('the agent makes no context');
    return answer.task.contextId
      ? undefined
      : `the task has the context ${brief(contextId)}, and the answer names none`;
  })
  .advice('Name a new context in the first answer, so that the client can use it for the next message.');
