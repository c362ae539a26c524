import { isDeepStrictEqual } from 'node:util';
import {
  brief,
  check,
  conforms,
  isProbed,
  isString,
  law,
  type Message,
  member,
  messageAnswer,
} from '../../src/kit/index.js';
import { shown } from './shown.js';

// A2A 0.3 §6.4 Message Object. AMB03-05: kind and messageId are required only where the message is itself the result.

const noReply = { otherwise: 'set behaviours.message: the agent answered with no message of its own' };
const noMessage = { otherwise: 'set behaviours.message: no message came, neither as an answer nor in a task' };

// In our words (0.3, 6.4 Message Object): Message.kind is "message" for a Message returned as a result or stream event.
export const kind = conforms(
  'data/message-kind',
  'data.message-kind',
  'mark each message that is a result with the kind "message"',
  {
    ...noReply,
    advice:
      'Set "kind": "message" when you build a message, in small letters: clients distinguish it from a task by this word.',
  },
);

// In our words (1.0, 4.1.4 Message): Message.messageId is a non-empty string.
export const id = conforms(
  'data/message-id',
  'data.message-id',
  'give each message that is a result a messageId that is a string',
  {
    ...noReply,
    advice: 'Make a UUID for each message of the agent, as its messageId: an unset field is empty or missing.',
  },
);

// In our words (1.0, 4.1.4 Message): Agent-written messages have ROLE_AGENT.
export const replyRole = check('data/reply-role', 'data.agent-role')
  .given('message', messageAnswer)
  .when('the agent answers with a message', async ({ message }) => message)
  .expects('give it the role agent', (message) =>
    message.role === 'agent' ? undefined : `the message has the role ${message.role}`,
  )
  .advice(
    'Build the answer as a message of its own with role "agent", in 1.0 "ROLE_AGENT": a copy of the question keeps the role user.',
  );

// In our words (1.0, 4.1.5 Role): Message.role is ROLE_USER or ROLE_AGENT.
export const role = conforms('data/message-role', 'data.message-role', 'give each message the role user or agent', {
  ...noMessage,
  advice:
    'Write "user" or "agent", in 1.0 "ROLE_USER" or "ROLE_AGENT". Translate the words of model APIs, such as "assistant".',
});

// In our words (1.0, 4.1.4 Message): Message.parts is a non-empty array.
export const parts = conforms('data/message-parts', 'data.message-parts', 'hold the parts of a message in an array', {
  ...noMessage,
  advice:
    'Write a list, also for one text. Over JSON-RPC it is called parts: content is its name in the protobuf of 0.3.',
});

// In our words (1.0, 4.1.4 Message): Optional Message fields have their types: contextId, taskId strings;
//   referenceTaskIds, extensions string arrays; metadata object.
export const optional = conforms(
  'data/message-optional',
  'data.message-optional',
  'give each optional member of a message the right type',
  {
    otherwise: 'no message with an optional member came',
    advice:
      'Write contextId and taskId as texts, referenceTaskIds and extensions as lists of texts, metadata as an object. Leave out what is not set: no null.',
  },
);

// In our words (0.3, 6.4 Message Object): A message inside a task spells its kind and messageId as the schema says.
export const nested = conforms(
  'data/nested-message',
  'data.nested-message',
  'spell kind and messageId of messages inside a task correctly',
  {
    otherwise: 'set behaviours.input-required: no task held a message with kind or messageId',
    advice: 'Build messages for status and history by the code of direct answers: kind "message", messageId a text.',
  },
);

// In our words (1.0, 4.1.4 Message): History messages that carry ids name the task and its context.
export const historyIds = law(
  'data/history-ids',
  'data.history-ids',
  'name no other task and context in the messages of its history',
  {
    otherwise: 'set behaviours.input-required: no history with the ids of a task or context came',
    advice:
      'Write the ids of this task and its context into its messages, or leave both out: copied messages keep the ids of another task.',
    places: ({ value }) => {
      const history = member(value, 'history');
      const ids = [
        ['taskId', member(value, 'id') ?? ''],
        ['contextId', member(value, 'contextId')],
      ] as const;
      return (Array.isArray(history) ? history : []).flatMap((message, at) =>
        ids.flatMap(([name, own]) => {
          const found = member(message, name);
          const isOther = isString(found) && found !== '' && isString(own) && found !== own;
          return isOther
            ? [{ path: `/history/${at}/${name}`, problem: 'is not that of the task', seen: brief(found) }]
            : [];
        }),
      );
    },
  },
  (reading) => {
    const { task } = shown(reading);
    // The kit mixed up the ids of this task on purpose.
    if (isProbed(reading, task?.id)) return 'not-concerned';
    // In ProtoJSON an empty string is the same as an absent one.
    const named = (task?.history ?? []).filter((message) => message.taskId || message.contextId);
    if (task === undefined || named.length === 0) return 'not-concerned';
    for (const { messageId, taskId, contextId } of named) {
      if (taskId && taskId !== task.id)
        return `the message ${messageId} of the task ${task.id} names the task ${taskId}`;
      // A missing contextId is reported by the schema.
      if (task.contextId !== undefined && contextId && contextId !== task.contextId) {
        return `the message ${messageId} of the context ${task.contextId} names the context ${contextId}`;
      }
    }
    return 'holds';
  },
);

/** A message of the agent whose id an earlier message with other parts has too. */
function ofAnotherMessage(messages: readonly Message[]): Message | undefined {
  const known = new Map<string, Message>();
  return messages.find((message) => {
    const { messageId, role, parts } = message;
    const first = known.get(messageId);
    if (first === undefined) known.set(messageId, message);
    if (messageId === '' || first === undefined || (role !== 'agent' && first.role !== 'agent')) return false;
    return role !== first.role || !isDeepStrictEqual(parts, first.parts);
  });
}

// In our words (1.0, 4.1.4 Message): A messageId is the unique identifier of one message.
export const idsUnique = law(
  'data/message-ids-unique',
  'data.message-ids-unique',
  'give each message of a task a messageId of its own',
  {
    otherwise: 'set behaviours.input-required: no task with two messages came',
    advice: 'Make a UUID for each message of the agent: clients that know an id already drop the message.',
  },
  (reading) => {
    const { task } = shown(reading);
    if (task === undefined || isProbed(reading, task.id)) return 'not-concerned';
    const { message } = task.status;
    const messages = [...(task.history ?? []), ...(message === undefined ? [] : [message])];
    const twice = ofAnotherMessage(messages);
    if (twice !== undefined) return `two messages of the task ${task.id} have the id ${twice.messageId}`;
    return messages.length > 1 ? 'holds' : 'not-concerned';
  },
);
