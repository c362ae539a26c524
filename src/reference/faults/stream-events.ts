import { isSettled, isTerminal } from '../../model/index.js';
import { edited, onEvent, onStreamed, onUpdate, set, without } from '../edits.js';
import { fault } from '../fault.js';
import { allBut } from '../variant.js';
import { inState, onEventOf } from './streaming.js';

const on = 'streaming';
const nowhere = '00000000-0000-4000-8000-00000000ffff';
const before10 = allBut('a2a-1.0');

export const streamEventFaults = [
  fault('stream-unheard-of-event', {
    about: 'Progress is reported in events of a type of their own.',
    breaks: ['stream.event-types'],
    on,
    patch: onStreamed((wire, { result }) => {
      const event = result as { readonly type?: unknown; readonly status?: { readonly state?: unknown } };
      return event.type === 'status' && event.status?.state === 'working' ? { progress: 50 } : wire;
    }),
  }),
  fault('stream-two-updates-in-one', {
    about: 'Status updates hold the task as well.',
    breaks: ['stream.event-types'],
    notOver: ['grpc'],
    on,
    profiles: ['a2a-1.0'],
    patch: onStreamed((wire, { result }) =>
      (result as { readonly type?: unknown }).type === 'status' ? set(wire, 'task', { id: nowhere }) : wire,
    ),
  }),
  fault('stream-status-kind-in-camel-case', {
    about: 'The kind of status updates is statusUpdate.',
    breaks: ['data.event-kinds'],
    on,
    profiles: ['a2a-0.3', 'a2a-0.2'],
    patch: onUpdate('status', (update) => ({ ...update, kind: 'statusUpdate' })),
  }),
  fault('stream-artifact-kind-in-camel-case', {
    about: 'The kind of artifact updates is artifactUpdate.',
    breaks: ['data.event-kinds'],
    on,
    profiles: ['a2a-0.3', 'a2a-0.2'],
    patch: onUpdate('artifact', (update) => ({ ...update, kind: 'artifactUpdate' })),
  }),
  fault('stream-status-without-task-id', {
    about: 'Status updates name no task.',
    breaks: ['stream.status-update'],
    on,
    patch: onUpdate('status', (update) => without(update, 'taskId')),
  }),
  fault('stream-status-as-word', {
    about: 'The status of a status update is a word.',
    breaks: ['stream.status-update'],
    notOver: ['grpc'],
    on,
    patch: onUpdate('status', (update) => ({ ...update, status: 'working' })),
  }),
  fault('stream-status-without-context', {
    about: 'Status updates name no context.',
    breaks: ['stream.status-update'],
    on,
    profiles: allBut('openclaw'),
    patch: onUpdate('status', (update) => without(update, 'contextId')),
  }),
  fault('stream-status-with-empty-context', {
    about: 'The contextId of a status update is empty.',
    breaks: ['stream.status-update'],
    on,
    profiles: allBut('openclaw'),
    patch: onUpdate('status', (update) => ({ ...update, contextId: '' })),
  }),
  fault('stream-artifact-with-empty-task-id', {
    about: 'The taskId of an artifact update is empty.',
    breaks: ['stream.artifact-update'],
    on,
    profiles: allBut('openclaw'),
    patch: onUpdate('artifact', (update) => ({ ...update, taskId: '' })),
  }),
  fault('stream-final-as-text', {
    about: 'The flag final is a text.',
    breaks: ['stream.status-update'],
    notOver: ['grpc'],
    on,
    profiles: before10,
    patch: onUpdate('status', (update) => ({ ...update, final: String(update['final'] ?? false) })),
  }),
  fault('stream-artifact-as-list', {
    about: 'Artifact updates hold a list of artifacts.',
    breaks: ['stream.artifact-update'],
    notOver: ['grpc'],
    on,
    patch: onUpdate('artifact', (update) => edited(update, 'artifact', (artifact) => [artifact])),
  }),
  fault('stream-artifact-without-task-id', {
    about: 'Artifact updates name no task.',
    breaks: ['stream.artifact-update'],
    on,
    patch: onUpdate('artifact', (update) => without(update, 'taskId')),
  }),
  fault('stream-last-chunk-as-text', {
    about: 'The flag lastChunk is a text.',
    breaks: ['stream.artifact-update'],
    notOver: ['grpc'],
    on,
    patch: onUpdate('artifact', (update) => ({ ...update, lastChunk: 'true' })),
  }),
  fault('stream-final-of-old', {
    about: 'Status updates have the flag final of 0.3.',
    breaks: ['stream.no-final-flag'],
    on,
    profiles: ['a2a-1.0'],
    patch: onUpdate('status', (update) => ({ ...update, final: false })),
  }),
  fault('stream-begins-with-status', {
    about: 'Streams begin with a status update, and never show the task.',
    breaks: ['stream.first-event'],
    on,
    patch: onEventOf('stream', (event) => (event.type === 'task' ? undefined : event)),
  }),
  fault('stream-status-of-another-task', {
    about: 'Status updates name another task.',
    breaks: ['stream.same-task'],
    on,
    patch: onUpdate('status', (update) => ({ ...update, taskId: nowhere })),
  }),
  fault('stream-artifact-of-another-context', {
    about: 'Artifact updates name another context.',
    breaks: ['stream.same-task'],
    on,
    patch: onUpdate('artifact', (update) => ({ ...update, contextId: nowhere })),
  }),
  fault('stream-message-among-updates', {
    about: 'Before a task ends, a message is streamed.',
    breaks: ['stream.updates-only'],
    on,
    patch: onEventOf('stream', (event) =>
      event.type === 'status' && isTerminal(event.status.state)
        ? [
            { type: 'message', message: { messageId: nowhere, role: 'agent', parts: [{ kind: 'text', text: 'So!' }] } },
            event,
          ]
        : event,
    ),
  }),
  fault('sub-brings-messages', {
    about: 'Before a task ends, subscribers are sent a message.',
    breaks: ['sub.no-messages'],
    on,
    patch: onEventOf('subscribe', (event) =>
      event.type === 'status' && isTerminal(event.status.state)
        ? [
            { type: 'message', message: { messageId: nowhere, role: 'agent', parts: [{ kind: 'text', text: 'So!' }] } },
            event,
          ]
        : event,
    ),
  }),
  fault('stream-progress-without-words', {
    about: 'Status updates before the last say nothing.',
    breaks: ['stream.text-as-status'],
    on,
    patch: onEvent((event) => {
      if (event.type !== 'status' || isSettled(event.status.state)) return event;
      const { message: _, ...status } = event.status;
      return { ...event, status };
    }),
  }),
  fault('stream-progress-in-another-state', {
    about: 'Updates during the work come with the state submitted, not working.',
    breaks: ['stream.text-as-status'],
    on,
    patch: onEvent((event) =>
      event.type === 'status' && event.status.state === 'working' ? inState(event, 'submitted') : event,
    ),
  }),
];
