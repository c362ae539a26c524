import type { BindingId } from '../../dialect/index.js';
import type { Operation, StreamEvent } from '../../model/index.js';
import { isObject } from '../../model/index.js';
import type { Incoming, RpcCall } from '../calls.js';
import { RpcFailure, Unauthorized } from '../failure.js';
import { type Fault, fault } from '../fault.js';
import { methodIn, peek } from '../http.js';
import { asking, cameOver, doing, misnaming, refusingOver, saying, showing, showingTasks } from '../one-side.js';
import type { Patch } from '../seams.js';
import { elsewhere } from './equivalence.js';

// Agents of several bindings whose sides do not agree in what they do.

const on = 'all-bindings';
const full = 'all-bindings-everything';
const rest: BindingId = 'http+json';

/** Answers over HTTP+JSON a call that is refused, with this result. */
const carriedOut =
  (op: Operation, result: unknown): Patch =>
  (inner, { dialect }) => ({
    async serveRpc(request) {
      const reply = await inner.serveRpc(request);
      const isMeant = cameOver(request, rest) && methodIn(request) === dialect.operations[op]?.rpc;
      if (!isMeant || typeof reply.body !== 'string') return reply;
      const call = peek(request);
      const id = isObject(call) ? call['id'] : null;
      return { ...reply, body: JSON.stringify({ jsonrpc: '2.0', id, result }) };
    },
  });

/** The version that a call names is not looked at. */
const unchecked =
  (binding: BindingId, when: (request: Incoming) => boolean): Patch =>
  (inner) => ({
    negotiate(call) {
      if (!cameOver(call.request, binding) || !when(call.request)) inner.negotiate(call);
    },
  });

const namesVersion = ({ headers }: Incoming): boolean => headers.some(([name]) => name.toLowerCase() === 'a2a-version');

const hasCredentials = ({ headers }: Incoming): boolean =>
  headers.some(([name]) => name.toLowerCase() === 'authorization');

/** Configurations that were set over HTTP+JSON. */
function configsOf(): { readonly noting: Patch; has(id: string | undefined): boolean } {
  const ids = new Set<string | undefined>();
  return {
    has: (id) => ids.has(id),
    noting: (inner) => ({
      async execute(command, call) {
        const outcome = await inner.execute(command, call);
        if (outcome.op === 'pushSet' && cameOver(call.request, rest)) ids.add(outcome.result.config.id);
        return outcome;
      },
    }),
  };
}

/** Each side shows only its own configurations. */
const ownConfigsOnly: Patch = (inner, world, whole) => {
  const { noting, has } = configsOf();
  const noted = { ...inner, ...noting(inner, world, whole) };
  return {
    async execute(command, call) {
      const isRest = cameOver(call.request, rest);
      if (command.op === 'pushGet' && has(command.params.configId) !== isRest) {
        return inner.execute({ ...command, params: { ...command.params, configId: 'none of this side' } }, call);
      }
      const outcome = await noted.execute(command, call);
      if (outcome.op !== 'pushList') return outcome;
      return { ...outcome, result: outcome.result.filter(({ config }) => has(config.id) === isRest) };
    },
  };
};

/** The webhooks that were set over HTTP+JSON get the task itself. */
const ownPayload: Patch = (inner, world, whole) => {
  const { noting, has } = configsOf();
  const { dialect } = world;
  return {
    ...noting(inner, world, whole),
    notification(event, task, config) {
      const request = inner.notification(event, task, config);
      if (request === undefined || !has(config.id)) return request;
      const body = JSON.stringify(dialect.operations.get.result.encode(task as never));
      return { ...request, body: new TextEncoder().encode(body) };
    },
  };
};

/** When a stream is dropped, those of other bindings hear no more of the task. */
const dropEndsOthers: Patch = (inner) => {
  const left = new Map<string, BindingId>();
  const sideOf = ({ request }: RpcCall): BindingId => request.over ?? 'jsonrpc';
  return {
    abandoned(taskId, call) {
      left.set(taskId, sideOf(call));
      inner.abandoned(taskId, call);
    },
    audience(event, calls) {
      const gone = event.type === 'task' || event.type === 'message' ? undefined : left.get(event.taskId);
      return inner.audience(event, calls).filter((call) => gone === undefined || sideOf(call) === gone);
    },
  };
};

const onUpdates =
  (edit: (event: StreamEvent) => readonly StreamEvent[]): Patch =>
  (inner) => ({
    streamEvent(event, call, index) {
      const events = inner.streamEvent(event, call, index);
      return cameOver(call.request, rest) ? events.flatMap((one) => (one.type === 'task' ? [one] : edit(one))) : events;
    },
  });

export const equivalenceSideFaults: readonly Fault[] = [
  fault('equivalence-subscribe-finished-misnamed', {
    about: 'Over HTTP+JSON a subscription to a finished task gets TaskNotFound.',
    breaks: ['equivalence.subscribe-finished'],
    on: full,
    patch: misnaming(rest, 'UnsupportedOperation', 'TaskNotFound', 'subscribe'),
  }),
  fault('equivalence-undeclared-push-served', {
    about: 'Over HTTP+JSON push configurations are listed although the card declares no push notifications.',
    breaks: ['equivalence.undeclared-capability'],
    on,
    patch: carriedOut('pushList', { configs: [] }),
  }),
  fault('equivalence-undeclared-push-misnamed', {
    about: 'Over HTTP+JSON push notifications that are not declared get TaskNotFound.',
    breaks: ['equivalence.undeclared-capability'],
    on,
    patch: misnaming(rest, 'PushNotificationNotSupported', 'TaskNotFound'),
  }),
  fault('equivalence-invalid-message-taken', {
    about: 'Over HTTP+JSON a message without an id gets one.',
    breaks: ['equivalence.invalid-messages'],
    on,
    patch: (inner) => ({
      httpCall(request) {
        const call = inner.httpCall(request);
        const message = call?.params['message'];
        if (call === undefined || !isObject(message) || message['messageId'] !== '') return call;
        return { ...call, params: { ...call.params, message: { ...message, messageId: 'made up' } } };
      },
    }),
  }),
  fault('equivalence-unsupported-media-misnamed', {
    about: 'Over HTTP+JSON a media type that is not supported gets UnsupportedOperation.',
    breaks: ['equivalence.unsupported-media'],
    on,
    patch: misnaming(rest, 'ContentTypeNotSupported', 'UnsupportedOperation'),
  }),
  fault('equivalence-extended-card-missing', {
    about: 'HTTP+JSON has no path for the extended card.',
    breaks: ['equivalence.declared-capability'],
    on: full,
    patch: refusingOver(rest, 'extendedCard', 'MethodNotFound'),
  }),
  fault('equivalence-streams-missing', {
    about: 'gRPC has no streams.',
    breaks: ['equivalence.declared-capability'],
    on: full,
    patch: refusingOver('grpc', 'stream', 'MethodNotFound'),
  }),
  fault('equivalence-version-unchecked', {
    about: 'Over gRPC the version of a call is not looked at.',
    breaks: ['equivalence.unsupported-version'],
    on,
    patch: unchecked('grpc', namesVersion),
  }),
  fault('equivalence-missing-version-taken', {
    about: 'Over gRPC a call without a version is taken for one of this version.',
    breaks: ['equivalence.missing-version'],
    on,
    patch: unchecked('grpc', (request) => !namesVersion(request)),
  }),
  fault('equivalence-extension-not-demanded', {
    about: 'Over gRPC the required extension is not demanded.',
    breaks: ['equivalence.required-extension'],
    on: 'all-bindings-extensions',
    patch: (inner) => ({
      demandExtensions(call, op) {
        if (!cameOver(call.request, 'grpc')) inner.demandExtensions(call, op);
      },
    }),
  }),
  fault('equivalence-extension-not-named', {
    about: 'Over HTTP+JSON only the required extension is ever active.',
    breaks: ['equivalence.extensions'],
    on: 'all-bindings-extensions',
    patch: (inner, _, whole) => ({
      activated(request) {
        const all = inner.activated(request);
        if (!cameOver(request, rest)) return all;
        const { extensions } = whole.card().capabilities;
        return all.filter((uri) => extensions.some((one) => one.uri === uri && one.required));
      },
    }),
  }),
  fault('equivalence-open-without-credentials', {
    about: 'gRPC is open: a call without credentials is one of the first caller.',
    breaks: ['equivalence.unauthenticated'],
    on: full,
    patch: (inner) => ({
      async authenticate(request) {
        if (cameOver(request, 'grpc') && !hasCredentials(request)) return 'alice';
        return inner.authenticate(request);
      },
    }),
  }),
  fault('equivalence-credentials-not-known', {
    about: 'One interface beside the first knows no credentials.',
    breaks: ['auth.same-on-transports'],
    on: full,
    patch: (inner, { dialect }) => ({
      async authenticate(request) {
        if (cameOver(request, dialect.binding.id === rest ? 'jsonrpc' : rest)) throw new Unauthorized();
        return inner.authenticate(request);
      },
    }),
  }),
  fault('equivalence-tasks-open-to-strangers', {
    about: 'Over HTTP+JSON every known caller is taken for the first.',
    breaks: ['equivalence.foreign-task'],
    on: full,
    patch: (inner) => ({
      async authenticate(request) {
        const caller = await inner.authenticate(request);
        return caller !== undefined && cameOver(request, rest) ? 'alice' : caller;
      },
    }),
  }),
  fault('equivalence-extended-card-plain', {
    about: 'Over HTTP+JSON the extended card is the public one.',
    breaks: ['equivalence.extended-card'],
    on: full,
    patch: (inner, world, whole) =>
      doing(rest, 'extendedCard', () => ({ op: 'extendedCard', result: whole.card() }))(inner, world, whole),
  }),
  fault('equivalence-tenant-lost-on-cancel', {
    about: 'Over gRPC the tenant of a cancel is not read, so that its task is not found.',
    breaks: ['equivalence.tenant'],
    on: 'all-bindings-tenant',
    patch: refusingOver('grpc', 'cancel', 'TaskNotFound'),
  }),
  fault('equivalence-configs-not-shared', {
    about: 'HTTP+JSON has a store of push configurations of its own.',
    breaks: ['equivalence.push-configs'],
    on: full,
    patch: ownConfigsOnly,
  }),
  fault('equivalence-config-delete-ignored', {
    about: 'Over HTTP+JSON a push configuration is deleted in words only.',
    breaks: ['equivalence.push-configs'],
    on: full,
    patch: doing(rest, 'pushDelete', () => ({ op: 'pushDelete', result: null })),
  }),
  fault('equivalence-configs-paged-on-one', {
    about: 'Only HTTP+JSON reads the pageSize of a list of push configurations.',
    breaks: ['equivalence.push-paging'],
    on: full,
    patch: (inner) => ({
      httpResult(result, call) {
        const size = call.op === 'pushList' ? call.params['pageSize'] : undefined;
        const configs = isObject(result) ? result['configs'] : undefined;
        const isPaged = typeof size === 'number' && Array.isArray(configs);
        return inner.httpResult(isPaged ? { ...(result as object), configs: configs.slice(0, size) } : result, call);
      },
    }),
  }),
  fault('equivalence-payload-by-binding', {
    about: 'Webhooks that are set over HTTP+JSON get the task itself, the others an event.',
    breaks: ['equivalence.push-payload'],
    on: full,
    patch: ownPayload,
  }),
  fault('equivalence-continuation-begins-anew', {
    about: 'Over HTTP+JSON the taskId of a message is not read.',
    breaks: ['equivalence.continuation'],
    on,
    patch: saying(rest, ({ taskId: _, ...message }) => message),
  }),
  fault('equivalence-cancel-not-seen', {
    about: 'Over HTTP+JSON canceled tasks are shown at work.',
    breaks: ['equivalence.canceled'],
    on,
    patch: showingTasks(rest, (task) =>
      task.status.state === 'canceled' ? { ...task, status: { ...task.status, state: 'working' } } : task,
    ),
  }),
  fault('equivalence-blocking-ignored', {
    about: 'Over HTTP+JSON every answer waits for the end of the work.',
    breaks: ['equivalence.blocking'],
    on,
    patch: asking(rest, (command) => {
      if (command.op !== 'send') return command;
      const configuration = { ...command.params.configuration, blocking: true };
      return { ...command, params: { ...command.params, configuration } };
    }),
  }),
  fault('equivalence-message-in-place-of-task', {
    about: 'Over HTTP+JSON messages are answered with messages.',
    breaks: ['equivalence.reply-kind'],
    on,
    patch: showing(rest, (outcome) =>
      outcome.op === 'send'
        ? {
            op: 'send',
            result: {
              type: 'message',
              message: { messageId: 'answer', role: 'agent', parts: [{ kind: 'text', text: 'Hello.' }] },
            },
          }
        : outcome,
    ),
  }),
  fault('equivalence-duplicate-not-known', {
    about: 'Over one binding a message whose id is known is new work.',
    breaks: ['equivalence.duplicates'],
    on: 'all-bindings-know-messages',
    patch: elsewhere((binding) =>
      saying(binding, (message) => ({ ...message, messageId: `${message.messageId} over ${binding}` })),
    ),
  }),
  fault('equivalence-events-doubled', {
    about: 'Over HTTP+JSON each event of a stream comes twice.',
    breaks: ['equivalence.streams'],
    on: full,
    patch: onUpdates((event) => [event, event]),
  }),
  fault('equivalence-events-missing', {
    about: 'Over HTTP+JSON streams bring no artifacts.',
    breaks: ['equivalence.streams'],
    on: full,
    patch: onUpdates((event) => (event.type === 'artifact' ? [] : [event])),
  }),
  fault('equivalence-progress-missing', {
    about: 'Over HTTP+JSON streams bring no status working.',
    breaks: ['equivalence.streams'],
    on: full,
    patch: onUpdates((event) => (event.type === 'status' && event.status.state === 'working' ? [] : [event])),
  }),
  fault('equivalence-data-refused', {
    about: 'Over HTTP+JSON each message with data is refused.',
    breaks: ['equivalence.parts-taken'],
    on,
    patch: asking(rest, (command) => {
      const isSend = command.op === 'send' || command.op === 'stream';
      if (isSend && command.params.message.parts.some(({ kind }) => kind === 'data'))
        throw new RpcFailure('ContentTypeNotSupported');
      return command;
    }),
  }),
  fault('equivalence-drop-ends-others', {
    about: 'A stream that is dropped silences those of other bindings.',
    breaks: ['equivalence.stream-dropped'],
    on: full,
    patch: dropEndsOthers,
  }),
  fault('equivalence-append-lost', {
    about: 'Over HTTP+JSON a chunk does not say that it continues an artifact.',
    breaks: ['equivalence.streamed-artifacts'],
    on: full,
    patch: onUpdates((event) => [event.type === 'artifact' ? { ...event, append: false } : event]),
  }),
];
