import { conforms } from '../../src/kit/index.js';

// A2A 0.3 §6.1 Task Object.

const noTask = { otherwise: 'no task came back' };

export const contextId = conforms(
  'data/task-context-id',
  'data.task-context-id',
  'give each task a contextId',
  noTask,
).killedBy('data-task-without-context-id');
