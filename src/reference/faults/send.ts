import { overlooking } from '../edits.js';
import { fault } from '../fault.js';

export const sendFaults = [
  fault('send-accepts-missing-parts', {
    about: 'A message without parts starts a task.',
    breaks: ['send.parts-required'],
    patch: overlooking('send', 'message.parts'),
  }),
  fault('send-answer-starts-new-task', {
    about: 'A message to a waiting task starts another task.',
    breaks: ['send.continues-task', 'life.input-required-continues'],
    patch: (inner) => ({
      command(op, wire) {
        const command = inner.command(op, wire);
        if (command.op !== 'send') return command;
        const { taskId, ...message } = command.params.message;
        return { op: 'send', params: { ...command.params, message } };
      },
    }),
  }),
  fault('send-one-task-for-all', {
    about: 'Every new task has the same id.',
    breaks: ['send.distinct-ids', 'send.new-task-in-context', 'send.parallel-in-context'],
    patch: (inner) => ({ id: (kind) => (kind === 'task' ? '00000000-0000-4000-8000-000000000001' : inner.id(kind)) }),
  }),
];
