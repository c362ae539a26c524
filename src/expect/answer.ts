import { describe, type Outcome } from '../client/index.js';
import { type Behaviour, modes, type Scene, settle, settleAfter, spoken } from '../kit/index.js';
import {
  type Artifact,
  isInterrupted,
  isObject,
  isSettled,
  type Message,
  type Part,
  type SendReply,
  type StreamEvent,
  type Task,
  type TaskState,
} from '../model/index.js';
import type { Exchange } from '../wire/index.js';
import type { Expectation } from './expectation.js';

/** The result of a conversation. */
export type Played =
  | { readonly kind: 'answer'; readonly answer: Answer }
  /** The agent answered, but not what was asked; `said`: what it answered. */
  | { readonly kind: 'refused'; readonly said: string }
  /** Nothing came in so many ms, which is as long as the kit waits. */
  | { readonly kind: 'late'; readonly ms: number; readonly said: string }
  /** Nothing is known of the agent. */
  | { readonly kind: 'unasked'; readonly reason: string };

export interface Answer {
  readonly state: TaskState | 'message';
  /** All text parts of the answer. */
  readonly text: string;
  /** Every text that the agent has sent, wherever it stands. */
  readonly said: readonly string[];
  readonly parts: readonly Part[];
  readonly artifacts: readonly Artifact[];
  readonly events: readonly StreamEvent[];
  /** From the last message to the end of the answer. */
  readonly ms: number;
  /** To the first event of the stream. */
  readonly firstMs: number | undefined;
  /** The kit has waited as long as it does, and the task is at work. */
  readonly isAtWork: boolean;
}

const promptOf = (prompt: string | Behaviour): Behaviour => (typeof prompt === 'string' ? { text: prompt } : prompt);

/** Members that say nothing to a user: words of the protocol, and ids. */
const ofProtocol: ReadonlySet<string> = new Set([
  'type',
  'kind',
  'role',
  'state',
  'id',
  'messageId',
  'taskId',
  'contextId',
  'artifactId',
  'referenceTaskIds',
  'timestamp',
  'extensions',
  'mediaType',
]);

/** Members whose content is the agent's own, with its names. */
const ofAgent: ReadonlySet<string> = new Set(['data', 'metadata']);

/** All texts in replies and events, also in files and data, but for what the user said. Values may be nested deeply. */
function textsIn(values: readonly unknown[]): readonly string[] {
  const found: string[] = [];
  const open: { readonly value: unknown; readonly isOwn: boolean }[] = values.map((value) => ({ value, isOwn: false }));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, isOwn } = next;
    if (typeof value === 'string') found.push(value);
    else if (Array.isArray(value)) for (const item of value) open.push({ value: item, isOwn });
    else if (isObject(value) && (isOwn || value['role'] !== 'user')) {
      for (const [name, member] of Object.entries(value)) {
        if (isOwn) found.push(name);
        else if (ofProtocol.has(name)) continue;
        if (!isOwn && name === 'bytes' && typeof member === 'string')
          found.push(Buffer.from(member, 'base64').toString('utf8'));
        else open.push({ value: member, isOwn: isOwn || ofAgent.has(name) });
      }
    }
  }
  return found;
}

function failed(outcome: Exclude<Outcome<unknown>, { kind: 'result' }>, ms: number): Played {
  if (outcome.kind === 'not-sent') return { kind: 'unasked', reason: outcome.reason };
  if (outcome.kind === 'busy' || outcome.kind === 'denied') return { kind: 'unasked', reason: describe(outcome) };
  if (outcome.kind !== 'invalid-response') return { kind: 'refused', said: describe(outcome) };
  if (outcome.fault === 'timeout') return { kind: 'late', ms, said: describe(outcome) };
  // A connection that was never made, or that broke, says nothing of what the agent would have answered.
  return outcome.fault === 'no-answer' || outcome.fault === 'too-large'
    ? { kind: 'unasked', reason: describe(outcome) }
    : { kind: 'refused', said: describe(outcome) };
}

const partsOf = (reply: SendReply): readonly Part[] =>
  reply.type === 'message'
    ? reply.message.parts
    : [
        ...(reply.task.status.message?.parts ?? []),
        ...(reply.task.artifacts ?? []).flatMap((artifact) => artifact.parts),
      ];

/** The reply of a stream: its message, or the id of its task; undefined where it has neither. */
function replyOf(events: readonly StreamEvent[]): SendReply | string | undefined {
  for (const event of events) {
    if (event.type === 'message') return event;
    if (event.type === 'task') return event.task.id;
    return event.taskId;
  }
  return undefined;
}

/** The first answer to a message. */
interface Reply {
  readonly reply: SendReply;
  /** The clock begins when it was sent: what the kit waits before is not the agent's. */
  readonly sent: Exchange;
  readonly events: readonly StreamEvent[];
  readonly firstMs: number | undefined;
}

async function replyTo(scene: Scene, message: Message, timeoutMs: number): Promise<Reply | Played> {
  const began = scene.clock.now();
  const configuration = { blocking: true, ...modes(scene) };
  const outcome = await scene.client.call('send', { message, configuration }, { timeoutMs });
  if (outcome.kind !== 'result') return failed(outcome, scene.clock.now() - began);
  return { reply: outcome.value, sent: outcome.exchange, events: [], firstMs: undefined };
}

/** Like `replyTo`, but by a stream, which the kit reads to its end. */
async function streamedReplyTo(scene: Scene, message: Message, timeoutMs: number): Promise<Reply | Played> {
  const began = scene.clock.now();
  const spent = () => scene.clock.now() - began;
  const opened = await scene.client.open('stream', { message, configuration: modes(scene) }, { timeoutMs });
  if (opened.kind === 'result') return { kind: 'refused', said: 'an answer that is not a stream' };
  if (opened.kind !== 'stream') return failed(opened, spent());
  const items = await opened.collect();
  const sent = await opened.ended;
  const events = items.flatMap(({ event }) => event ?? []);
  const firstMs = items.find(({ event }) => event !== undefined)?.atMs;
  const reply = replyOf(events);
  if (reply === undefined)
    return sent.failure?.kind === 'timeout'
      ? { kind: 'late', ms: spent(), said: 'the stream brought nothing' }
      : { kind: 'refused', said: 'a stream without an update that can be read' };
  if (typeof reply !== 'string') return { reply, sent, events, firstMs };
  const read = await scene.client.call('get', { id: reply }, { timeoutMs });
  return read.kind === 'result'
    ? { reply: { type: 'task', task: read.value }, sent, events, firstMs }
    : failed(read, spent());
}

/** Has one conversation, and waits for the end of its last answer. */
export async function converse(expectation: Expectation, scene: Scene): Promise<Played> {
  const { clock } = scene;
  const waitMs = Math.max(scene.patienceMs, 1500 * (expectation.within ?? 0), 1500 * (expectation.first ?? 0));
  const turns = [expectation.prompt, ...(expectation.next ?? [])];
  let task: Task | undefined;
  let contextId: string | undefined;
  for (const [at, turn] of turns.entries()) {
    const isLast = at === turns.length - 1;
    const asks = task !== undefined && isInterrupted(task.status.state) ? task : undefined;
    const message = {
      ...spoken(scene.uuid, promptOf(turn)),
      ...(contextId === undefined ? {} : { contextId }),
      ...(asks === undefined ? {} : { taskId: asks.id }),
    };
    const isStreamed = isLast && expectation.first !== undefined;
    const came = await (isStreamed ? streamedReplyTo : replyTo)(scene, message, waitMs);
    if ('kind' in came) return came;
    const { sent, events, firstMs } = came;
    let { reply } = came;
    let readUntilMs = Number.POSITIVE_INFINITY;
    if (reply.type === 'task') {
      const seen = reply.task;
      const limitMs = isLast && expectation.within !== undefined ? 1000 * expectation.within : undefined;
      // The last reading is sent when the time is over: what has ended by then is in time, whenever it was read.
      const patienceMs = limitMs === undefined ? waitMs : Math.max(0, limitMs - (clock.now() - sent.startedAt));
      const patient: Scene = { ...scene, patienceMs };
      task = asks === undefined ? await settle(patient, seen) : await settleAfter(patient, asks, seen);
      if (limitMs !== undefined && asks === undefined && !isSettled(seen.status.state)) readUntilMs = limitMs;
      reply = { type: 'task', task };
    }
    contextId = (reply.type === 'task' ? reply.task.contextId : reply.message.contextId) ?? contextId;
    if (!isLast) continue;
    const tookMs = clock.now() - sent.startedAt;
    const isAtWork = reply.type === 'task' && !isSettled(reply.task.status.state);
    const parts = partsOf(reply);
    const texts = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []));
    return {
      kind: 'answer',
      answer: {
        state: reply.type === 'message' ? 'message' : reply.task.status.state,
        text: texts.join('\n'),
        said: [...textsIn([reply, ...events]), texts.join('')],
        parts,
        artifacts: reply.type === 'message' ? [] : (reply.task.artifacts ?? []),
        events,
        ms: isAtWork ? tookMs : Math.min(tookMs, readUntilMs),
        firstMs,
        isAtWork,
      },
    };
  }
  throw new Error('a conversation without a turn');
}
