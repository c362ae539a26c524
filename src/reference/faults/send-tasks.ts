import { isTerminal, member, type Task, type TaskState } from '../../model/index.js';
import type { Command, RpcCall } from '../calls.js';
import { onEvent, onSentTask, onStatus, set, without } from '../edits.js';
import { RpcFailure } from '../failure.js';
import { fault } from '../fault.js';
import { peek, plainReply } from '../http.js';
import { type Patch, together, type World } from '../seams.js';
import { plainWord } from '../words.js';

type Send = Extract<Command, { op: 'send' }>;

/** Replaces the command of a send. */
export const resending =
  (change: (send: Send, world: World) => Send): Patch =>
  (inner, world) => ({
    command(op, wire) {
      const command = inner.command(op, wire);
      return command.op === 'send' ? change(command, world) : command;
    },
  });

export const withoutTask = ({ params }: Send): Send => {
  const { taskId: _, ...message } = params.message ?? { messageId: '', role: 'user', parts: [] };
  return { op: 'send', params: { ...params, message } };
};

/** The task that a send names; undefined if the agent does not have it. */
export const named = ({ store }: World, command: Command): Task | undefined =>
  command.op === 'send' && command.params.message?.taskId !== undefined
    ? store.get(command.params.message.taskId)
    : undefined;

const saying = (state: TaskState, how: 'nothing' | 'no-part'): Patch =>
  onStatus((status) => {
    if (plainWord(status['state']) !== state) return status;
    return how === 'nothing'
      ? without(status, 'message')
      : set(status, 'message', { ...(status['message'] as object), parts: [] });
  });

/** The id of the task that the params of a send name, where the dialect allows one. */
const namedIn = ({ dialect }: World, params: unknown): string | undefined =>
  dialect.operations.send?.params.decode(params)?.message?.taskId;
/** Edits the task in the answer to a message that names a task. */
const onAnswer =
  (edit: (task: unknown) => unknown): Patch =>
  (inner, world, whole) =>
    onSentTask((task, { params }: RpcCall) => (namedIn(world, params) === undefined ? task : edit(task)))(
      inner,
      world,
      whole,
    );
const elsewhere = '00000000-0000-4000-8000-00000000eeee';

/** Notes the tasks that a message named without their context. */
const namedAlone =
  (seen: Set<string>): Patch =>
  (inner) => ({
    command(op, wire) {
      const command = inner.command(op, wire);
      if (command.op !== 'send' && command.op !== 'stream') return command;
      const { taskId, contextId } = command.params.message ?? {};
      if (taskId !== undefined && contextId === undefined) seen.add(taskId);
      return command;
    },
  });

/** What follows a message that names a task without its context. */
const afterTaskAlone =
  (patch: (isAlone: (taskId: string) => boolean) => Patch): Patch =>
  (inner, world, whole) => {
    const seen = new Set<string>();
    return together(
      namedAlone(seen),
      patch((id) => seen.has(id)),
    )(inner, world, whole);
  };

const keptElsewhere: Patch = afterTaskAlone((isAlone) => (inner) => ({
  transition: (task, event) =>
    inner.transition(
      task,
      event.type === 'message' && isAlone(task.id)
        ? { ...event, message: { ...event.message, contextId: elsewhere } }
        : event,
    ),
}));

export const sendTaskFaults = [
  fault('send-answer-starts-new-task', {
    about: 'A message to a waiting task starts another task.',
    breaks: ['send.continues-task', 'life.input-required-continues'],
    patch: resending(withoutTask),
  }),
  fault('send-answer-answered-by-another-task', {
    about: 'The reply to a message to a waiting task names another task.',
    breaks: ['send.continues-task'],
    patch: onAnswer((task) => set(task, 'id', elsewhere)),
  }),
  fault('send-answer-changes-context', {
    about: 'A continued task is in another context than before.',
    breaks: ['send.continuation-keeps-context'],
    patch: onAnswer((task) => set(task, 'contextId', elsewhere)),
  }),
  fault('send-task-alone-is-kept-in-new-context', {
    about: 'A message that names a task without its context is kept in the history with a context of its own.',
    breaks: ['send.continuation-keeps-context', 'data.history-ids'],
    patch: keptElsewhere,
  }),
  fault('send-task-alone-is-told-in-new-context', {
    about: 'After a message that names a task without its context, the messages of its status are in another context.',
    breaks: ['send.continuation-keeps-context'],
    profiles: ['a2a-1.0', 'a2a-0.3', 'a2a-0.2'],
    patch: afterTaskAlone((isAlone) => (inner) => ({
      stamp(act, task) {
        const event = inner.stamp(act, task);
        if (event.type !== 'status' || event.status.message === undefined || !isAlone(task.id)) return event;
        return { ...event, status: { ...event.status, message: { ...event.status.message, contextId: elsewhere } } };
      },
    })),
  }),
  fault('stream-task-alone-is-kept-in-new-context', {
    about: 'A streamed message that names a task without its context is kept in the history with a context of its own.',
    breaks: ['send.continuation-keeps-context', 'stream.keeps-context', 'data.history-ids'],
    on: 'streaming',
    patch: keptElsewhere,
  }),
  fault('stream-task-alone-is-told-in-new-context', {
    about: 'After a streamed message that names a task without its context, the updates are in another context.',
    breaks: ['send.continuation-keeps-context', 'stream.keeps-context'],
    on: 'streaming',
    profiles: ['a2a-1.0', 'a2a-0.3', 'a2a-0.2'],
    patch: afterTaskAlone((isAlone) =>
      onEvent((event) =>
        (event.type === 'status' || event.type === 'artifact') && isAlone(event.taskId)
          ? { ...event, contextId: elsewhere }
          : event,
      ),
    ),
  }),
  fault('send-refuses-after-sign-in', {
    about: 'A task that waits for authorization takes no message.',
    breaks: ['life.auth-required-continues'],
    patch: (inner) => ({
      refusal: (command, task) =>
        command.op === 'send' && task.status.state === 'auth-required'
          ? new RpcFailure('UnsupportedOperation')
          : inner.refusal(command, task),
    }),
  }),
  fault('send-asks-for-input-without-words', {
    about: 'A task waits for input and does not say for which.',
    breaks: ['life.input-required-message'],
    patch: saying('input-required', 'nothing'),
  }),
  fault('send-asks-for-input-with-empty-message', {
    about: 'A task waits for input, and its status message has no parts.',
    breaks: ['life.input-required-message'],
    patch: saying('input-required', 'no-part'),
  }),
  fault('send-asks-to-sign-in-without-words', {
    about: 'A task waits for credentials and does not say for which.',
    breaks: ['life.auth-required-message'],
    patch: saying('auth-required', 'nothing'),
  }),
  fault('send-asks-to-sign-in-with-empty-message', {
    about: 'A task waits for credentials, and its status message has no parts.',
    breaks: ['life.auth-required-message'],
    patch: saying('auth-required', 'no-part'),
  }),
  fault('send-second-message-loses-task', {
    about: 'A task at work that gets a message cannot be read any more.',
    breaks: ['life.message-while-working'],
    patch(inner, world) {
      const lost = new Set<string>();
      return {
        find: (id, op) => (op !== 'send' && lost.has(id) ? undefined : inner.find(id, op)),
        execute(command, call) {
          const task = named(world, command);
          if (task !== undefined && !isTerminal(task.status.state)) lost.add(task.id);
          return inner.execute(command, call);
        },
      };
    },
  }),
  fault('send-second-message-crashes', {
    about: 'A message to a task at work is answered with HTTP 500 and no JSON.',
    breaks: ['life.message-while-working'],
    patch: (inner, world) => ({
      async serveRpc(request) {
        const id = namedIn(world, member(peek(request), 'params'));
        const state = id === undefined ? undefined : world.store.get(id)?.status.state;
        return state === 'working' || state === 'submitted'
          ? plainReply(500, 'Internal Server Error')
          : inner.serveRpc(request);
      },
    }),
  }),
];
