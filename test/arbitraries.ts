import fc from 'fast-check';
import {
  type Artifact,
  type Message,
  type Part,
  type PushConfig,
  type SendConfiguration,
  type SendParams,
  type StreamEvent,
  type Task,
  type TaskPushConfig,
  type TaskStatus,
  taskStates,
} from '../src/model/index.js';

// Canonical values, valid in every version: what a codec must carry there and back.

const text = fc.string({ unit: 'grapheme', maxLength: 12 });
const id = fc.uuid();
const metadata = fc.dictionary(
  fc.string({ minLength: 1, maxLength: 6 }).filter((name) => name !== '__proto__'),
  fc.jsonValue({ maxDepth: 2 }),
  { maxKeys: 3 },
) as fc.Arbitrary<Record<string, unknown>>;
/** An optional member is absent, never undefined. */
const optional = <T extends object>(
  required: { [Key in keyof T]?: fc.Arbitrary<unknown> },
  more: { [Key in keyof T]?: fc.Arbitrary<unknown> },
): fc.Arbitrary<T> =>
  fc.record({ ...required, ...more } as Record<string, fc.Arbitrary<unknown>>, {
    requiredKeys: Object.keys(required),
  }) as unknown as fc.Arbitrary<T>;

export const part: fc.Arbitrary<Part> = fc.oneof(
  optional<Part & { text: string }>({ kind: fc.constant('text'), text }, { metadata }),
  optional<Part & { bytes: string; name: string; mediaType: string }>(
    { kind: fc.constant('file'), bytes: fc.base64String() },
    { name: text, mediaType: fc.constantFrom('text/plain', 'image/png'), metadata },
  ),
  optional<Part & { uri: string; name: string; mediaType: string }>(
    { kind: fc.constant('file'), uri: fc.webUrl() },
    { name: text, mediaType: fc.constantFrom('text/plain', 'image/png'), metadata },
  ),
  optional<Part & { data: unknown }>({ kind: fc.constant('data'), data: metadata }, { metadata }),
);

export const message: fc.Arbitrary<Message> = optional<Message>(
  { messageId: id, role: fc.constantFrom('user', 'agent'), parts: fc.array(part, { minLength: 1, maxLength: 3 }) },
  {
    contextId: id,
    taskId: id,
    referenceTaskIds: fc.array(id, { maxLength: 2 }),
    extensions: fc.array(fc.webUrl(), { maxLength: 2 }),
    metadata,
  },
);

export const status: fc.Arbitrary<TaskStatus> = optional<TaskStatus>(
  { state: fc.constantFrom(...taskStates) },
  {
    message,
    timestamp: fc
      .date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) })
      .map((date) => date.toISOString()),
  },
);

export const artifact: fc.Arbitrary<Artifact> = optional<Artifact>(
  { artifactId: id, parts: fc.array(part, { minLength: 1, maxLength: 3 }) },
  { name: text, description: text, extensions: fc.array(fc.webUrl(), { maxLength: 2 }), metadata },
);

export const task: fc.Arbitrary<Task> = optional<Task>(
  { id, status },
  {
    contextId: id,
    artifacts: fc.array(artifact, { maxLength: 2 }),
    history: fc.array(message, { maxLength: 2 }),
    metadata,
  },
);

export const event: fc.Arbitrary<StreamEvent> = fc.oneof(
  task.map((task): StreamEvent => ({ type: 'task', task: task })),
  message.map((message): StreamEvent => ({ type: 'message', message: message })),
  fc
    .tuple(id, id, status)
    .map(([taskId, contextId, taskStatus]): StreamEvent => ({ type: 'status', taskId, contextId, status: taskStatus })),
  fc.tuple(id, id, artifact, fc.boolean(), fc.boolean()).map(
    ([taskId, contextId, artifact, append, lastChunk]): StreamEvent => ({
      type: 'artifact',
      taskId,
      contextId,
      artifact: artifact,
      append,
      lastChunk,
    }),
  ),
);

const pushConfig: fc.Arbitrary<PushConfig> = optional<PushConfig>(
  { url: fc.webUrl() },
  {
    id,
    token: text,
    authentication: fc
      .tuple(fc.constantFrom('Bearer', 'Basic'), text)
      .map(([scheme, credentials]) => ({ schemes: [scheme], credentials })),
  },
);
export const taskPushConfig: fc.Arbitrary<TaskPushConfig> = fc.record({ taskId: id, config: pushConfig });

export const sendParams: fc.Arbitrary<SendParams> = optional<SendParams>(
  { message },
  {
    configuration: optional<SendConfiguration>(
      {},
      {
        acceptedOutputModes: fc.array(fc.constant('text/plain'), { maxLength: 2 }),
        historyLength: fc.nat(9),
        blocking: fc.boolean(),
        push: pushConfig,
      },
    ),
    metadata,
  },
);
