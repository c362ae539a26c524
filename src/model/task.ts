/**
 * The canonical data model: every version and dialect is decoded into it. Names follow A2A 0.3/1.0 where they agree.
 */

export type Role = 'user' | 'agent';

/** Canonical spelling of the task states (A2A 0.3 §6.3, 1.0 §4.1.3). */
export const taskStates = [
  'submitted',
  'working',
  'input-required',
  'auth-required',
  'completed',
  'canceled',
  'failed',
  'rejected',
  'unknown',
] as const;
export type TaskState = (typeof taskStates)[number];

export interface TextPart {
  readonly kind: 'text';
  readonly text: string;
  readonly metadata?: Record<string, unknown>;
}
/** Exactly one of `bytes` (base64) and `uri` in a valid part. */
export interface FilePart {
  readonly kind: 'file';
  readonly bytes?: string;
  readonly uri?: string;
  readonly name?: string;
  readonly mediaType?: string;
  readonly metadata?: Record<string, unknown>;
}
export interface DataPart {
  readonly kind: 'data';
  readonly data: unknown;
  readonly metadata?: Record<string, unknown>;
}
export type Part = TextPart | FilePart | DataPart;

export interface Message {
  readonly messageId: string;
  readonly role: Role;
  readonly parts: readonly Part[];
  readonly contextId?: string;
  readonly taskId?: string;
  readonly referenceTaskIds?: readonly string[];
  readonly extensions?: readonly string[];
  readonly metadata?: Record<string, unknown>;
}

export interface TaskStatus {
  readonly state: TaskState;
  readonly message?: Message;
  /** ISO 8601. */
  readonly timestamp?: string;
}

export interface Artifact {
  readonly artifactId: string;
  readonly parts: readonly Part[];
  readonly name?: string;
  readonly description?: string;
  readonly extensions?: readonly string[];
  readonly metadata?: Record<string, unknown>;
}

export interface Task {
  readonly id: string;
  readonly contextId?: string;
  readonly status: TaskStatus;
  readonly artifacts?: readonly Artifact[];
  readonly history?: readonly Message[];
  readonly metadata?: Record<string, unknown>;
}

/** One update of a stream; `final` exists only up to 0.3. */
export type StreamEvent =
  | { readonly type: 'task'; readonly task: Task }
  | { readonly type: 'message'; readonly message: Message }
  | {
      readonly type: 'status';
      readonly taskId: string;
      readonly contextId?: string;
      readonly status: TaskStatus;
      readonly final?: boolean;
    }
  | {
      readonly type: 'artifact';
      readonly taskId: string;
      readonly contextId?: string;
      readonly artifact: Artifact;
      readonly append?: boolean;
      readonly lastChunk?: boolean;
    };

export interface PushConfig {
  readonly id?: string;
  readonly url: string;
  readonly token?: string;
  readonly authentication?: { readonly schemes: readonly string[]; readonly credentials?: string };
}

export interface TaskPushConfig {
  readonly taskId: string;
  readonly config: PushConfig;
}

/** The answer to a send: the agent keeps a task, or answers at once with a message. */
export type SendReply =
  | { readonly type: 'task'; readonly task: Task }
  | { readonly type: 'message'; readonly message: Message };
