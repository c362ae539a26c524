import type { Card } from './card.js';
import type { Message, PushConfig, SendReply, StreamEvent, Task, TaskPushConfig } from './task.js';

export interface SendConfiguration {
  readonly acceptedOutputModes?: readonly string[];
  readonly historyLength?: number;
  /** false: answer as soon as the task exists. Left out: the version's default. */
  readonly blocking?: boolean;
  readonly push?: PushConfig;
}
export interface SendParams {
  readonly message: Message;
  readonly configuration?: SendConfiguration;
  readonly metadata?: Record<string, unknown>;
}
export interface TaskQuery {
  readonly id: string;
  readonly historyLength?: number;
  readonly metadata?: Record<string, unknown>;
}
export interface TaskRef {
  readonly id: string;
  readonly metadata?: Record<string, unknown>;
}
export interface ListQuery {
  readonly contextId?: string;
  readonly state?: string;
  readonly pageSize?: number;
  readonly pageToken?: string;
  readonly historyLength?: number;
  readonly updatedAfter?: string;
  readonly includeArtifacts?: boolean;
}
export interface TaskPage {
  readonly tasks: readonly Task[];
  readonly nextPageToken?: string;
  readonly pageSize?: number;
  readonly totalSize?: number;
}
export interface PushRef {
  readonly taskId: string;
  readonly configId?: string;
}

/** Canonical operations: parameters and result of each. A dialect spells them, or has no such operation. */
export interface Operations {
  send: { params: SendParams; result: SendReply };
  stream: { params: SendParams; result: StreamEvent };
  get: { params: TaskQuery; result: Task };
  list: { params: ListQuery; result: TaskPage };
  cancel: { params: TaskRef; result: Task };
  subscribe: { params: TaskRef; result: StreamEvent };
  pushSet: { params: TaskPushConfig; result: TaskPushConfig };
  pushGet: { params: PushRef; result: TaskPushConfig };
  pushList: { params: PushRef; result: readonly TaskPushConfig[] };
  pushDelete: { params: PushRef; result: null };
  extendedCard: { params: Record<string, never>; result: Card };
}
export type Operation = keyof Operations;
export const operations = [
  'send',
  'stream',
  'get',
  'list',
  'cancel',
  'subscribe',
  'pushSet',
  'pushGet',
  'pushList',
  'pushDelete',
  'extendedCard',
] as const satisfies readonly Operation[];

/** Operations that may create work, change a task or cost money: withheld under `--read-only`. */
export const writingOperations: ReadonlySet<Operation> = new Set(['send', 'stream', 'cancel', 'pushSet', 'pushDelete']);

/**
 * A canonical value with defects: any member may be missing, of another type, or unknown. Dialects encode drafts member
 * by member and pass through what they do not know, so that a check can send a malformed request in every spelling.
 */
export type Draft<T> = T | Odd;
/** Any JSON value in the place of a typed one. */
export type Odd =
  | null
  | boolean
  | number
  | string
  | readonly unknown[]
  | { readonly [member: string]: unknown }
  | undefined;
