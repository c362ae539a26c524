import { isTerminal, type StreamEvent } from '../../model/index.js';
import type { RpcCall } from '../calls.js';
import { onEvent } from '../edits.js';
import { page } from './breaking.js';
import { fuzzFault } from './fuzz-fault.js';

/** What goes wrong when tasks are followed, most of it only when two streams are open. */
export const streamFaults = [
  fuzzFault('fuzz-events-to-wrong-subscriber', {
    about: 'While tasks are streamed at once, each stream shows what the other task does too.',
    seenBy: ['streams', 'law', 'life-cycle', 'history'],
    on: 'streaming-and-push',
    patch: (inner, world, whole) => {
      const newest = new Map<RpcCall, StreamEvent>();
      const edit = onEvent((event, call) => {
        if (event.type !== 'status') return event;
        // Streams that were dropped are no longer open.
        for (const other of newest.keys()) if (other.request.signal.aborted) newest.delete(other);
        const foreign = [...newest].find(([other, { type }]) => other !== call && type === 'status')?.[1];
        newest.set(call, event);
        return foreign?.type === 'status' && foreign.taskId !== event.taskId ? [foreign, event] : event;
      })(inner, world, whole);
      const closes = (event: StreamEvent, call: RpcCall): boolean => {
        const ends = inner.closes(event, call);
        if (ends) setImmediate(() => newest.delete(call));
        return ends;
      };
      return { ...edit, closes };
    },
  }),
  fuzzFault('fuzz-streams-disagree', {
    about: 'The second subscriber of a task sees an artifact only after what came next.',
    seenBy: ['streams', 'history', 'life-cycle', 'law'],
    on: 'streaming-and-push',
    patch: (inner, world, whole) => {
      const first = new Map<string, RpcCall>();
      const held = new Map<RpcCall, StreamEvent>();
      return onEvent((event, call) => {
        if (event.type !== 'status' && event.type !== 'artifact') return event;
        if (!first.has(event.taskId)) first.set(event.taskId, call);
        if (first.get(event.taskId) === call) return event;
        const before = held.get(call);
        held.delete(call);
        if (before !== undefined) return [event, before];
        if (event.type === 'artifact') held.set(call, event);
        return event.type === 'artifact' ? undefined : event;
      })(inner, world, whole);
    },
  }),
  fuzzFault('fuzz-event-after-end', {
    about: 'A subscription brings the state working once more after the task has ended.',
    seenBy: ['streams', 'law', 'life-cycle', 'history'],
    on: 'streaming-and-push',
    patch: onEvent((event, call) => {
      const subscribed = /subscribe/i.test(call.method);
      if (!subscribed || event.type !== 'status' || !isTerminal(event.status.state)) return event;
      return [event, { ...event, status: { ...event.status, state: 'working' }, final: false }];
    }),
  }),
  fuzzFault('fuzz-subscribe-to-ended-crashes', {
    about: 'A subscription to a task that has ended ends in HTTP 500 and a page.',
    seenBy: ['alive', 'law', 'streams'],
    on: 'streaming-and-push',
    patch: (inner, { store }) => {
      const ended = new Set<unknown>();
      return {
        stream(command, call) {
          if (command.op === 'subscribe' && isTerminal(store.get(command.params.id)?.status.state ?? 'working')) {
            ended.add(call.request.body);
          }
          return inner.stream(command, call);
        },
        async serveRpc(request) {
          const reply = await inner.serveRpc(request);
          return ended.delete(request.body) ? page(500) : reply;
        },
      };
    },
  }),
  fuzzFault('fuzz-cancel-while-streaming-crashes', {
    about: 'Canceling a task that is being streamed ends in HTTP 500 and a page.',
    seenBy: ['alive', 'law', 'history'],
    on: 'streaming-and-push',
    patch: (inner) => {
      const open = new Map<string, number>();
      const canceled = new Set<unknown>();
      return {
        streamEvent(event, call, index) {
          const id = event.type === 'task' ? event.task.id : event.type === 'message' ? '' : event.taskId;
          if (index === 0) open.set(id, (open.get(id) ?? 0) + 1);
          if (inner.closes(event, call)) open.delete(id);
          return inner.streamEvent(event, call, index);
        },
        async execute(command, call) {
          if (command.op === 'cancel' && open.has(command.params.id)) canceled.add(call.request.body);
          return inner.execute(command, call);
        },
        async serveRpc(request) {
          const reply = await inner.serveRpc(request);
          return canceled.delete(request.body) ? page(500) : reply;
        },
      };
    },
  }),
];
