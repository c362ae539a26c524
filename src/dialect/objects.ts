import type { Artifact, Message, Part, Role, StreamEvent, Task, TaskState, TaskStatus } from '../model/index.js';
import { type Codec, field, flag, list, map, record, text } from './codec.js';

/** The parts of the shared objects that differ between the versions. */
export interface Atoms {
  readonly part: Codec<Part>;
  readonly role: Codec<Role>;
  readonly state: Codec<TaskState>;
  /** Tasks, messages and events carry `kind`. */
  readonly tagged: boolean;
}

export type StatusEvent = Omit<Extract<StreamEvent, { type: 'status' }>, 'type'>;
export type ArtifactEvent = Omit<Extract<StreamEvent, { type: 'artifact' }>, 'type'>;

/** The objects that all versions have, with the same members (0.3.0 §6, §7.2; 1.0 §4.1, §4.2). */
export function objects({ part, role, state, tagged }: Atoms) {
  const kind = (name: string) => (tagged ? { kind: name } : {});
  const message = record<Message>(
    {
      messageId: field('messageId', text, ''),
      role: field('role', role, 'agent' as Role),
      parts: field('parts', list(part), [] as readonly Part[]),
      contextId: field('contextId', text),
      taskId: field('taskId', text),
      referenceTaskIds: field('referenceTaskIds', list(text)),
      extensions: field('extensions', list(text)),
      metadata: field('metadata', map),
    },
    kind('message'),
  );
  const status = record<TaskStatus>({
    state: field('state', state, 'unknown' as TaskState),
    message: field<Message>('message', message),
    timestamp: field('timestamp', text),
  });
  const artifact = record<Artifact>({
    artifactId: field('artifactId', text, ''),
    parts: field('parts', list(part), [] as readonly Part[]),
    name: field('name', text),
    description: field('description', text),
    extensions: field('extensions', list(text)),
    metadata: field('metadata', map),
  });
  const task = record<Task>(
    {
      id: field('id', text, ''),
      contextId: field('contextId', text),
      status: field<TaskStatus>('status', status, { state: 'unknown' }),
      artifacts: field('artifacts', list<Artifact>(artifact)),
      history: field('history', list<Message>(message)),
      metadata: field('metadata', map),
    },
    kind('task'),
  );
  const statusEvent = record<StatusEvent>(
    {
      taskId: field('taskId', text, ''),
      contextId: field('contextId', text),
      status: field<TaskStatus>('status', status, { state: 'unknown' }),
      final: field('final', flag),
    },
    kind('status-update'),
  );
  const artifactEvent = record<ArtifactEvent>(
    {
      taskId: field('taskId', text, ''),
      contextId: field('contextId', text),
      artifact: field<Artifact>('artifact', artifact, { artifactId: '', parts: [] }),
      append: field('append', flag),
      lastChunk: field('lastChunk', flag),
    },
    kind('artifact-update'),
  );
  return { message, status, artifact, task, statusEvent, artifactEvent };
}
