import { isTerminal, member, type Task, type TaskState } from '../../model/index.js';
import { behindRefusal, mistaking, moved, onReply } from '../edits.js';
import { fault } from '../fault.js';
import { peek, plainReply } from '../http.js';
import type { Patch } from '../seams.js';
import { named, resending, withoutTask } from './send-tasks.js';

/** A message to a task in one of `states` sets it to the state `to`, and is then refused. */
const spoiling =
  (states: readonly TaskState[], to: TaskState): Patch =>
  (inner, { store }) => ({
    refusal(command, task) {
      if (command.op === 'send' && states.includes(task.status.state)) {
        store.put({ ...task, status: { ...task.status, state: to } });
      }
      return inner.refusal(command, task);
    },
  });

export const sendTerminalFaults = [
  fault('send-finished-task-starts-new-one', {
    about: 'A message to a finished task starts another task.',
    breaks: ['send.terminal-refused'],
    patch: resending((send, world) => {
      const state = named(world, send)?.status.state;
      return state !== undefined && isTerminal(state) ? withoutTask(send) : send;
    }),
  }),
  fault('send-only-completed-is-final', {
    about: 'Messages to failed, rejected and canceled tasks are taken.',
    breaks: ['send.terminal-refused'],
    patch: (inner) => ({
      refusal: (command, task) =>
        command.op === 'send' && task.status.state !== 'completed' ? undefined : inner.refusal(command, task),
    }),
  }),
  fault('send-refusal-reopens-task', {
    about: 'A message to a finished task is refused, and the task is set to work all the same.',
    breaks: ['send.terminal-refused', 'life.terminal-final'],
    patch: behindRefusal('send', (task) => moved(task, 'working')),
  }),
  fault('send-takes-up-ended-task', {
    about: 'A message to a finished task is taken, and the task works on it and ends again.',
    breaks: ['send.terminal-refused', 'stream.terminal-refused', 'life.terminal-final'],
    on: 'streaming',
    patch: (inner, { store }) => ({
      find(id, op) {
        const task = inner.find(id, op);
        if (task === undefined || !isTerminal(task.status.state) || (op !== 'send' && op !== 'stream')) return task;
        const open: Task = { ...task, status: { ...task.status, state: 'input-required' } };
        store.put(open);
        return open;
      },
    }),
  }),
  fault('send-message-fails-rejected-task', {
    about: 'A message turns a rejected task into a failed one.',
    breaks: ['life.rejected', 'life.terminal-final'],
    patch: spoiling(['rejected'], 'failed'),
  }),
  fault('send-message-completes-failed-task', {
    about: 'A message turns a failed task into a completed one.',
    breaks: ['life.failed', 'life.terminal-final'],
    patch: spoiling(['failed'], 'completed'),
  }),
  fault('send-message-makes-ended-task-unreadable', {
    about: 'Reading a failed or rejected task that got a message is answered with HTTP 500 and no JSON.',
    breaks: ['life.rejected', 'life.failed'],
    patch(inner, world, whole) {
      const knocked = new Set<unknown>();
      const spoiled = onReply('endpoint', (reply, request) => {
        const params = member(peek(request), 'params');
        const id = member(params, 'id') ?? member(params, 'taskId');
        return knocked.has(id) ? plainReply(500, 'Internal Server Error') : reply;
      });
      return {
        ...spoiled(inner, world, whole),
        refusal(command, task) {
          if (command.op === 'send' && /failed|rejected/.test(task.status.state)) knocked.add(task.id);
          return inner.refusal(command, task);
        },
      };
    },
  }),
  fault('send-adopts-unknown-task-id', {
    about: 'A message that names an unknown task makes a task of that id.',
    breaks: ['send.task-id-not-adopted', 'send.unknown-task', 'send.unknown-task-refused'],
    patch: (inner, { store }, whole) => ({
      execute(command, call) {
        const message = command.op === 'send' ? command.params.message : undefined;
        const id = message?.taskId;
        if (message !== undefined && id !== undefined && store.get(id) === undefined) {
          const { taskId: _, ...rest } = message;
          store.put({ ...whole.create(rest), id });
        }
        return inner.execute(command, call);
      },
    }),
  }),
  fault('send-refuses-unknown-task-and-makes-it', {
    about: 'A message that names an unknown task is refused, and the task is made all the same.',
    breaks: ['send.task-id-not-adopted'],
    patch: (inner, { store }, whole) => ({
      find(id, op) {
        const found = inner.find(id, op);
        if (found === undefined && op === 'send') {
          store.put({ ...whole.create({ messageId: '', role: 'user', parts: [] }), id });
        }
        return found;
      },
    }),
  }),
  fault('send-unknown-task-is-internal-error', {
    about: 'A message that names an unknown task breaks the agent.',
    breaks: ['send.unknown-task'],
    patch: mistaking('TaskNotFound', 'InternalError', 'send'),
  }),
  fault('send-unknown-task-is-invalid-params', {
    about: 'A message that names an unknown task is refused as if the params were broken.',
    breaks: ['send.unknown-task'],
    patch: mistaking('TaskNotFound', 'InvalidParams', 'send'),
  }),
];
