import { isObject } from '../../model/index.js';
import { script } from '../behaviours.js';
import { edited, onMessage, onMessageReply, onTask, set } from '../edits.js';
import { fault } from '../fault.js';
import { type Patch, together } from '../seams.js';
import { allBut } from '../variant.js';
import { plainWord, spelledLike } from '../words.js';

/** Edits messages that are answers, also in dialects that make a task for every message. */
const onReplied = (edit: Parameters<typeof onMessageReply>[0]): Patch =>
  together(() => ({ script }), onMessageReply(edit));

const nobody = '00000000-0000-4000-8000-00000000ffff';

export const dataMessageFaults = [
  fault('data-reply-id-is-a-number', {
    about: 'The messageId of an answer is a number.',
    breaks: ['data.message-id'],
    notOver: ['grpc'],
    patch: onReplied((message) => set(message, 'messageId', 7)),
  }),
  fault('data-reply-of-the-user', {
    about: 'A message that is the answer has the role user.',
    breaks: ['data.agent-role'],
    patch: onReplied((message) => edited(message, 'role', (role) => spelledLike(role, 'user'))),
  }),
  fault('data-roles-of-the-proto', {
    about: 'Roles are spelled as in the protobuf.',
    breaks: ['data.message-role'],
    notOver: ['grpc'],
    patch: onMessage((message) => edited(message, 'role', (role) => `ROLE_${String(role).toUpperCase()}`)),
  }),
  fault('data-message-content-instead-of-parts', {
    about: 'The parts of a message are called content, as in the protobuf.',
    breaks: ['data.message-parts', 'data.no-unknown-members'],
    notOver: ['grpc'],
    patch: onMessage(({ parts, ...message }) => ({ ...message, content: parts })),
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
];
