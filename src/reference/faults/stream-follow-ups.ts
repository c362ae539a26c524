import { isObject, type StreamEvent } from '../../model/index.js';
import type { RpcCall, StreamCommand } from '../calls.js';
import { onEvent } from '../edits.js';
import { RpcFailure } from '../failure.js';
import { fault } from '../fault.js';
import type { Patch } from '../seams.js';
import { emptiness, isOf, silence } from './streaming.js';

const on = 'streaming';
const nowhere = '00000000-0000-4000-8000-00000000ffff';

const isFollowUp = (command: StreamCommand): boolean =>
  command.op === 'stream' && command.params.message?.taskId !== undefined;

/** Replaces the stream of a message to an existing task; the work of the task goes on. */
const following =
  (instead: (call: RpcCall) => AsyncIterable<StreamEvent>): Patch =>
  (inner) => ({
    async stream(command, call) {
      const events = await inner.stream(command, call);
      return isFollowUp(command) ? instead(call) : events;
    },
  });

/** Whether the message of a call names a task. */
const hasTask = ({ params }: RpcCall): boolean =>
  isObject(params) && isObject(params['message']) && params['message']['taskId'] !== undefined;

/** Edits the events of the stream of a message that names a task. */
const onFollowing =
  (edit: (event: StreamEvent) => StreamEvent | readonly StreamEvent[] | undefined): Patch =>
  (inner, world, whole) =>
    onEvent((event, call) => (isOf(world, 'stream', call) && hasTask(call) ? edit(event) : event))(inner, world, whole);

export const streamFollowUpFaults = [
  fault('stream-follow-up-is-silent', {
    about: 'The stream of a message to a task that is there never says anything.',
    breaks: ['stream.follow-up'],
    on,
    patch: following(silence),
  }),
  fault('stream-follow-up-is-empty', {
    about: 'The stream of a message to a task that is there ends before it has brought anything.',
    breaks: ['stream.follow-up'],
    on,
    patch: following(emptiness),
  }),
  fault('stream-follow-up-is-refused', {
    about: 'A message to a task that is there is taken, and not where it is to be streamed.',
    breaks: ['stream.follow-up'],
    on,
    patch: (inner) => ({
      refusal: (command, task) =>
        command.op === 'stream' ? new RpcFailure('UnsupportedOperation') : inner.refusal(command, task),
    }),
  }),
  fault('stream-follow-up-ends-at-once', {
    about: 'The stream of a message to a task that is there shows the task and ends.',
    breaks: ['stream.follow-up'],
    on,
    patch: (inner, world) => ({
      closes: (event, call) => (isOf(world, 'stream', call) && hasTask(call)) || inner.closes(event, call),
    }),
  }),
  fault('stream-follow-up-makes-a-task', {
    about: 'A streamed message to a task that is there begins another one.',
    breaks: ['stream.continues-task'],
    on,
    profiles: ['a2a-1.0', 'a2a-0.3', 'a2a-0.2'],
    patch: (inner) => ({
      async stream(command, call) {
        if (command.op !== 'stream' || command.params.message?.taskId === undefined) return inner.stream(command, call);
        // Called first so that messages that must be refused still are.
        await inner.stream(command, call);
        const { taskId: _, ...message } = command.params.message;
        return inner.stream({ ...command, params: { ...command.params, message } }, call);
      },
    }),
  }),
  fault('stream-follow-up-in-another-context', {
    about: 'The stream of a message to a task that is there names another context.',
    breaks: ['send.continuation-keeps-context', 'stream.keeps-context'],
    on,
    profiles: ['a2a-1.0', 'a2a-0.3', 'a2a-0.2', 'openclaw'],
    patch: onFollowing((event) => {
      if (event.type === 'message') return event;
      return event.type === 'task'
        ? { ...event, task: { ...event.task, contextId: nowhere } }
        : { ...event, contextId: nowhere };
    }),
  }),
  fault('stream-follow-up-stays-open', {
    about: 'The stream of a message to a task that was there stays open when the task has ended.',
    breaks: ['stream.closes', 'stream.no-hang'],
    on,
    profiles: ['a2a-1.0', 'a2a-0.3', 'a2a-0.2'],
    patch: (inner, world) => ({
      closes: (event, call) => !(isOf(world, 'stream', call) && hasTask(call)) && inner.closes(event, call),
    }),
  }),
];
