import { conforms } from '../../src/kit/index.js';

// A2A 0.3 §6.1 Task Object.

const noTask = { otherwise: 'set behaviours.completed: no task came' };

// In our words (0.3, 6.1 Task Object): Task.kind is "task".
export const kind = conforms('data/task-kind', 'data.task-kind', 'mark each task with the kind "task"', {
  ...noTask,
  advice: 'Set "kind": "task" when you build a task: clients distinguish it from a message by this word.',
});

// In our words (1.0, 4.1.1 Task): Task.id is a non-empty string.
export const id = conforms('data/task-id', 'data.task-id', 'give each task an id that is a string', {
  ...noTask,
  advice: 'Call the member id, and convert numbers from a database to texts: "17", not 17.',
});

// In our words (1.0, 4.1.1 Task): Task.contextId, when present, is a non-empty string.
export const contextId = conforms(
  'data/task-context-id',
  'data.task-context-id',
  'give the contextId of a task as a string',
  {
    ...noTask,
    advice:
      'Make a contextId for each task whose message named none, and show it whenever the task is shown. Convert numbers to texts.',
  },
);

// In our words (1.0, 4.1.1 Task): Task.status is present.
export const status = conforms('data/task-status', 'data.task-status', 'give each task a status that is an object', {
  ...noTask,
  advice:
    'Write {"status": {"state": "working"}} (1.0: "TASK_STATE_WORKING"): neither the bare word, nor a state beside the id.',
});

// In our words (1.0, 4.1.1 Task): Task.artifacts is an array of Artifact when present.
export const artifacts = conforms(
  'data/task-artifacts',
  'data.task-artifacts',
  'hold the artifacts of a task in an array',
  {
    otherwise: 'set behaviours.artifact-text: no task with artifacts came',
    advice:
      'Write a list of Artifact objects, neither a map nor texts. Leave the member out where there are none, instead of writing null.',
  },
);

// In our words (1.0, 4.1.1 Task): Task.history is an array of Message when present.
export const history = conforms('data/task-history', 'data.task-history', 'hold the history of a task in an array', {
  otherwise: 'set behaviours.input-required: no task with a history came',
  advice: 'Keep whole messages, with role and parts, in a list: neither a transcript in one text, nor a list of texts.',
});

// In our words (1.0, 4.1.1 Task): Task.metadata is an object when present.
export const metadata = conforms(
  'data/task-metadata',
  'data.task-metadata',
  'hold the metadata of a task in an object',
  {
    otherwise: 'no task with metadata came',
    advice: 'Write an object, {"key": "value"}, or leave the member out: neither a list nor null.',
  },
);
