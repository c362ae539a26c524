import {
  type Artifact,
  type Card,
  type Draft,
  type Extension,
  type FilePart,
  type Interface,
  isObject,
  type ListQuery,
  type Message,
  member,
  type Part,
  type PushConfig,
  type PushRef,
  type Role,
  type SecurityScheme,
  type SendConfiguration,
  type SendParams,
  type SendReply,
  type StreamEvent,
  stringMember,
  strings,
  type Task,
  type TaskPage,
  type TaskPushConfig,
  type TaskQuery,
  type TaskRef,
  type TaskState,
  type TaskStatus,
  taskStates,
  unknownCard,
} from '../model/index.js';
import { type Codec, field, flag, integer, list, map, mapped, nothing, record, text, words } from './codec.js';
import type { Dialect } from './dialect.js';

// A2A 0.3.0, JSON-RPC binding: https://github.com/a2aproject/A2A/tree/v0.3.0, docs/specification.md.

const file = record<Omit<FilePart, 'kind' | 'metadata'>>({
  bytes: field('bytes', text),
  uri: field('uri', text),
  name: field('name', text),
  mediaType: field('mimeType', text),
});

/** §6.5: told apart by `kind`. An unknown kind keeps its members, so that it can be sent on purpose. */
export const part: Codec<Part> = mapped<Part>(
  (draft) => {
    if (!isObject(draft) || draft['kind'] !== 'file') return draft;
    const { kind, metadata, bytes, uri, name, mediaType, ...extra } = draft;
    const inner = file.encode({ bytes, uri, name, mediaType } as Draft<Omit<FilePart, 'kind' | 'metadata'>>);
    return { kind, file: inner, ...(metadata === undefined ? {} : { metadata }), ...extra };
  },
  (wire) => {
    const metadata = map.decode(member(wire, 'metadata'));
    const rest = metadata === undefined ? {} : { metadata };
    switch (member(wire, 'kind')) {
      case 'text':
        return { kind: 'text', text: stringMember(wire, 'text') ?? '', ...rest };
      case 'file':
        return { kind: 'file', ...file.decode(member(wire, 'file')), ...rest };
      case 'data':
        return { kind: 'data', data: member(wire, 'data'), ...rest };
      default:
        return undefined;
    }
  },
);

const roles: Codec<Role> = words<Role>({ user: 'user', agent: 'agent' });
const state: Codec<TaskState> = words<TaskState>(
  Object.fromEntries(taskStates.map((name) => [name, name])) as Record<TaskState, string>,
  'unknown',
);

/** §6.4 */
export const message = record<Message>(
  {
    messageId: field('messageId', text, ''),
    role: field('role', roles, 'agent' as Role),
    parts: field('parts', list(part), [] as readonly Part[]),
    contextId: field('contextId', text),
    taskId: field('taskId', text),
    referenceTaskIds: field('referenceTaskIds', list(text)),
    extensions: field('extensions', list(text)),
    metadata: field('metadata', map),
  },
  { kind: 'message' },
);

/** §6.2 */
export const status = record<TaskStatus>({
  state: field('state', state, 'unknown' as TaskState),
  message: field<Message>('message', message),
  timestamp: field('timestamp', text),
});

/** §6.7 */
export const artifact = record<Artifact>({
  artifactId: field('artifactId', text, ''),
  parts: field('parts', list(part), [] as readonly Part[]),
  name: field('name', text),
  description: field('description', text),
  extensions: field('extensions', list(text)),
  metadata: field('metadata', map),
});

/** §6.1 */
export const task = record<Task>(
  {
    id: field('id', text, ''),
    contextId: field('contextId', text),
    status: field<TaskStatus>('status', status, { state: 'unknown' }),
    artifacts: field('artifacts', list<Artifact>(artifact)),
    history: field('history', list<Message>(message)),
    metadata: field('metadata', map),
  },
  { kind: 'task' },
);

/** A result without a readable `kind` is told by its members: being lenient here costs one failed check, not all. */
const kindOf = (wire: unknown): unknown => {
  const kind = member(wire, 'kind');
  if (kind === 'task' || kind === 'message' || kind === 'status-update' || kind === 'artifact-update') return kind;
  if (isObject(member(wire, 'artifact'))) return 'artifact-update';
  if (isObject(member(wire, 'status'))) return stringMember(wire, 'taskId') === undefined ? 'task' : 'status-update';
  if (Array.isArray(member(wire, 'parts'))) return 'message';
  return undefined;
};

/** §7.1: a bare Task or Message. */
export const sendReply: Codec<SendReply> = mapped<SendReply>(
  (draft) => {
    if (!isObject(draft)) return draft;
    return member(draft, 'type') === 'message'
      ? message.encode(member(draft, 'message') as never)
      : task.encode(member(draft, 'task') as never);
  },
  (wire) => {
    if (kindOf(wire) === 'task') {
      const found = task.decode(wire);
      return found && { type: 'task', task: found };
    }
    if (kindOf(wire) === 'message') {
      const found = message.decode(wire);
      return found && { type: 'message', message: found };
    }
    return undefined;
  },
);

type StatusEvent = Omit<Extract<StreamEvent, { type: 'status' }>, 'type'>;
type ArtifactEvent = Omit<Extract<StreamEvent, { type: 'artifact' }>, 'type'>;

const statusEvent = record<StatusEvent>(
  {
    taskId: field('taskId', text, ''),
    contextId: field('contextId', text),
    status: field<TaskStatus>('status', status, { state: 'unknown' }),
    final: field('final', flag),
  },
  { kind: 'status-update' },
);
const artifactEvent = record<ArtifactEvent>(
  {
    taskId: field('taskId', text, ''),
    contextId: field('contextId', text),
    artifact: field<Artifact>('artifact', artifact, { artifactId: '', parts: [] }),
    append: field('append', flag),
    lastChunk: field('lastChunk', flag),
  },
  { kind: 'artifact-update' },
);

/** §7.2.1 */
export const event: Codec<StreamEvent> = mapped<StreamEvent>(
  (draft) => {
    if (!isObject(draft)) return draft;
    const { type, ...rest } = draft;
    switch (type) {
      case 'status':
        // `final` is required in 0.3 (§7.2.2).
        return statusEvent.encode({ final: false, ...rest } as never);
      case 'artifact':
        return artifactEvent.encode(rest as never);
      default:
        return sendReply.encode(draft as never);
    }
  },
  (wire) => {
    const kind = kindOf(wire);
    if (kind === 'status-update') {
      const found = statusEvent.decode(wire);
      return found && { type: 'status', ...found };
    }
    if (kind === 'artifact-update') {
      const found = artifactEvent.decode(wire);
      return found && { type: 'artifact', ...found };
    }
    return sendReply.decode(wire);
  },
);

type Authentication = NonNullable<PushConfig['authentication']>;
/** §6.8 */
export const pushConfig = record<PushConfig>({
  id: field('id', text),
  url: field('url', text, ''),
  token: field('token', text),
  authentication: field<Authentication>(
    'authentication',
    record<Authentication>({
      schemes: field('schemes', list(text), [] as readonly string[]),
      credentials: field('credentials', text),
    }),
  ),
});
/** §6.10 */
export const taskPushConfig = record<TaskPushConfig>({
  taskId: field('taskId', text, ''),
  config: field<PushConfig>('pushNotificationConfig', pushConfig, { url: '' }),
});

const configuration = record<SendConfiguration>({
  acceptedOutputModes: field('acceptedOutputModes', list(text)),
  historyLength: field('historyLength', integer),
  blocking: field('blocking', flag),
  push: field<PushConfig>('pushNotificationConfig', pushConfig),
});

/** §7.1.1 */
export const sendParams = record<SendParams>({
  message: field<Message>('message', message),
  configuration: field<SendConfiguration>('configuration', configuration),
  metadata: field('metadata', map),
});
/** §7.3.1 */
export const taskQuery = record<TaskQuery>({
  id: field('id', text, ''),
  historyLength: field('historyLength', integer),
  metadata: field('metadata', map),
});
/** §7.4.1 */
export const taskRef = record<TaskRef>({ id: field('id', text, ''), metadata: field('metadata', map) });

const pushRef = record<PushRef>({
  taskId: field('id', text, ''),
  configId: field('pushNotificationConfigId', text),
});

/** 0.3 has no listing over JSON-RPC (§3.5.6); agents that offer one mostly answer with `tasks`. */
const listQuery = record<ListQuery>({
  contextId: field('contextId', text),
  state: field('status', text),
  pageSize: field('pageSize', integer),
  pageToken: field('pageToken', text),
  historyLength: field('historyLength', integer),
  updatedAfter: field('lastUpdatedAfter', text),
  includeArtifacts: field('includeArtifacts', flag),
});
const taskPage = record<TaskPage>({
  tasks: field('tasks', list<Task>(task), [] as readonly Task[]),
  nextPageToken: field('nextPageToken', text),
  pageSize: field('pageSize', integer),
  totalSize: field('totalSize', integer),
});

const noParams: Codec<Record<string, never>> = mapped<Record<string, never>>(
  () => undefined,
  () => ({}),
);

/** §5.5; members that cannot be read are left out, the schema judges them. */
export const card: Codec<Card> = mapped<Card>(
  (draft) => {
    if (!isObject(draft)) return draft;
    const value = draft as unknown as Partial<Card>;
    const [main, ...others] = value.interfaces ?? [];
    return {
      protocolVersion: value.protocolVersion,
      name: value.name,
      description: `${value.name}, an agent`,
      version: value.version,
      url: main?.url,
      preferredTransport: main?.transport,
      ...(others.length > 0
        ? { additionalInterfaces: [main, ...others].map((one) => ({ url: one?.url, transport: one?.transport })) }
        : {}),
      capabilities: {
        streaming: value.capabilities?.streaming ?? false,
        pushNotifications: value.capabilities?.push ?? false,
        ...((value.capabilities?.extensions.length ?? 0) > 0 ? { extensions: value.capabilities?.extensions } : {}),
      },
      ...(value.capabilities?.extendedCard ? { supportsAuthenticatedExtendedCard: true } : {}),
      defaultInputModes: value.inputModes,
      defaultOutputModes: value.outputModes,
      skills: (value.skills ?? []).map((skill) => ({
        id: skill.id,
        name: skill.id,
        description: `What ${skill.id} does.`,
        tags: [skill.id],
        ...(skill.inputModes.length > 0 ? { inputModes: skill.inputModes } : {}),
        ...(skill.outputModes.length > 0 ? { outputModes: skill.outputModes } : {}),
      })),
      ...((value.security?.length ?? 0) > 0 ? { security: value.security } : {}),
      ...(Object.keys(value.securitySchemes ?? {}).length > 0 ? { securitySchemes: value.securitySchemes } : {}),
      ...((value.signatures?.length ?? 0) > 0 ? { signatures: value.signatures } : {}),
    };
  },
  (wire) => (isObject(wire) ? readCard(wire) : undefined),
);

function readCard(wire: { readonly [member: string]: unknown }): Card {
  const capabilities = member(wire, 'capabilities');
  const text = <Name extends string>(from: string, to: Name) => {
    const found = stringMember(wire, from);
    return found === undefined ? {} : ({ [to]: found } as { [Key in Name]: string });
  };
  return {
    ...unknownCard,
    ...text('name', 'name'),
    ...text('version', 'version'),
    ...text('protocolVersion', 'protocolVersion'),
    interfaces: readInterfaces(wire),
    capabilities: {
      streaming: member(capabilities, 'streaming') === true,
      push: member(capabilities, 'pushNotifications') === true,
      extendedCard: member(wire, 'supportsAuthenticatedExtendedCard') === true,
      extensions: readExtensions(member(capabilities, 'extensions')),
    },
    inputModes: strings(member(wire, 'defaultInputModes')),
    outputModes: strings(member(wire, 'defaultOutputModes')),
    skills: objects(member(wire, 'skills')).map((skill) => ({
      id: stringMember(skill, 'id') ?? '',
      inputModes: strings(member(skill, 'inputModes')),
      outputModes: strings(member(skill, 'outputModes')),
    })),
    security: objects(member(wire, 'security')).map((option) =>
      Object.fromEntries(Object.entries(option).map(([name, scopes]) => [name, strings(scopes)])),
    ),
    securitySchemes: readSchemes(member(wire, 'securitySchemes')),
    signatures: objects(member(wire, 'signatures')),
  };
}

const objects = (value: unknown): readonly { readonly [member: string]: unknown }[] =>
  Array.isArray(value) ? value.filter(isObject) : [];

/** §5.6: the main pair first, then the entries that add to it. JSONRPC is the schema's default (AMB03-02). */
function readInterfaces(wire: unknown): readonly Interface[] {
  const url = stringMember(wire, 'url');
  const main = url === undefined ? [] : [{ url, transport: stringMember(wire, 'preferredTransport') ?? 'JSONRPC' }];
  const others = objects(member(wire, 'additionalInterfaces')).flatMap((entry) => {
    const at = stringMember(entry, 'url');
    const transport = stringMember(entry, 'transport');
    if (at === undefined || transport === undefined) return [];
    return main.some((one) => one.url === at && one.transport === transport) ? [] : [{ url: at, transport }];
  });
  return [...main, ...others];
}

function readExtensions(wire: unknown): readonly Extension[] {
  return objects(wire).flatMap((entry) => {
    const uri = stringMember(entry, 'uri');
    const params = map.decode(member(entry, 'params'));
    if (uri === undefined) return [];
    return [{ uri, required: member(entry, 'required') === true, ...(params === undefined ? {} : { params }) }];
  });
}

function readSchemes(wire: unknown): Record<string, SecurityScheme> {
  const found: Record<string, SecurityScheme> = Object.create(null);
  if (!isObject(wire)) return found;
  for (const [name, scheme] of Object.entries(wire)) {
    const type = stringMember(scheme, 'type');
    const at = stringMember(scheme, 'in');
    if (type === 'apiKey' && (at === 'header' || at === 'query' || at === 'cookie')) {
      found[name] = { type, in: at, name: stringMember(scheme, 'name') ?? '' };
    } else if (type === 'http') found[name] = { type, scheme: stringMember(scheme, 'scheme') ?? '' };
    else if (type === 'oauth2' || type === 'openIdConnect' || type === 'mutualTLS') found[name] = { type };
  }
  return found;
}

export const a2a03: Dialect = {
  id: 'a2a-0.3',
  title: 'A2A 0.3.0 over JSON-RPC',
  ledger: 'a2a-0.3',
  schemas: 'a2a/0.3.0',
  cardPaths: ['/.well-known/agent-card.json', '/.well-known/agent.json', '/.well-known/agent-card', '/agent-card'],
  endpointPath: '',
  headers: [],
  extensionHeader: 'X-A2A-Extensions',
  finalFlag: true,
  card,
  recognises(document) {
    if (Array.isArray(member(document, 'supportedInterfaces'))) return 'no';
    const version = stringMember(document, 'protocolVersion');
    if (version === undefined) return 'maybe';
    return /^0\.3(\.|$)/.test(version) ? 'yes' : 'no';
  },
  operations: {
    send: { method: 'message/send', params: sendParams, result: sendReply },
    stream: { method: 'message/stream', params: sendParams, result: event },
    get: { method: 'tasks/get', params: taskQuery, result: task },
    list: { method: 'tasks/list', params: listQuery, result: taskPage },
    cancel: { method: 'tasks/cancel', params: taskRef, result: task },
    subscribe: { method: 'tasks/resubscribe', params: taskRef, result: event },
    pushSet: { method: 'tasks/pushNotificationConfig/set', params: taskPushConfig, result: taskPushConfig },
    pushGet: { method: 'tasks/pushNotificationConfig/get', params: pushRef, result: taskPushConfig },
    pushList: {
      method: 'tasks/pushNotificationConfig/list',
      params: pushRef,
      result: list<TaskPushConfig>(taskPushConfig),
    },
    pushDelete: { method: 'tasks/pushNotificationConfig/delete', params: pushRef, result: nothing },
    extendedCard: { method: 'agent/getAuthenticatedExtendedCard', params: noParams, result: card },
  },
  codes: {
    ParseError: -32700,
    InvalidRequest: -32600,
    MethodNotFound: -32601,
    InvalidParams: -32602,
    InternalError: -32603,
    TaskNotFound: -32001,
    TaskNotCancelable: -32002,
    PushNotificationNotSupported: -32003,
    UnsupportedOperation: -32004,
    ContentTypeNotSupported: -32005,
    InvalidAgentResponse: -32006,
    ExtendedCardNotConfigured: -32007,
  },
};
