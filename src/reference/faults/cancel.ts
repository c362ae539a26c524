import { mistaking } from '../edits.js';
import { fault } from '../fault.js';

export const cancelFaults = [
  fault('cancel-accepts-terminal', {
    about: 'A finished task can be canceled.',
    breaks: ['cancel.terminal-refused', 'cancel.terminal-code', 'life.terminal-final'],
    patch: (inner) => ({
      refusal: (command, task) => (command.op === 'cancel' ? undefined : inner.refusal(command, task)),
      transition: (task, event) =>
        event.type === 'status' && event.status.state === 'canceled'
          ? { ...task, status: event.status }
          : inner.transition(task, event),
    }),
  }),
  fault('cancel-wrong-code', {
    about: 'A finished task is refused as an internal error.',
    breaks: ['cancel.terminal-code'],
    patch: mistaking('TaskNotCancelable', 'InternalError'),
  }),
];
