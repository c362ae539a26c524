import { methodOf } from '../../dialect/index.js';
import { mistaking, overlooking } from '../edits.js';
import { RpcFailure } from '../failure.js';
import { fault } from '../fault.js';
import type { Patch } from '../seams.js';
import { onAnswerTo, type Streaming, silence, typed } from './streaming.js';

const on = 'streaming';

/** Serves one of the two methods, as the operation `as`, though the card does not declare streams. */
const undeclared =
  (op: Streaming, as: 'stream' | 'subscribe' | 'send' = op): Patch =>
  (inner, { dialect }) => ({
    operation: (method) => (method === methodOf(dialect, op) ? as : inner.operation(method)),
  });

export const streamRefusalFaults = [
  fault('stream-takes-messages-to-finished-tasks', {
    about: 'A message to a finished task is answered with a stream.',
    breaks: ['stream.terminal-refused'],
    on,
    patch: (inner) => ({
      refusal: (command, task) => (command.op === 'stream' ? undefined : inner.refusal(command, task)),
    }),
  }),
  fault('stream-hangs-on-finished-tasks', {
    about: 'A message to a finished task opens a stream that says nothing.',
    breaks: ['stream.terminal-refused'],
    on,
    patch: (inner) => ({
      async stream(command, call) {
        try {
          return await inner.stream(command, call);
        } catch (cause) {
          const isFinished = cause instanceof RpcFailure && cause.failure !== 'TaskNotFound';
          if (command.op === 'stream' && isFinished) return silence(call);
          throw cause;
        }
      },
    }),
  }),
  fault('stream-to-finished-is-invalid-params', {
    about: 'A streamed message to a finished task is refused with -32602.',
    breaks: ['stream.terminal-code'],
    on,
    patch: (inner) => ({
      refusal(command, task) {
        const refused = inner.refusal(command, task);
        return command.op === 'stream' && refused !== undefined ? new RpcFailure('InvalidParams') : refused;
      },
    }),
  }),
  fault('stream-takes-empty-params', {
    about: 'A stream is begun without a message.',
    breaks: ['stream.invalid-params'],
    on,
    patch: overlooking('stream', 'message'),
  }),
  fault('stream-swallows-refusals', {
    about: 'What is refused is answered with a stream that ends at once.',
    breaks: ['stream.invalid-params', 'stream.terminal-refused'],
    on,
    patch: onAnswerTo('stream', (reply) =>
      typeof reply.body === 'string' ? typed({ ...reply, body: '' }, 'text/event-stream') : reply,
    ),
  }),
  fault('stream-invalid-params-is-internal-error', {
    about: 'Wrong params of a stream are an internal error.',
    breaks: ['stream.invalid-params-code'],
    on,
    patch: mistaking('InvalidParams', 'InternalError', 'stream'),
  }),
  fault('stream-makes-unknown-tasks', {
    about: 'A streamed message to a task that does not exist begins a new one.',
    breaks: ['stream.unknown-task-refused'],
    on,
    patch: (inner, { store }) => ({
      stream(command, call) {
        if (command.op !== 'stream') return inner.stream(command, call);
        const { taskId, ...message } = command.params.message ?? { messageId: '', role: 'user', parts: [] };
        const isKnown = taskId === undefined || store.get(taskId) !== undefined;
        return inner.stream(isKnown ? command : { ...command, params: { ...command.params, message } }, call);
      },
    }),
  }),
  fault('stream-to-unknown-is-internal-error', {
    about: 'A streamed message to a task that does not exist is an internal error.',
    breaks: ['stream.unknown-task'],
    on,
    patch: mistaking('TaskNotFound', 'InternalError', 'stream'),
  }),
  fault('stream-unsupported-media-is-invalid-params', {
    about: 'A streamed file of a foreign type is refused with -32602.',
    breaks: ['stream.unsupported-media'],
    on,
    patch: mistaking('ContentTypeNotSupported', 'InvalidParams', 'stream'),
  }),
  fault('stream-undeclared-served', {
    about: 'Streams are served that the card does not declare.',
    breaks: ['stream.unsupported-refused'],
    patch: undeclared('stream'),
  }),
  fault('stream-undeclared-answers-task', {
    about: 'Where streams are not declared, message/stream is answered like message/send.',
    breaks: ['stream.unsupported-refused'],
    patch: undeclared('stream', 'send'),
  }),
  fault('stream-undeclared-hangs', {
    about: 'Where streams are not declared, message/stream is never answered.',
    breaks: ['stream.unsupported-answered'],
    patch: onAnswerTo('stream', (reply) => ({ ...reply, fate: 'hang' })),
  }),
  fault('stream-undeclared-crashes', {
    about: 'Where streams are not declared, message/stream is answered with an error page.',
    breaks: ['stream.unsupported-answered'],
    patch: onAnswerTo('stream', (reply) => typed({ ...reply, status: 500, body: '<h1>Oops</h1>' }, 'text/html')),
  }),
  fault('stream-undeclared-is-unknown-method', {
    about: 'Where streams are not declared, message/stream is refused with -32601.',
    breaks: ['stream.unsupported-code'],
    notOver: ['grpc'],
    patch: mistaking('UnsupportedOperation', 'MethodNotFound', 'stream'),
  }),
  fault('stream-undeclared-is-unknown-task', {
    about: 'Where streams are not declared, message/stream is refused with the error for unknown tasks.',
    breaks: ['stream.unsupported-code'],
    patch: mistaking('UnsupportedOperation', 'TaskNotFound', 'stream'),
  }),
  fault('sub-undeclared-is-unknown-method', {
    about: 'Where streams are not declared, subscriptions are refused with -32601.',
    breaks: ['sub.unsupported-code'],
    notOver: ['grpc'],
    patch: mistaking('UnsupportedOperation', 'MethodNotFound', 'subscribe'),
  }),
  fault('sub-undeclared-is-not-found', {
    about: 'Where streams are not declared, a subscription to any task is refused as if there were none.',
    breaks: ['sub.unsupported-code'],
    patch: mistaking('UnsupportedOperation', 'TaskNotFound', 'subscribe'),
  }),
  fault('sub-undeclared-served-to-known', {
    about: 'Subscriptions that the card does not declare are served, where there is such a task.',
    breaks: ['sub.unsupported-refused'],
    patch: undeclared('subscribe'),
  }),
  fault('sub-undeclared-served', {
    about: 'Subscriptions that the card does not declare open a stream, whatever their task.',
    breaks: ['sub.unsupported-refused'],
    patch: (inner, world, whole) => ({
      ...undeclared('subscribe')(inner, world, whole),
      stream: async (command, call) => (command.op === 'subscribe' ? silence(call) : inner.stream(command, call)),
    }),
  }),
];
