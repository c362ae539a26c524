import { RpcFailure } from '../failure.js';
import { fault } from '../fault.js';

export const lifeFaults = [
  fault('life-restarts-completed', {
    about: 'A message to a completed task sets it to work again.',
    breaks: ['life.terminal-final', 'send.terminal-refused'],
    patch: (inner) => ({
      refusal: (command, task) => (command.op === 'send' ? undefined : inner.refusal(command, task)),
      transition: (task, event) =>
        inner.transition(
          event.type === 'message' ? { ...task, status: { ...task.status, state: 'working' } } : task,
          event,
        ),
    }),
  }),
  fault('life-refuses-answers', {
    about: 'A task that waits for the client takes no message.',
    breaks: ['life.input-required-continues', 'life.auth-required-continues', 'send.continues-task'],
    patch: (inner) => ({
      refusal: (command, task) =>
        command.op === 'send' ? new RpcFailure('UnsupportedOperation') : inner.refusal(command, task),
    }),
  }),
];
