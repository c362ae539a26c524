import { conforms } from '../../src/kit/index.js';

// A2A 0.3 §6.1 Task Object.

const noTask = { otherwise: 'no task came back' };

export const kind = conforms('data/task-kind', 'data.task-kind', 'mark each task with the kind "task"', {
  ...noTask,
  advice: 'Clients tell tasks from messages by this member.',
}).killedBy('data-task-without-kind', 'data-task-kind-in-capitals');

export const id = conforms('data/task-id', 'data.task-id', 'give each task an id that is a string', noTask).killedBy(
  'data-task-id-is-a-number',
  'data-task-without-id',
);

export const contextId = conforms(
  'data/task-context-id',
  'data.task-context-id',
  'give the contextId of a task as a string',
  noTask,
).killedBy('data-task-without-context-id', 'data-task-context-id-is-a-number');

export const status = conforms(
  'data/task-status',
  'data.task-status',
  'give each task a status that is an object',
  noTask,
).killedBy('data-task-status-is-a-word', 'data-task-without-status');

export const artifacts = conforms(
  'data/task-artifacts',
  'data.task-artifacts',
  'hold the artifacts of a task in an array',
  { otherwise: 'no task with artifacts came back; set behaviours.artifact-text' },
).killedBy('data-artifacts-are-a-map', 'data-artifacts-are-texts', 'data-nulls-for-absent-members');

export const history = conforms('data/task-history', 'data.task-history', 'hold the history of a task in an array', {
  otherwise: 'no task with a history came back',
}).killedBy('data-history-is-a-text', 'data-history-of-texts');

export const metadata = conforms(
  'data/task-metadata',
  'data.task-metadata',
  'hold the metadata of a task in an object',
  {
    otherwise: 'no task with metadata came back',
  },
).killedBy('data-task-metadata-is-an-array', 'data-nulls-for-absent-members');
