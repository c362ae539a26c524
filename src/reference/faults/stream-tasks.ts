import { isObject, isTerminal, type StreamEvent, type Task, type TaskState } from '../../model/index.js';
import type { RpcCall } from '../calls.js';
import { lacking, onEvent } from '../edits.js';
import { RpcFailure } from '../failure.js';
import { fault } from '../fault.js';
import { type Patch, together } from '../seams.js';
import type { TaskEvent } from '../store.js';
import { emptiness, isOf, type Streaming, showing, silence } from './streaming.js';

const on = 'streaming';
const nowhere = '00000000-0000-4000-8000-00000000ffff';

/** Refuses streams with a configuration, as `failure`. */
const refusingConfiguration =
  (failure: 'InvalidParams' | 'InternalError'): Patch =>
  (inner) => ({
    problems(op, wire) {
      const has = op === 'stream' && isObject(wire) && wire['configuration'] !== undefined;
      return has ? [{ path: 'configuration', about: 'not with streams', failure }] : inner.problems(op, wire);
    },
  });

/** Changes a task when the client drops the stream of its message. */
const whenDropped =
  (after: (task: Task) => Task): Patch =>
  (inner, world) => ({
    abandoned(taskId, call) {
      inner.abandoned(taskId, call);
      const task = world.store.get(taskId);
      if (task !== undefined && isOf(world, 'stream', call)) world.store.put(after(task));
    },
  });

/** Drops the events for which `isLost` holds, once the client has dropped the last stream of the task, one of `op`. */
const unheard =
  (op: Streaming, isLost: (event: TaskEvent) => boolean): Patch =>
  (inner, world) => {
    const listening = new Map<string, Set<RpcCall>>();
    const forlorn = new Set<string>();
    const join = (taskId: string, call: RpcCall): void => {
      listening.set(taskId, (listening.get(taskId) ?? new Set()).add(call));
      forlorn.delete(taskId);
    };
    return {
      streamEvent(event, call, index) {
        if (event.type === 'task' && index === 0) join(event.task.id, call);
        return inner.streamEvent(event, call, index);
      },
      abandoned(taskId, call) {
        inner.abandoned(taskId, call);
        const calls = listening.get(taskId);
        calls?.delete(call);
        if (isOf(world, op, call) && (calls?.size ?? 0) === 0) forlorn.add(taskId);
      },
      transition: (task, event) =>
        forlorn.has(task.id) && event.type !== 'message' && isLost(event) ? task : inner.transition(task, event),
    };
  };

const into = (state: TaskState) => (task: Task) => ({ ...task, status: { ...task.status, state } });

/** Replaces the event of a message that is the answer. */
const onMessageEvent = (edit: (event: Extract<StreamEvent, { type: 'message' }>) => readonly StreamEvent[]) =>
  onEvent((event) => (event.type === 'message' ? edit(event) : event));

export const streamTaskFaults = [
  fault('stream-not-implemented', {
    about: 'There is no message/stream, though the card declares streams.',
    breaks: ['stream.implemented'],
    on,
    patch: lacking('stream'),
  }),
  fault('stream-declared-and-unsupported', {
    about: 'Streams are refused as unsupported, though the card declares them.',
    breaks: ['stream.implemented'],
    on,
    patch: lacking('stream', 'UnsupportedOperation'),
  }),
  fault('stream-is-empty', {
    about: 'Streams end before they have brought anything.',
    breaks: ['stream.implemented'],
    on,
    patch: (inner) => ({
      stream: async (command, call) => (command.op === 'stream' ? emptiness() : inner.stream(command, call)),
    }),
  }),
  fault('stream-breaks', {
    about: 'Every stream is an internal error.',
    breaks: ['stream.implemented'],
    on,
    patch: (inner) => ({
      async stream(command, call) {
        if (command.op === 'stream') throw new RpcFailure('InternalError');
        return inner.stream(command, call);
      },
    }),
  }),
  fault('stream-refuses-configuration', {
    about: 'A configuration is refused when the message is streamed.',
    breaks: ['stream.same-params', 'stream.non-blocking'],
    notOver: ['a2a-0.3-grpc'],
    on,
    patch: refusingConfiguration('InvalidParams'),
  }),
  fault('stream-breaks-on-history-length', {
    about: 'A configuration is an internal error when the message is streamed.',
    breaks: ['stream.same-params'],
    on,
    patch: refusingConfiguration('InternalError'),
  }),
  fault('stream-returns-at-once', {
    about: 'A stream ends after its first event when the client asks for an immediate return.',
    breaks: ['stream.non-blocking'],
    on,
    patch: (inner) => ({
      closes(event, call) {
        const params = isObject(call.params) ? call.params['configuration'] : undefined;
        return (isObject(params) && params['returnImmediately'] === true) || inner.closes(event, call);
      },
    }),
  }),
  fault('stream-repeats-its-message', {
    about: 'A message that is the answer is streamed twice.',
    breaks: ['stream.single-message'],
    on,
    patch: onMessageEvent((event) => [event, event]),
  }),
  fault('stream-task-after-message', {
    about: 'A status update follows the message that is the answer.',
    breaks: ['stream.single-message'],
    on,
    patch: onMessageEvent((event) => [
      event,
      { type: 'status', taskId: nowhere, contextId: nowhere, status: { state: 'completed' }, final: true },
    ]),
  }),
  fault('stream-stays-open-after-message', {
    about: 'A stream stays open after the message that is the answer.',
    breaks: ['stream.single-message'],
    on,
    patch: (inner) => ({
      closes: (event, call) => event.type !== 'message' && inner.closes(event, call),
      async stream(command, call) {
        const events = await inner.stream(command, call);
        async function* open(): AsyncGenerator<StreamEvent> {
          yield* events;
          yield* silence(call);
        }
        return open();
      },
    }),
  }),
  fault('stream-keeps-no-task', {
    about: 'Tasks that are streamed cannot be read.',
    breaks: ['stream.task-readable'],
    on,
    patch(inner) {
      const { shown, stream } = showing(inner);
      return {
        stream,
        find: (taskId, op) => (op === 'get' && shown.has(taskId) ? undefined : inner.find(taskId, op)),
      };
    },
  }),
  fault('stream-forgets-ended-tasks', {
    about: 'Tasks that were streamed are gone when they have ended. All others are kept.',
    breaks: ['stream.task-readable'],
    on,
    patch(inner, { store }) {
      const { shown, stream } = showing(inner);
      const isOver = (id: string): boolean => isTerminal(store.get(id)?.status.state ?? 'unknown');
      return {
        stream,
        find: (taskId, op) => (shown.has(taskId) && isOver(taskId) ? undefined : inner.find(taskId, op)),
      };
    },
  }),
  fault('stream-reads-as-another-task', {
    about: 'Tasks that are streamed are read under another id.',
    breaks: ['stream.task-readable'],
    on,
    patch(inner) {
      const { shown, stream } = showing(inner);
      return {
        stream,
        find(taskId, op) {
          const task = inner.find(taskId, op);
          return op === 'get' && task !== undefined && shown.has(taskId) ? { ...task, id: nowhere } : task;
        },
      };
    },
  }),
  fault('stream-drop-cancels-task', {
    about: 'A task is canceled when its stream is dropped.',
    breaks: ['stream.drop-harmless'],
    on,
    patch: whenDropped(into('canceled')),
  }),
  fault('stream-drop-fails-task', {
    about: 'A task fails when its stream is dropped.',
    breaks: ['stream.drop-harmless'],
    on,
    patch: whenDropped(into('failed')),
  }),
  fault('stream-drop-forgets-task', {
    about: 'A task is forgotten when its stream is dropped.',
    breaks: ['stream.drop-harmless'],
    on,
    patch(inner, world) {
      const forgotten = new Set<string>();
      return {
        abandoned(taskId, call) {
          inner.abandoned(taskId, call);
          if (isOf(world, 'stream', call)) forgotten.add(taskId);
        },
        find: (taskId, op) => (forgotten.has(taskId) ? undefined : inner.find(taskId, op)),
      };
    },
  }),
  fault('stream-drop-stops-the-work', {
    about: 'A task does not go on when its only stream was dropped, until somebody subscribes to it.',
    breaks: ['stream.drop-harmless'],
    on,
    patch: unheard('stream', () => true),
  }),
  fault('sub-drop-stops-the-work', {
    about: 'A task does not go on when the only subscription to it was dropped.',
    breaks: ['stream.drop-harmless'],
    on,
    profiles: ['a2a-1.0', 'a2a-0.3', 'a2a-0.2'],
    patch: unheard('subscribe', () => true),
  }),
  fault('stream-drop-loses-artifacts', {
    about: 'Artifacts are kept only while a stream of the task is open.',
    breaks: ['stream.drop-harmless'],
    on,
    profiles: ['a2a-1.0', 'a2a-0.3', 'a2a-0.2'],
    patch: together(
      unheard('stream', ({ type }) => type === 'artifact'),
      unheard('subscribe', ({ type }) => type === 'artifact'),
    ),
  }),
  fault('stream-artifacts-for-the-first-only', {
    about: 'Only the first stream of a task is sent artifacts.',
    breaks: ['stream.same-events'],
    on,
    patch: (inner) => ({
      audience: (event, calls) => inner.audience(event, event.type === 'artifact' ? calls.slice(0, 1) : calls),
    }),
  }),
  fault('stream-closing-one-closes-all', {
    about: 'When one stream of a task is closed, the others end.',
    breaks: ['stream.independent'],
    on,
    patch(inner) {
      const closed = new Set<string>();
      return {
        abandoned(taskId, call) {
          inner.abandoned(taskId, call);
          closed.add(taskId);
        },
        closes: (event, call) => ('taskId' in event && closed.has(event.taskId)) || inner.closes(event, call),
      };
    },
  }),
];
