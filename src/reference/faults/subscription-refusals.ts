import { isInterrupted, isTerminal, type StreamEvent, type Task } from '../../model/index.js';
import type { Command, RpcCall } from '../calls.js';
import { mistaking } from '../edits.js';
import { RpcFailure } from '../failure.js';
import { fault } from '../fault.js';
import type { Patch } from '../seams.js';
import { broken, emptiness, isOf, onAnswerTo, silence, typed } from './streaming.js';

const on = 'streaming';
const nowhere = '00000000-0000-4000-8000-00000000ffff';

/** Decides whether a subscription is refused, given the task and the usual refusal. */
const refusing =
  (why: (task: Task, usual: RpcFailure | undefined) => RpcFailure | undefined): Patch =>
  (inner) => ({
    refusal(command: Command, task) {
      const usual = inner.refusal(command, task);
      return command.op === 'subscribe' ? why(task, usual) : usual;
    },
  });

/** Answers a subscription to an unknown task with this stream in place of an error. */
const forUnknown =
  (instead: (call: RpcCall) => AsyncIterable<StreamEvent>): Patch =>
  (inner) => ({
    async stream(command, call) {
      try {
        return await inner.stream(command, call);
      } catch (cause) {
        const isUnknown = cause instanceof RpcFailure && cause.failure === 'TaskNotFound';
        if (command.op === 'subscribe' && isUnknown) return instead(call);
        throw cause;
      }
    },
  });

export const subscriptionRefusalFaults = [
  fault('sub-waits-for-unknown-tasks', {
    about: 'A subscription to a task that does not exist opens a stream that says nothing.',
    breaks: ['sub.unknown-refused'],
    on,
    patch: forUnknown(silence),
  }),
  fault('sub-empty-for-unknown-tasks', {
    about: 'A subscription to a task that does not exist is answered with a stream that ends at once.',
    breaks: ['sub.unknown-refused'],
    on,
    patch: forUnknown(emptiness),
  }),
  fault('sub-resets-for-unknown-tasks', {
    about: 'A subscription to a task that does not exist opens a stream, and the connection is reset.',
    breaks: ['sub.unknown-refused'],
    notOver: ['grpc'],
    on,
    patch: onAnswerTo('subscribe', (reply) => (typeof reply.body === 'string' ? broken(reply) : reply)),
  }),
  fault('sub-unknown-is-error-text', {
    about: 'A subscription to a task that does not exist gets one event, with the error as a text.',
    breaks: ['sub.unknown-code'],
    // Over HTTP+JSON no sentence tells the form of an error in a stream (AMB03-15).
    notOver: ['grpc', 'http+json'],
    on,
    patch: onAnswerTo('subscribe', (reply) =>
      typeof reply.body === 'string'
        ? typed(
            { ...reply, status: 200, body: 'data: {"error":"TaskNotFoundError","message":"Task not found"}\n\n' },
            'text/event-stream',
          )
        : reply,
    ),
  }),
  fault('sub-unknown-is-web-page', {
    about: 'A subscription to a task that does not exist is answered with an error page.',
    breaks: ['sub.unknown-refused'],
    on,
    patch: onAnswerTo('subscribe', (reply) =>
      typeof reply.body === 'string' && reply.body.includes('-32001')
        ? typed({ ...reply, status: 500, body: '<h1>Oops</h1>' }, 'text/html')
        : reply,
    ),
  }),
  fault('sub-unknown-is-internal-error', {
    about: 'A subscription to a task that does not exist is an internal error.',
    breaks: ['sub.unknown-code'],
    on,
    patch: mistaking('TaskNotFound', 'InternalError', 'subscribe'),
  }),
  fault('sub-without-id-takes-newest-task', {
    about: 'A subscription without an id is one to the newest task.',
    breaks: ['sub.id-required'],
    on,
    patch: (inner, { store }) => ({
      problems: (op, wire) => (op === 'subscribe' ? [] : inner.problems(op, wire)),
      command(op, wire) {
        const command = inner.command(op, wire);
        if (command.op !== 'subscribe' || command.params.id) return command;
        return { ...command, params: { id: store.all().at(-1)?.id ?? nowhere } };
      },
      refusal: (command, task) => (command.op === 'subscribe' ? undefined : inner.refusal(command, task)),
    }),
  }),
  fault('sub-without-id-is-not-found', {
    about: 'A subscription without an id is refused as one to an unknown task.',
    breaks: ['sub.id-required-code'],
    on,
    patch: mistaking('InvalidParams', 'TaskNotFound', 'subscribe'),
  }),
  fault('sub-waits-for-finished-tasks', {
    about: 'A subscription to a finished task shows it and stays open.',
    breaks: ['sub.terminal'],
    on,
    patch: (inner, world) => ({
      closes: (event, call) => !(event.type === 'task' && isOf(world, 'subscribe', call)) && inner.closes(event, call),
    }),
  }),
  fault('sub-shows-finished-tasks', {
    about: 'A subscription to a finished task shows it and ends.',
    breaks: ['sub.terminal-refused'],
    on,
    patch: refusing(() => undefined),
  }),
  fault('sub-shows-canceled-tasks', {
    about: 'A subscription to a canceled task shows it and ends.',
    breaks: ['sub.terminal-refused'],
    on,
    patch: refusing((task, usual) => (task.status.state === 'canceled' ? undefined : usual)),
  }),
  fault('sub-to-finished-is-not-found', {
    about: 'A subscription to a finished task is refused as one to an unknown task.',
    breaks: ['sub.terminal-code'],
    on,
    patch: refusing((_, usual) => usual && new RpcFailure('TaskNotFound')),
  }),
  fault('sub-refuses-open-tasks', {
    about: 'A subscription to a task at work is refused.',
    breaks: ['sub.implemented'],
    notOver: ['a2a-0.3-grpc'],
    on,
    patch: refusing((task, usual) => (isTerminal(task.status.state) ? usual : new RpcFailure('UnsupportedOperation'))),
  }),
  fault('sub-refuses-waiting-tasks', {
    about: 'A subscription to a task that waits for the client is refused.',
    breaks: ['sub.interrupted-task'],
    on,
    patch: refusing((task, usual) =>
      isInterrupted(task.status.state) ? new RpcFailure('UnsupportedOperation') : usual,
    ),
  }),
  fault('sub-refuses-tasks-that-want-a-sign-in', {
    about: 'A subscription to a task that waits for a sign-in is refused.',
    breaks: ['sub.interrupted-task'],
    on,
    patch: refusing((task, usual) =>
      task.status.state === 'auth-required' ? new RpcFailure('UnsupportedOperation') : usual,
    ),
  }),
];
