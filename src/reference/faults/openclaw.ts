import { member } from '../../model/index.js';
import { withHistory } from '../core.js';
import { onStatus, set, without } from '../edits.js';
import { fault } from '../fault.js';
import { messageOf } from './send-refusals.js';

/** Defects of an agent of the OpenClaw dialect. */
export const openclawFaults = [
  fault('answer-not-in-status', {
    about: 'The status of a completed task says nothing.',
    breaks: ['send.answer-in-status'],
    patch: onStatus((status) => (status['state'] === 'completed' ? without(status, 'message') : status)),
  }),
  fault('answer-without-parts', {
    about: 'The message of a completed task has no part.',
    breaks: ['send.answer-in-status'],
    patch: onStatus((status) => (status['state'] === 'completed' ? set(status, 'message.parts', []) : status)),
  }),
  fault('answer-not-in-history', {
    about: 'The history ends before the answer.',
    breaks: ['send.answer-in-history'],
    patch: () => ({ view: withHistory }),
  }),
  fault('history-of-the-whole-context', {
    about: 'The history of a task begins with the other tasks of its context.',
    breaks: ['get.history-of-task'],
    patch: (inner, { store }) => ({
      view(task, historyLength) {
        const before = store.all().filter(({ id, contextId }) => id < task.id && contextId === task.contextId);
        const history = [...before.flatMap((one) => one.history ?? []), ...(task.history ?? [])];
        return inner.view({ ...task, history }, historyLength);
      },
    }),
  }),
  fault('queue-refuses-second', {
    about: 'A message in a context with a task at work is refused.',
    breaks: ['send.queued'],
    patch: (inner, { store }) => ({
      problems(op, wire) {
        const contextId = member(messageOf(wire), 'contextId');
        const busy = store
          .all()
          .some((task) => task.contextId === contextId && ['submitted', 'working'].includes(task.status.state));
        return op === 'send' && busy
          ? [{ path: 'message', about: 'the context is busy', failure: 'InternalError' }]
          : inner.problems(op, wire);
      },
    }),
  }),
  fault('queue-works-on-all-at-once', {
    about: 'Every task of a context is at work at once.',
    breaks: ['send.one-at-a-time'],
    patch: (inner) => ({
      create(message) {
        const task = inner.create(message);
        return { ...task, status: { ...task.status, state: 'working' } };
      },
    }),
  }),
  fault('queue-hides-waiting', {
    about: 'Tasks that wait are not listed.',
    breaks: ['list.has-queued'],
    patch: (inner) => ({
      page: (tasks, query) =>
        inner.page(
          tasks.filter(({ status }) => status.state !== 'submitted'),
          query,
        ),
    }),
  }),
  fault('queue-stops-after-cancel', {
    about: 'Once a task was canceled, nothing more is done in its context.',
    breaks: ['send.queue-moves-on'],
    patch: (inner, { store }) => ({
      transition(task, event) {
        const stuck = store
          .all()
          .some(
            ({ id, contextId, status }) =>
              id !== task.id && contextId === task.contextId && status.state === 'canceled',
          );
        const cancels = event.type === 'status' && event.status.state === 'canceled';
        return stuck && !cancels ? task : inner.transition(task, event);
      },
    }),
  }),
];
