import {
  aTask,
  brief,
  check,
  inconclusive,
  type Judgement,
  law,
  type Message,
  messageAnswer,
  type Part,
  type Task,
} from '../../src/kit/index.js';
import { plainSend, taskIn } from './sends.js';

// A2A 0.3 §6.4 messages as answers, §6.1 artifacts and history of a task.

// In our words (1.0, 4.1.4 Message): A direct Message reply has role ROLE_AGENT.
export const messageRole = law(
  'message/reply-role',
  'send.message-role',
  'have the role agent, when it is a message',
  {
    otherwise: 'set behaviours.message: the agent answered no message with a message',
    advice:
      'Set the role when you build the message: "agent", in 1.0 "ROLE_AGENT". "assistant" is a word of model APIs, and a copy of the question has role user.',
  },
  ({ operation, outcome, documents }) => {
    if (operation !== 'send' || outcome.kind !== 'result') return 'not-concerned';
    const reply = outcome.value as { type?: unknown; message?: Message };
    if (reply.type !== 'message' || reply.message === undefined) return 'not-concerned';
    if (reply.message.role !== 'agent') return `the role is ${reply.message.role}`;
    // A word that is not a role is decoded as the agent's role, and reported by the schema.
    const odd = documents
      .flatMap(({ inspection }) => inspection.findings)
      .find(({ path }) => /^(\/message)?\/role$/.test(path));
    return odd === undefined ? 'holds' : `the role ${odd.message}: ${odd.seen}`;
  },
);

// In our words (1.0, 4.1.4 Message): A direct Message reply carries a contextId.
export const messageContext = check('message/reply-context-id', 'send.message-context-id')
  .given('answer', messageAnswer)
  .when('the agent answers with a message', async ({ answer }) => answer)
  .expects('give the message a contextId', ({ contextId }) =>
    contextId ? undefined : 'the message has no contextId, or an empty one',
  )
  .advice('Without a contextId in the first reply the client cannot continue the conversation.');

/** The agent has said something in the task. */
const hasSaid = ({ status, history = [] }: Task): boolean =>
  [status.message, ...history].some((message) => message?.role === 'agent' && message.parts.length > 0);

// In our words (1.0, 3.7 Messages and Artifacts): Results are delivered as artifacts, not as messages.
export const artifacts = check('message/output-as-artifacts', 'send.output-as-artifacts')
  .given('task', aTask('completed'))
  .when('a task has completed', async ({ task }) => task)
  .expects('deliver its output as artifacts', (task): Judgement => {
    if ((task.artifacts?.length ?? 0) > 0) return undefined;
    return hasSaid(task)
      ? 'the task is completed, and its output stands in messages only'
      : inconclusive('set behaviours.completed to a prompt that yields output: the task shows none');
  })
  .advice('Messages are for talking about the work; its result belongs into artifacts, where clients look for it.');

/** Shorter texts may be the same by chance: "Done." */
const leastTold = 12;
const textsIn = ({ parts }: { readonly parts: readonly Part[] }): readonly string[] =>
  parts.flatMap((part) => (part.kind === 'text' && part.text.trim().length >= leastTold ? part.text.trim() : []));

// 1.0 §3.7: messages should not be used to deliver task outputs.
// In our words (1.0, 3.7 Messages and Artifacts): Messages do not deliver the output of a task.
export const outputOnce = check('message/output-once', 'send.output-once')
  .given('task', aTask('completed'))
  .when('a task has completed', async ({ task }) => task)
  .expects('not repeat its output in the message of the status', (task): Judgement => {
    const texts = new Set((task.artifacts ?? []).flatMap(textsIn));
    if (texts.size === 0)
      return inconclusive('set behaviours.completed to a prompt that yields an artifact with a text: none came');
    const twice = (task.status.message === undefined ? [] : textsIn(task.status.message)).find((text) =>
      texts.has(text),
    );
    return twice && `the status has the text of an artifact as its message: ${brief(twice, 80)}`;
  })
  .advice('Put the result into an artifact, and into the last status a short note, or no message.');

// In our words (1.0, 3.7 Messages and Artifacts): Important messages are kept in history.
export const historyHasMessage = check('message/history-has-message', 'send.history-has-message')
  .when('the client sends a message and reads the history of its task', ({ use }) => use(plainSend))
  .expects('show any messages of the client under their messageId', (seen): Judgement => {
    const task = taskIn(seen.outcome);
    if (typeof task === 'string') return inconclusive(task);
    const own = (task.history ?? []).filter((message) => message.role === 'user');
    if (own.length === 0) return inconclusive('the history shows no message of the client, and need not');
    if (own.some((message) => message.messageId === seen.message.messageId)) return undefined;
    // Inside a task the messageId may be missing (AMB03-05).
    return own.every(({ messageId }) => !messageId)
      ? inconclusive('the messages of the history have no messageId to compare with')
      : `the message ${seen.message.messageId} is shown under the id ${own[0]?.messageId || '(none)'}`;
  })
  .advice('Keep messages of the client as they came, with their messageId.');
