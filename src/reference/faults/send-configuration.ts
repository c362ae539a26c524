import { methodOf } from '../../dialect/index.js';
import { isInterrupted, isObject, isTerminal, type JsonObject, member } from '../../model/index.js';
import { onReply } from '../edits.js';
import { fault } from '../fault.js';
import { methodIn, peek, plainReply } from '../http.js';
import type { Patch } from '../seams.js';
import { a2a } from '../variant.js';
import { hung } from './rpc-replies.js';
import { refusingSend } from './send-refusals.js';

const configurationOf = (params: unknown): unknown => member(params, 'configuration');
const narrow = (params: JsonObject): boolean => {
  const modes = member(configurationOf(params), 'acceptedOutputModes');
  return Array.isArray(modes) && modes.length === 1;
};
const bare = (params: JsonObject): boolean => configurationOf(params) === undefined && isObject(params['message']);
const pushes = (params: unknown): boolean =>
  ['pushNotificationConfig', 'taskPushNotificationConfig'].some(
    (name) => member(configurationOf(params), name) !== undefined,
  );
const waits = (params: unknown): boolean =>
  member(configurationOf(params), 'blocking') === true ||
  member(configurationOf(params), 'returnImmediately') === false;

const unlimited: Patch = (inner) => ({
  execute(command, call) {
    if (command.op !== 'send' || !command.params.configuration?.historyLength) return inner.execute(command, call);
    const { historyLength: _, ...configuration } = command.params.configuration;
    return inner.execute({ op: 'send', params: { ...command.params, configuration } }, call);
  },
});

export const sendConfigurationFaults = [
  fault('send-ignores-history-length', {
    about: 'The task comes with all of its history, unless the client wants none.',
    breaks: ['send.history-length'],
    patch: unlimited,
  }),
  fault('send-ignores-history-length-of-answers', {
    about: 'The same, where a history has messages of the client only: it shows when a task was answered.',
    breaks: ['send.history-length'],
    on: 'keeps-client-messages',
    patch: unlimited,
  }),
  fault('send-narrow-output-modes-is-internal-error', {
    about: 'A client that takes fewer types than the agent makes breaks it.',
    breaks: ['send.accepted-output-modes'],
    patch: refusingSend(narrow, 'InternalError'),
  }),
  fault('send-refuses-narrow-output-modes', {
    about: 'A client must take every type that the agent makes.',
    breaks: ['send.accepted-output-modes'],
    notOver: ['a2a-0.3-grpc'],
    patch: refusingSend(narrow),
  }),
  fault('send-inline-push-is-internal-error', {
    about: 'A push notification config breaks an agent without push notifications.',
    breaks: ['send.inline-push-unsupported'],
    patch: refusingSend(pushes, 'InternalError'),
  }),
  fault('send-inline-push-crashes', {
    about: 'A push notification config is answered with HTTP 500 and no JSON.',
    breaks: ['send.inline-push-unsupported'],
    patch: onReply('endpoint', (reply, request) =>
      pushes(member(peek(request), 'params')) ? plainReply(500, 'Internal Server Error') : reply,
    ),
  }),
  fault('send-waits-when-told-not-to', {
    about: 'With blocking false the answer comes when the work is done.',
    breaks: ['send.non-blocking'],
    patch: (inner) => ({
      patience: (configuration) =>
        configuration?.blocking === false ? Number.POSITIVE_INFINITY : inner.patience(configuration),
    }),
  }),
  fault('send-hangs', {
    about: 'No plain message is ever answered. Streams work.',
    breaks: ['send.non-blocking'],
    on: 'streaming',
    profiles: a2a,
    patch: (inner, { dialect }) => ({
      serveRpc: async (request) => (methodIn(request) === methodOf(dialect, 'send') ? hung : inner.serveRpc(request)),
    }),
  }),
  fault('send-waits-whatever-it-is-told', {
    about: 'Every send is answered when its work is done, and all work takes long.',
    breaks: ['send.non-blocking'],
    profiles: ['a2a-1.0'],
    patch: (inner) => ({
      patience: () => Number.POSITIVE_INFINITY,
      script(message, waiting) {
        const plot = inner.script(message, waiting);
        if (plot.reply === 'message') return plot;
        return { reply: 'task', steps: plot.steps.map((step) => ({ ...step, afterMs: step.afterMs + 1000 })) };
      },
    }),
  }),
  fault('send-waits-past-questions', {
    about: 'A send that waits is not answered while the task waits for the client.',
    breaks: ['send.blocking-by-default'],
    patch: (inner, { store }, whole) => ({
      async execute(command, call) {
        const outcome = await inner.execute(command, call);
        if (command.op !== 'send' || outcome.op !== 'send' || outcome.result.type !== 'task') return outcome;
        const { id, status } = outcome.result.task;
        const { configuration } = command.params;
        if (whole.patience(configuration) === 0 || !isInterrupted(status.state)) return outcome;
        await new Promise<void>((resolve) => {
          const unwatch = store.watch(id, (task) => isTerminal(task.status.state) && resolve());
          call.request.signal.addEventListener('abort', () => resolve(unwatch()), { once: true });
        });
        const task = whole.view(store.get(id) ?? outcome.result.task, configuration?.historyLength);
        return { op: 'send', result: { type: 'task', task } };
      },
    }),
  }),
  fault('send-waits-only-when-not-told-to', {
    about: 'The agent waits for the work by itself, and does not when it is told to.',
    breaks: ['send.blocking'],
    notOver: ['grpc'],
    patch: (inner) => ({
      patience: (configuration) => (configuration?.blocking === true ? 0 : inner.patience(configuration)),
    }),
  }),
  fault('send-blocking-crashes', {
    about: 'A message that is to be waited for is answered with HTTP 500 and no JSON.',
    breaks: ['send.blocking'],
    notOver: ['grpc'],
    patch: onReply('endpoint', (reply, request) =>
      waits(member(peek(request), 'params')) ? plainReply(500, 'Internal Server Error') : reply,
    ),
  }),
  fault('send-wants-configuration', {
    about: 'A message without a configuration is invalid.',
    breaks: ['send.blocking-default'],
    notOver: ['a2a-0.3-grpc'],
    patch: refusingSend(bare),
  }),
  fault('send-missing-configuration-is-internal-error', {
    about: 'A message without a configuration breaks the agent.',
    breaks: ['send.blocking-default'],
    patch: refusingSend(bare, 'InternalError'),
  }),
];
