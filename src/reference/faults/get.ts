import { onResult, set } from '../edits.js';
import { fault } from '../fault.js';

export const getFaults = [
  fault('get-unknown-answers-empty-task', {
    about: 'An unknown task id gives a task that nobody made.',
    breaks: ['get.unknown-refused', 'get.unknown-code'],
    patch: (inner) => ({
      find: (id, op) =>
        inner.find(id, op) ?? (op === 'get' ? { id, contextId: id, status: { state: 'unknown' } } : undefined),
    }),
  }),
  fault('get-answers-another-id', {
    about: 'tasks/get answers with a task of another id.',
    breaks: ['get.same-task'],
    patch: onResult('get', (task) => set(task, 'id', '00000000-0000-4000-8000-00000000ffff')),
  }),
];
