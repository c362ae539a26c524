import { isObject } from '../../model/index.js';
import { script } from '../behaviours.js';
import { edited, onMessage, onMessageReply, onTask, set, without } from '../edits.js';
import { fault } from '../fault.js';
import { type Patch, together } from '../seams.js';
import { allBut } from '../variant.js';
import { plainWord, spelledLike } from '../words.js';

/** Edits messages that are answers, also in dialects that make a task for every message. */
const onReplied = (edit: Parameters<typeof onMessageReply>[0]): Patch =>
  together(() => ({ script }), onMessageReply(edit));

const nobody = '00000000-0000-4000-8000-00000000ffff';

export const dataMessageFaults = [
  fault('data-reply-without-kind', {
    about: 'A message that is the answer has no kind.',
    breaks: ['data.message-kind'],
    profiles: ['a2a-0.3', 'a2a-0.2'],
    patch: onMessageReply((message) => without(message, 'kind')),
  }),
  fault('data-reply-of-another-kind', {
    about: 'A message that is the answer is of the kind Message.',
    breaks: ['data.message-kind'],
    patch: onReplied((message) => set(message, 'kind', 'Message')),
  }),
  fault('data-reply-id-is-a-number', {
    about: 'The messageId of an answer is a number.',
    breaks: ['data.message-id'],
    notOver: ['grpc'],
    patch: onReplied((message) => set(message, 'messageId', 7)),
  }),
  fault('data-reply-id-is-empty', {
    about: 'The messageId of an answer is empty.',
    breaks: ['data.message-id'],
    profiles: ['a2a-1.0', 'a2a-0.3', 'a2a-0.2'],
    patch: onMessageReply((message) => set(message, 'messageId', '')),
  }),
  fault('data-reply-without-id', {
    about: 'A message that is the answer has no messageId.',
    breaks: ['data.message-id'],
    profiles: ['a2a-1.0', 'a2a-0.3', 'a2a-0.2'],
    patch: onMessageReply((message) => without(message, 'messageId')),
  }),
  fault('data-reply-of-the-user', {
    about: 'A message that is the answer has the role user.',
    breaks: ['data.agent-role'],
    patch: onReplied((message) => edited(message, 'role', (role) => spelledLike(role, 'user'))),
  }),
  fault('data-status-message-of-the-user', {
    about: 'The message of a status has the role user.',
    breaks: ['data.agent-role'],
    patch: onTask((task) => edited(task, 'status.message.role', (role) => spelledLike(role, 'user'))),
  }),
  fault('data-status-message-is-a-text', {
    about: 'The message of a status is a string.',
    breaks: ['data.status-message'],
    notOver: ['grpc'],
    patch: onTask((task) => edited(task, 'status.message', () => 'Done.')),
  }),
  fault('data-role-assistant', {
    about: 'The agent has the role assistant.',
    breaks: ['data.message-role'],
    patch: onMessage((message) =>
      edited(message, 'role', (role) => (plainWord(role) === 'agent' ? 'assistant' : role)),
    ),
  }),
  fault('data-roles-of-the-proto', {
    about: 'Roles are spelled as in the protobuf.',
    breaks: ['data.message-role'],
    notOver: ['grpc'],
    patch: onMessage((message) => edited(message, 'role', (role) => `ROLE_${String(role).toUpperCase()}`)),
  }),
  fault('data-message-without-role', {
    about: 'Messages have no role.',
    breaks: ['data.message-role'],
    patch: onMessage((message) => without(message, 'role')),
  }),
  fault('data-message-parts-are-a-text', {
    about: 'The parts of a message are a string.',
    breaks: ['data.message-parts'],
    notOver: ['grpc'],
    patch: onMessage((message) => set(message, 'parts', 'Done.')),
  }),
  fault('data-message-content-instead-of-parts', {
    about: 'The parts of a message are called content, as in the protobuf.',
    breaks: ['data.message-parts', 'data.no-unknown-members'],
    notOver: ['grpc'],
    patch: onMessage(({ parts, ...message }) => ({ ...message, content: parts })),
  }),
  fault('data-message-without-parts', {
    about: 'Messages have no parts.',
    breaks: ['data.message-parts'],
    // In protobuf an empty list is one that is left out, and 0.3 does not say that a message has a part.
    profiles: ['a2a-1.0-grpc'],
    patch: onMessage((message) => without(message, 'parts')),
  }),
  fault('data-message-ids-all-alike', {
    about: 'Each message of the agent has the same id.',
    breaks: ['data.message-ids-unique'],
    patch: onMessage((message) =>
      plainWord(message['role']) === 'agent' ? set(message, 'messageId', nobody) : message,
    ),
  }),
  fault('data-message-has-the-id-of-the-question', {
    about: 'The message of a status has the id of the message that it answers.',
    breaks: ['data.message-ids-unique'],
    patch: onTask((task) => {
      const [first] = [task['history']].flat();
      return isObject(first) && first['messageId'] !== undefined
        ? edited(task, 'status.message.messageId', () => first['messageId'])
        : task;
    }),
  }),
  fault('data-message-references-one-task', {
    about: 'The referenceTaskIds of a message are a string.',
    breaks: ['data.message-optional'],
    notOver: ['grpc'],
    patch: onMessage((message) => set(message, 'referenceTaskIds', nobody)),
  }),
  fault('data-message-task-id-is-null', {
    about: 'The taskId of a message is null.',
    breaks: ['data.message-optional', 'data.no-nulls'],
    profiles: allBut('a2a-1.0'),
    patch: onMessage((message) => set(message, 'taskId', null)),
  }),
  fault('data-message-extensions-of-numbers', {
    about: 'The extensions of a message are numbers.',
    breaks: ['data.message-optional'],
    notOver: ['grpc'],
    patch: onMessage((message) => set(message, 'extensions', [1])),
  }),
  fault('data-history-of-another-kind', {
    about: 'Messages in a history say that they are tasks.',
    breaks: ['data.nested-message'],
    notOver: ['grpc'],
    patch: onTask((task) => set(task, 'history.*.kind', 'task')),
  }),
  fault('data-status-message-id-is-a-number', {
    about: 'The message of a status has a messageId that is a number.',
    breaks: ['data.nested-message'],
    notOver: ['grpc'],
    patch: onTask((task) => set(task, 'status.message.messageId', 7)),
  }),
  fault('data-history-of-another-task', {
    about: 'Messages in a history name another task.',
    breaks: ['data.history-ids'],
    patch: onTask((task) => edited(task, 'history.*', (message) => set(message, 'taskId', nobody))),
  }),
  fault('data-history-of-another-context', {
    about: 'Messages in a history name another context.',
    breaks: ['data.history-ids'],
    patch: onTask((task) => edited(task, 'history.*', (message) => set(message, 'contextId', nobody))),
  }),
];
