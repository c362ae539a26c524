import { type HttpRoute, jsonrpc } from '../binding/index.js';
import {
  type Draft,
  isObject,
  type ListQuery,
  type Message,
  member,
  type Operation,
  type Part,
  type PushConfig,
  type PushRef,
  type Role,
  type SendConfiguration,
  type SendParams,
  type SendReply,
  type StreamEvent,
  stringMember,
  type Task,
  type TaskPage,
  type TaskPushConfig,
  type TaskQuery,
  type TaskRef,
  type TaskState,
} from '../model/index.js';
import { a2a03 } from './a2a-0.3.js';
import { card } from './a2a-1.0-card.js';
import { type Codec, field, flag, integer, list, map, mapped, nothing, record, text, words } from './codec.js';
import type { Dialect, TextClues, TextFollowed } from './dialect.js';
import { type ArtifactEvent, objects, type StatusEvent } from './objects.js';

// A2A 1.0 (texts 1.0.0 and 1.0.1), JSON-RPC binding, ProtoJSON spelling of specification/a2a.proto.

/** §4.1.6: the member that carries the content tells the kind. */
const part: Codec<Part> = mapped<Part>(
  (draft) => {
    if (!isObject(draft)) return draft;
    const { kind, bytes, uri, name, mediaType, ...rest } = draft;
    const file = {
      ...(bytes === undefined ? {} : { raw: bytes }),
      ...(uri === undefined ? {} : { url: uri }),
      ...(name === undefined ? {} : { filename: name }),
      ...(mediaType === undefined ? {} : { mediaType }),
    };
    // A kind that does not exist becomes a content member that does not exist.
    if (typeof kind === 'string' && kind !== 'text' && kind !== 'file' && kind !== 'data') return { [kind]: rest };
    return { ...rest, ...file };
  },
  (wire) => {
    const metadata = map.decode(member(wire, 'metadata'));
    const more = metadata === undefined ? {} : { metadata };
    const words = stringMember(wire, 'text');
    if (words !== undefined) return { kind: 'text', text: words, ...more };
    const bytes = stringMember(wire, 'raw');
    const uri = stringMember(wire, 'url');
    if (bytes !== undefined || uri !== undefined) {
      const name = stringMember(wire, 'filename');
      const mediaType = stringMember(wire, 'mediaType');
      return {
        kind: 'file',
        ...(bytes === undefined ? {} : { bytes }),
        ...(uri === undefined ? {} : { uri }),
        ...(name === undefined ? {} : { name }),
        ...(mediaType === undefined ? {} : { mediaType }),
        ...more,
      };
    }
    if (isObject(wire) && Object.hasOwn(wire, 'data')) return { kind: 'data', data: wire['data'], ...more };
    return undefined;
  },
);

const role: Codec<Role> = words<Role>({ user: 'ROLE_USER', agent: 'ROLE_AGENT' });
/** §4.1.3; a client reads an unspecified state as `unknown`. */
const state: Codec<TaskState> = words<TaskState>(
  {
    submitted: 'TASK_STATE_SUBMITTED',
    working: 'TASK_STATE_WORKING',
    'input-required': 'TASK_STATE_INPUT_REQUIRED',
    'auth-required': 'TASK_STATE_AUTH_REQUIRED',
    completed: 'TASK_STATE_COMPLETED',
    canceled: 'TASK_STATE_CANCELED',
    failed: 'TASK_STATE_FAILED',
    rejected: 'TASK_STATE_REJECTED',
    unknown: 'TASK_STATE_UNSPECIFIED',
  },
  'unknown',
);

const { message, task, statusEvent, artifactEvent } = objects({ part, role, state, tagged: false });

/** §3.2.3: an object with one member that tells what it holds. */
function decodeReply(wire: unknown): SendReply | undefined {
  const wrappedTask = task.decode(member(wire, 'task'));
  if (wrappedTask !== undefined) return { type: 'task', task: wrappedTask };
  const wrappedMessage = message.decode(member(wire, 'message'));
  if (wrappedMessage !== undefined) return { type: 'message', message: wrappedMessage };
  return undefined;
}
const sendReply: Codec<SendReply> = mapped<SendReply>((draft) => {
  if (!isObject(draft)) return draft;
  return member(draft, 'type') === 'message'
    ? { message: message.encode(member(draft, 'message') as never) }
    : { task: task.encode(member(draft, 'task') as never) };
}, decodeReply);

/** §3.2.3; 1.0 has no `final` flag: the stream closes. */
const event: Codec<StreamEvent> = mapped<StreamEvent>(
  (draft) => {
    if (!isObject(draft)) return draft;
    const { type, final: _, ...rest } = draft as Record<string, unknown>;
    if (type === 'status') return { statusUpdate: statusEvent.encode(rest as Draft<StatusEvent>) };
    if (type === 'artifact') return { artifactUpdate: artifactEvent.encode(rest as Draft<ArtifactEvent>) };
    return sendReply.encode(draft as Draft<SendReply>);
  },
  (wire) => {
    const update = statusEvent.decode(member(wire, 'statusUpdate'));
    if (update !== undefined) return { type: 'status', ...update };
    const chunk = artifactEvent.decode(member(wire, 'artifactUpdate'));
    if (chunk !== undefined) return { type: 'artifact', ...chunk };
    return decodeReply(wire);
  },
);

/** §4.3.1, §4.3.2: flat, with one scheme instead of a list. */
const taskPushConfig: Codec<TaskPushConfig> = mapped<TaskPushConfig>(
  (draft) => {
    if (!isObject(draft)) return draft;
    const { taskId, config, ...extra } = draft;
    const encoded = encodePush(config);
    return { ...(taskId === undefined ? {} : { taskId }), ...(isObject(encoded) ? encoded : {}), ...extra };
  },
  (wire) => {
    const config = decodePush(wire);
    return config && { taskId: stringMember(wire, 'taskId') ?? '', config };
  },
);

function encodePush(config: unknown): unknown {
  if (!isObject(config)) return config;
  const { authentication, ...rest } = config;
  if (!isObject(authentication)) return { ...rest, ...(authentication === undefined ? {} : { authentication }) };
  const { schemes, ...others } = authentication;
  const scheme: unknown = Array.isArray(schemes) ? schemes[0] : schemes;
  return { ...rest, authentication: { ...(scheme === undefined ? {} : { scheme }), ...others } };
}

function decodePush(wire: unknown): PushConfig | undefined {
  if (!isObject(wire)) return undefined;
  const id = stringMember(wire, 'id');
  const token = stringMember(wire, 'token');
  const scheme = stringMember(member(wire, 'authentication'), 'scheme');
  const credentials = stringMember(member(wire, 'authentication'), 'credentials');
  return {
    url: stringMember(wire, 'url') ?? '',
    ...(id === undefined ? {} : { id }),
    ...(token === undefined ? {} : { token }),
    ...(scheme === undefined
      ? {}
      : { authentication: { schemes: [scheme], ...(credentials === undefined ? {} : { credentials }) } }),
  };
}

const inlinePush: Codec<PushConfig> = mapped<PushConfig>(encodePush, decodePush);
/** §3.2.2: `returnImmediately` is the opposite of blocking. */
const returnImmediately: Codec<boolean> = mapped<boolean>(
  (draft) => (typeof draft === 'boolean' ? !draft : draft),
  (wire) => (typeof wire === 'boolean' ? !wire : undefined),
);
const configuration = record<SendConfiguration>({
  acceptedOutputModes: field('acceptedOutputModes', list(text)),
  historyLength: field('historyLength', integer),
  blocking: field('returnImmediately', returnImmediately),
  push: field<PushConfig>('taskPushNotificationConfig', inlinePush),
});
const sendParams = record<SendParams>({
  message: field<Message>('message', message),
  configuration: field<SendConfiguration>('configuration', configuration),
  metadata: field('metadata', map),
});
const taskQuery = record<TaskQuery>({
  id: field('id', text, ''),
  historyLength: field('historyLength', integer),
  metadata: field('metadata', map),
});
const taskRef = record<TaskRef>({ id: field('id', text, ''), metadata: field('metadata', map) });
const pushRef = record<PushRef>({ taskId: field('taskId', text, ''), configId: field('id', text) });
/** §3.1.4 */
const listQuery = record<ListQuery>({
  contextId: field('contextId', text),
  state: field('status', state as Codec<string>),
  pageSize: field('pageSize', integer),
  pageToken: field('pageToken', text),
  historyLength: field('historyLength', integer),
  updatedAfter: field('statusTimestampAfter', text),
  includeArtifacts: field('includeArtifacts', flag),
});
const taskPage = record<TaskPage>({
  tasks: field('tasks', list<Task>(task), [] as readonly Task[]),
  nextPageToken: field('nextPageToken', text),
  pageSize: field('pageSize', integer),
  totalSize: field('totalSize', integer),
});
/** §3.1.9: a page of configurations; pages after the first are not asked for. */
const pushPage: Codec<readonly TaskPushConfig[]> = mapped<readonly TaskPushConfig[]>(
  (draft) => ({ configs: list(taskPushConfig).encode(draft), nextPageToken: '' }),
  // ProtoJSON leaves an empty list out.
  (wire) => (isObject(wire) ? (list(taskPushConfig).decode(wire['configs']) ?? []) : undefined),
);
/** §3.1.10: the implementation chooses the result. */
const confirmation: Codec<null> = { encode: nothing.encode, decode: () => null };
const noParams: Codec<Record<string, never>> = mapped<Record<string, never>>(
  () => ({}),
  () => ({}),
);

/**
 * Which text of 1.0 the agent follows. 1.0.1 made ErrorInfo in JSON-RPC errors a SHOULD, made their data a list in the
 * example too (§9.5), and changed notifications to application/a2a+json (§4.3.3).
 */
function textOf({ errorsWithInfo, errorsWithoutInfo, objectsAsData, notificationTypes }: TextClues): TextFollowed {
  const follows = (text: string, why: string) => ({ text, says: `it follows ${text}: ${why}` });
  if (notificationTypes.has('application/a2a+json')) return follows('1.0.1', 'notifications are application/a2a+json');
  if (notificationTypes.has('application/json')) return follows('1.0.0', 'notifications are application/json');
  if (errorsWithoutInfo > 0) return follows('1.0.1', 'errors come without ErrorInfo, which 1.0.0 demands');
  if (errorsWithInfo > 0 && objectsAsData > 0) {
    return follows(
      '1.0.0',
      'A2A errors carry ErrorInfo, and other errors have an object as data, as in the example of 1.0.0',
    );
  }
  const seen = errorsWithInfo > 0 ? 'errors carry ErrorInfo' : 'the run saw nothing that only one of them allows';
  return { text: undefined, says: `it fits both 1.0.0 and 1.0.1: ${seen}` };
}

/** §5.3, §11.3. §11.3.2 has POST for a subscription, the proto GET (AMB10-04). */
const routes = {
  send: { verb: 'POST', path: '/message:send' },
  stream: { verb: 'POST', path: '/message:stream' },
  get: { verb: 'GET', path: '/tasks/{id}' },
  list: { verb: 'GET', path: '/tasks' },
  cancel: { verb: 'POST', path: '/tasks/{id}:cancel' },
  subscribe: { verb: 'POST', or: 'GET', path: '/tasks/{id}:subscribe' },
  pushSet: { verb: 'POST', path: '/tasks/{taskId}/pushNotificationConfigs' },
  pushGet: { verb: 'GET', path: '/tasks/{taskId}/pushNotificationConfigs/{id}' },
  pushList: { verb: 'GET', path: '/tasks/{taskId}/pushNotificationConfigs' },
  pushDelete: { verb: 'DELETE', path: '/tasks/{taskId}/pushNotificationConfigs/{id}' },
  extendedCard: { verb: 'GET', path: '/extendedAgentCard' },
} as const satisfies Readonly<Record<Operation, HttpRoute>>;

/**
 * §5.4, §11.6: the statuses and codes of gRPC of 1.0.1, then those of 1.0.0 where they differ (AMB10-05), and the reason of
 * the ErrorInfo.
 */
const errors: Dialect['errors'] = {
  ...a2a03.errors,
  ParseError: { rpc: -32700, http: { statuses: [400] } },
  InvalidRequest: { rpc: -32600, grpc: [3], http: { statuses: [400] } },
  MethodNotFound: { rpc: -32601, grpc: [12], http: { statuses: [405, 501] } },
  InvalidParams: { rpc: -32602, grpc: [3], http: { statuses: [400, 422], usualReason: 'INVALID_PARAMS' } },
  InternalError: { rpc: -32603, grpc: [13, 2], http: { statuses: [500] } },
  TaskNotFound: { rpc: -32001, grpc: [5], http: { statuses: [404], reason: 'TASK_NOT_FOUND' } },
  TaskNotCancelable: { rpc: -32002, grpc: [9], http: { statuses: [400, 409], reason: 'TASK_NOT_CANCELABLE' } },
  PushNotificationNotSupported: {
    rpc: -32003,
    grpc: [9, 12],
    http: { statuses: [400], reason: 'PUSH_NOTIFICATION_NOT_SUPPORTED' },
  },
  UnsupportedOperation: { rpc: -32004, grpc: [9, 12], http: { statuses: [400], reason: 'UNSUPPORTED_OPERATION' } },
  ContentTypeNotSupported: {
    rpc: -32005,
    grpc: [3],
    http: { statuses: [400, 415], reason: 'CONTENT_TYPE_NOT_SUPPORTED' },
  },
  InvalidAgentResponse: { rpc: -32006, grpc: [13], http: { statuses: [500, 502], reason: 'INVALID_AGENT_RESPONSE' } },
  ExtendedCardNotConfigured: {
    rpc: -32007,
    grpc: [9],
    http: { statuses: [400], reason: 'EXTENDED_AGENT_CARD_NOT_CONFIGURED' },
  },
  ExtensionSupportRequired: { rpc: -32008, grpc: [9], http: { statuses: [400], reason: 'EXTENSION_SUPPORT_REQUIRED' } },
  VersionNotSupported: { rpc: -32009, grpc: [9, 12], http: { statuses: [400], reason: 'VERSION_NOT_SUPPORTED' } },
};

/** Whether the card has members that only 1.0 defines. */
const hasMembersOf10 = (card: unknown): boolean =>
  member(card, 'supportedInterfaces') !== undefined ||
  member(card, 'securityRequirements') !== undefined ||
  member(member(card, 'capabilities'), 'extendedAgentCard') !== undefined;

export const a2a10: Dialect<'a2a-1.0', never> = {
  id: 'a2a-1.0',
  version: 'a2a-1.0',
  protocolVersion: '1.0',
  title: 'A2A 1.0 over JSON-RPC',
  ledger: 'a2a-1.0',
  clientLedger: 'client-1.0',
  schemas: 'a2a/1.0',
  cardPaths: ['/.well-known/agent-card.json', '/.well-known/agent.json', '/.well-known/agent-card', '/agent-card'],
  endpointPath: '',
  headers: [['A2A-Version', '1.0']],
  binding: jsonrpc,
  extensionHeader: 'A2A-Extensions',
  fits: (document) => (hasMembersOf10(document) ? 'yes' : 'no'),
  textOf,
  finalFlag: false,
  pays: true,
  card,
  operations: {
    send: { rpc: 'SendMessage', http: routes.send, params: sendParams, result: sendReply },
    stream: { rpc: 'SendStreamingMessage', http: routes.stream, params: sendParams, result: event },
    get: { rpc: 'GetTask', http: routes.get, params: taskQuery, result: task },
    list: { rpc: 'ListTasks', http: routes.list, params: listQuery, result: taskPage },
    cancel: { rpc: 'CancelTask', http: routes.cancel, params: taskRef, result: task },
    subscribe: { rpc: 'SubscribeToTask', http: routes.subscribe, params: taskRef, result: event },
    pushSet: {
      rpc: 'CreateTaskPushNotificationConfig',
      http: routes.pushSet,
      params: taskPushConfig,
      result: taskPushConfig,
    },
    pushGet: { rpc: 'GetTaskPushNotificationConfig', http: routes.pushGet, params: pushRef, result: taskPushConfig },
    pushList: { rpc: 'ListTaskPushNotificationConfigs', http: routes.pushList, params: pushRef, result: pushPage },
    pushDelete: {
      rpc: 'DeleteTaskPushNotificationConfig',
      http: routes.pushDelete,
      params: pushRef,
      result: confirmation,
    },
    extendedCard: { rpc: 'GetExtendedAgentCard', http: routes.extendedCard, params: noParams, result: card },
  },
  optional: [],
  errors,
};
