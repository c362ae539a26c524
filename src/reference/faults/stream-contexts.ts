import type { StreamEvent } from '../../model/index.js';
import type { RpcCall } from '../calls.js';
import { fault } from '../fault.js';

const on = 'streaming';
const profiles = ['a2a-1.0', 'a2a-0.3', 'a2a-0.2'] as const;

const taskOf = (event: StreamEvent): { readonly id: string; readonly contextId?: string } | undefined => {
  if (event.type === 'message') return undefined;
  if (event.type === 'task') return event.task;
  return { id: event.taskId, ...(event.contextId === undefined ? {} : { contextId: event.contextId }) };
};

export const streamContextFaults = [
  fault('stream-mixes-tasks-of-a-context', {
    about: 'Streams bring the updates of every task of their context.',
    breaks: ['stream.in-one-context', 'stream.same-task'],
    on,
    profiles,
    patch(inner) {
      const updates = new Map<string, StreamEvent[]>();
      const readTo = new WeakMap<RpcCall, number>();
      return {
        audience(event, calls) {
          const { contextId = '' } = taskOf(event) ?? {};
          updates.set(contextId, [...(updates.get(contextId) ?? []), event]);
          return inner.audience(event, calls);
        },
        streamEvent(event, call, index) {
          const { id, contextId = '' } = taskOf(event) ?? {};
          const all = updates.get(contextId) ?? [];
          const foreign = all.slice(readTo.get(call) ?? all.length).filter((one) => taskOf(one)?.id !== id);
          readTo.set(call, all.length);
          return [...foreign, event].flatMap((one) => inner.streamEvent(one, call, index));
        },
      };
    },
  }),
  fault('stream-newest-of-a-context-takes-all', {
    about: 'When another stream is opened in a context, the one before is sent nothing any more.',
    breaks: ['stream.in-one-context'],
    on,
    profiles,
    patch(inner) {
      const newest = new Map<string, string>();
      return {
        audience(event, calls) {
          const { id, contextId = '' } = taskOf(event) ?? {};
          return id === (newest.get(contextId) ?? id) ? inner.audience(event, calls) : [];
        },
        streamEvent(event, call, index) {
          if (event.type === 'task') newest.set(event.task.contextId ?? '', event.task.id);
          return inner.streamEvent(event, call, index);
        },
      };
    },
  }),
];
