import type { TaskState } from '../../model/index.js';
import { moved } from '../edits.js';
import { RpcFailure } from '../failure.js';
import { fault } from '../fault.js';
import type { Patch } from '../seams.js';

const movingLater =
  (from: TaskState, to: TaskState): Patch =>
  (inner, { clock, store }) => ({
    transition(task, event) {
      const next = inner.transition(task, event);
      if (next !== task && next.status.state === from) {
        clock.after(2000, () => store.put(moved(store.get(next.id) ?? next, to)));
      }
      return next;
    },
  });

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
  fault('life-failed-completes-later', {
    about: 'A failed task is tried again in secret, and is completed two seconds later.',
    breaks: ['life.terminal-final'],
    patch: movingLater('failed', 'completed'),
  }),
  fault('life-completed-goes-on-later', {
    about: 'A completed task is at work again two seconds later.',
    breaks: ['life.terminal-final'],
    patch: movingLater('completed', 'working'),
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
