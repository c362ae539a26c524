import { onPart, onTask, without } from '../edits.js';
import { fault } from '../fault.js';

export const dataFaults = [
  fault('data-task-without-context-id', {
    about: 'Tasks have no contextId.',
    breaks: ['data.task-context-id', 'send.context-id-made'],
    patch: onTask((task) => without(task, 'contextId')),
  }),
  fault('data-part-type-instead-of-kind', {
    about: 'Parts are told apart by `type`, as in 0.1.',
    breaks: ['data.part-kind'],
    patch: onPart(({ kind, ...part }) => ({ type: kind, ...part })),
  }),
];
