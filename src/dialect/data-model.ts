import {
  type Draft,
  type FilePart,
  isObject,
  type ListQuery,
  type Message,
  member,
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
  taskStates,
} from '../model/index.js';
import { type Codec, field, flag, integer, list, map, mapped, record, text, words } from './codec.js';
import { objects } from './objects.js';

// The data model that 0.2, 0.3 and the dialects near them share. Sections are those of 0.3.0, docs/specification.md.

/** The differences between them. */
export interface Spelling {
  /** The member that tells parts apart. */
  readonly partTag: 'kind' | 'type';
  /** Tasks, messages and events carry `kind`. */
  readonly tagged: boolean;
}

const file = record<Omit<FilePart, 'kind' | 'metadata'>>({
  bytes: field('bytes', text),
  uri: field('uri', text),
  name: field('name', text),
  mediaType: field('mimeType', text),
});

/** §6.5: `kind` says which part it is. An unknown kind keeps its members, so that it can be sent on purpose. */
const partOf = (tag: Spelling['partTag']): Codec<Part> =>
  mapped<Part>(
    (draft) => {
      if (!isObject(draft)) return draft;
      const { kind, ...others } = draft as Record<string, unknown>;
      const tagged = kind === undefined ? {} : { [tag]: kind };
      if (kind !== 'file') return { ...tagged, ...others };
      const { metadata, bytes, uri, name, mediaType, ...extra } = others;
      const inner = file.encode({ bytes, uri, name, mediaType } as Draft<Omit<FilePart, 'kind' | 'metadata'>>);
      return { ...tagged, file: inner, ...(metadata === undefined ? {} : { metadata }), ...extra };
    },
    (wire) => {
      const metadata = map.decode(member(wire, 'metadata'));
      const rest = metadata === undefined ? {} : { metadata };
      // The other member is read too, since one wrong name must not hide everything else; the schema judges it.
      switch (member(wire, 'kind') ?? member(wire, 'type')) {
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

const role: Codec<Role> = words<Role>({ user: 'user', agent: 'agent' });
const state: Codec<TaskState> = words<TaskState>(
  Object.fromEntries(taskStates.map((name) => [name, name])) as Record<TaskState, string>,
  'unknown',
);

/** Without a readable `kind`, the members tell what a result is: so an agent fails one check for it, not all. */
const kindOf = (wire: unknown): unknown => {
  const kind = member(wire, 'kind');
  if (kind === 'task' || kind === 'message' || kind === 'status-update' || kind === 'artifact-update') return kind;
  if (isObject(member(wire, 'artifact'))) return 'artifact-update';
  if (isObject(member(wire, 'status'))) return stringMember(wire, 'taskId') === undefined ? 'task' : 'status-update';
  if (Array.isArray(member(wire, 'parts'))) return 'message';
  return undefined;
};

type Authentication = NonNullable<PushConfig['authentication']>;

/** All codecs of one spelling. */
export function dataModel(spelling: Spelling) {
  const { message, status, artifact, task, statusEvent, artifactEvent } = objects({
    part: partOf(spelling.partTag),
    role,
    state,
    tagged: spelling.tagged,
  });

  /** §7.1: a bare Task or Message. */
  const sendReply: Codec<SendReply> = mapped<SendReply>(
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

  /** §7.2.1 */
  const event: Codec<StreamEvent> = mapped<StreamEvent>(
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

  /** §6.8 */
  const pushConfig = record<PushConfig>({
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
  const taskPushConfig = record<TaskPushConfig>({
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
  const sendParams = record<SendParams>({
    message: field<Message>('message', message),
    configuration: field<SendConfiguration>('configuration', configuration),
    metadata: field('metadata', map),
  });
  /** §7.3.1 */
  const taskQuery = record<TaskQuery>({
    id: field('id', text, ''),
    historyLength: field('historyLength', integer),
    metadata: field('metadata', map),
  });
  /** §7.4.1 */
  const taskRef = record<TaskRef>({ id: field('id', text, ''), metadata: field('metadata', map) });

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

  return {
    message,
    status,
    artifact,
    task,
    sendReply,
    event,
    pushConfig,
    taskPushConfig,
    sendParams,
    taskQuery,
    taskRef,
    pushRef,
    listQuery,
    taskPage,
    noParams,
  };
}
