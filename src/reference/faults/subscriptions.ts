import { isTerminal, type Part, type StreamEvent, type Task } from '../../model/index.js';
import type { RpcCall } from '../calls.js';
import { lacking } from '../edits.js';
import { fault } from '../fault.js';
import type { Patch } from '../seams.js';
import { isOf, onEventOf, type StatusEvent } from './streaming.js';

const on = 'streaming';
const nowhere = '00000000-0000-4000-8000-00000000ffff';

const halved = (part: Part): Part =>
  part.kind === 'text' ? { ...part, text: part.text.slice(0, part.text.length / 2) } : part;

/** After an absence of this length, in ms, the reader loses an update. */
const tooSlowMs = 300;

/** Edits the task with which a subscription begins. */
const beginningWith = (edit: (task: Task) => Task): Patch =>
  onEventOf('subscribe', (event) => (event.type === 'task' ? { ...event, task: edit(event.task) } : event));

export const subscriptionFaults = [
  fault('sub-not-implemented', {
    about: 'There is no tasks/resubscribe, though the card declares streams.',
    breaks: ['sub.implemented'],
    on,
    profiles: ['a2a-1.0'],
    patch: lacking('subscribe'),
  }),
  fault('sub-begins-with-update', {
    about: 'A subscription does not show the task.',
    breaks: ['sub.first-event'],
    on,
    patch: onEventOf('subscribe', (event) => (event.type === 'task' ? undefined : event)),
  }),
  fault('sub-begins-with-another-task', {
    about: 'A subscription begins with another task.',
    breaks: ['sub.first-event'],
    on,
    patch: beginningWith((task) => ({ ...task, id: nowhere })),
  }),
  fault('sub-begins-in-the-past', {
    about: 'A subscription begins with the task as it was when it was made.',
    breaks: ['sub.first-event'],
    on,
    patch: beginningWith((task) => ({ ...task, status: { ...task.status, state: 'submitted' } })),
  }),
  fault('sub-begins-without-artifacts', {
    about: 'A subscription begins with the task without its artifacts.',
    breaks: ['sub.first-event'],
    on,
    patch: beginningWith(({ artifacts: _, ...task }) => task),
  }),
  fault('sub-hears-nothing', {
    about: 'Subscribers are sent no updates.',
    breaks: ['sub.later-updates'],
    on,
    patch: (inner, world) => ({
      audience: (event, calls) =>
        inner.audience(
          event,
          calls.filter((call) => !isOf(world, 'subscribe', call)),
        ),
    }),
  }),
  fault('sub-every-second-hears-nothing', {
    about: 'Every second subscription to a task shows it and is sent no updates: it is at another replica.',
    breaks: ['stream.same-events', 'sub.later-updates'],
    on,
    patch(inner, world) {
      const counts = new Map<string, number>();
      const away = new WeakSet<RpcCall>();
      return {
        stream(command, call) {
          if (command.op === 'subscribe') {
            const count = counts.get(command.params.id) ?? 0;
            counts.set(command.params.id, count + 1);
            if (count % 2 === 1) away.add(call);
          }
          return inner.stream(command, call);
        },
        audience: (event, calls) =>
          inner.audience(
            event,
            calls.filter((call) => !away.has(call) || !isOf(world, 'subscribe', call)),
          ),
      };
    },
  }),
  fault('sub-ends-at-once', {
    about: 'A subscription shows the task and ends.',
    breaks: ['sub.later-updates'],
    on,
    patch: (inner, world) => ({ closes: (event, call) => isOf(world, 'subscribe', call) || inner.closes(event, call) }),
  }),
  fault('sub-silent-about-the-end', {
    about: 'A subscription ends with its task, and does not say how.',
    breaks: ['sub.later-updates'],
    on,
    patch: onEventOf('subscribe', (event) =>
      event.type === 'status' && isTerminal(event.status.state) ? undefined : event,
    ),
  }),
  fault('sub-stays-open', {
    about: 'Subscriptions stay open when their task has ended.',
    breaks: ['sub.closes'],
    on,
    patch: (inner, world) => ({
      closes: (event, call) => !isOf(world, 'subscribe', call) && inner.closes(event, call),
    }),
  }),
  fault('sub-misses-artifacts', {
    about: 'Subscribers are sent no artifacts.',
    breaks: ['stream.same-events', 'sub.no-gap'],
    on,
    patch: onEventOf('subscribe', (event) => (event.type === 'artifact' ? undefined : event)),
  }),
  fault('sub-misses-chunks', {
    about: 'Subscribers are sent the first half of each artifact.',
    breaks: ['sub.no-gap'],
    on,
    patch: onEventOf('subscribe', (event) =>
      event.type === 'artifact'
        ? { ...event, artifact: { ...event.artifact, parts: event.artifact.parts.map(halved) } }
        : event,
    ),
  }),
  fault('sub-invents-updates', {
    about: 'Subscribers are sent updates that nobody else is sent.',
    breaks: ['stream.same-events'],
    on,
    patch: onEventOf('subscribe', (event) => {
      if (event.type !== 'artifact') return event;
      const { taskId, contextId } = event;
      const message = { messageId: nowhere, role: 'agent', parts: [{ kind: 'text', text: 'Only for you.' }] } as const;
      const context = contextId === undefined ? {} : { contextId };
      return [{ type: 'status', taskId, ...context, status: { state: 'working', message }, final: false }, event];
    }),
  }),
  fault('sub-swaps-updates', {
    about: 'Subscribers are sent progress after the artifact that it led to.',
    breaks: ['stream.in-order', 'stream.same-events'],
    on,
    patch(inner, world, whole) {
      const held = new WeakMap<RpcCall, StatusEvent>();
      return onEventOf('subscribe', (event, call) => {
        const before = held.get(call);
        if (event.type === 'artifact' && before !== undefined) return [event, before];
        if (event.type !== 'status' || event.status.state !== 'working' || before !== undefined) return event;
        held.set(call, event);
        return undefined;
      })(inner, world, whole);
    },
  }),
  fault('sub-slow-reader-loses-updates', {
    about: 'A reader who was away for a while misses an update.',
    breaks: ['sub.later-updates', 'stream.same-events'],
    on,
    patch: (inner, { clock }) => ({
      async stream(command, call) {
        const events = await inner.stream(command, call);
        async function* lossy(): AsyncGenerator<StreamEvent> {
          let isAway = false;
          for await (const event of events) {
            const lost = isAway && !(event.type === 'status' && isTerminal(event.status.state));
            isAway = false;
            if (lost) continue;
            const sentAt = clock.now();
            yield event;
            isAway = clock.now() - sentAt > tooSlowMs;
          }
        }
        return lossy();
      },
    }),
  }),
];
