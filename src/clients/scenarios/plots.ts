import {
  type Artifact,
  type ErrorName,
  isTerminal,
  type Part,
  type StreamEvent,
  type Task,
  type TaskState,
} from '../../model/index.js';
import {
  able,
  onReply,
  type Patch,
  RpcFailure,
  type Seams,
  type Step,
  together,
  type World,
} from '../../reference/index.js';
import { mediaType } from '../../wire/index.js';
import type { Stage } from '../scenario.js';

// What agents of scenarios do: the course of a task, updates of a stream, and the bytes in which they come.

/** Says how long the card may be kept, and nothing else of how it may be. */
export const keptFor = (seconds: number): Patch =>
  onReply('card', (reply) => ({
    ...reply,
    headers: [
      ...reply.headers.filter(([name]) => name !== 'cache-control'),
      ['cache-control', seconds === 0 ? 'no-cache, max-age=0' : `max-age=${seconds}`],
    ],
  }));

/** Keeps how many times the task was asked for until an answer said that it has ended: `polls`. */
export const pollsUntilTheEnd =
  ({ note }: Pick<Stage, 'note'>): Patch =>
  (inner) => {
    let polls = 0;
    let isOver = false;
    return {
      encode(outcome, call) {
        const { op, result } = outcome;
        const task = op === 'get' ? result : op === 'send' && result.type === 'task' ? result.task : undefined;
        if (task !== undefined && !isOver) {
          if (op === 'get') polls++;
          isOver = isTerminal(task.status.state);
          if (isOver) note('polls', String(polls));
        }
        return inner.encode(outcome, call);
      },
    };
  };

const text = (words: string): readonly Part[] => [{ kind: 'text', text: words }];

/** Every message becomes a task that takes these steps. */
export const playing =
  (...steps: readonly Step[]): Patch =>
  () => ({ script: () => ({ reply: 'task', steps }) });

/** A task comes into this state; `say` is the message of the status. */
export const becomes = (state: TaskState, { afterMs = 5, say }: { afterMs?: number; say?: string } = {}): Step => ({
  afterMs,
  act: { type: 'status', state, ...(say === undefined ? {} : { say }) },
});

/** A task makes an artifact of this text. */
export const makes = (words: string, afterMs = 5): Step => ({
  afterMs,
  act: { type: 'artifact', name: 'answer', parts: text(words) },
});

const named = ({ id: taskId, contextId }: Task) => ({ taskId, ...(contextId === undefined ? {} : { contextId }) });

export const artifactOf = (artifactId: string, words: string): Artifact => ({ artifactId, parts: text(words) });

/** The task itself, with these artifacts. */
export const whole = (task: Task, state: TaskState, ...artifacts: readonly Artifact[]): StreamEvent => ({
  type: 'task',
  task: { ...task, status: { ...task.status, state }, artifacts },
});

/** An artifact, or a part of one. */
export const made = (
  task: Task,
  artifact: Artifact,
  flags: { readonly append?: boolean; readonly lastChunk?: boolean } = {},
): StreamEvent => ({ type: 'artifact', ...named(task), artifact, ...flags });

/** A new state. */
export const now = (task: Task, state: TaskState, timestamp = task.status.timestamp): StreamEvent => ({
  type: 'status',
  ...named(task),
  status: { state, ...(timestamp === undefined ? {} : { timestamp }) },
});

/** A new state with a message of the agent. */
export const saying = (task: Task, state: TaskState, words: string): StreamEvent => ({
  type: 'status',
  ...named(task),
  status: {
    state,
    message: { messageId: crypto.randomUUID(), role: 'agent', parts: text(words), ...named(task) },
    ...(task.status.timestamp === undefined ? {} : { timestamp: task.status.timestamp }),
  },
});

/** Time between two updates, ms. */
const pauseMs = 5;

/** Time between the bytes of a character, ms: a busy client must not find them together. */
const insideMs = 30;

/** A task as an update leaves it. */
const updated = (task: Task, event: StreamEvent, { transition }: Pick<Seams, 'transition'>): Task =>
  event.type === 'task' ? event.task : event.type === 'message' ? task : transition(task, event);

/** Every streamed message brings these updates of a new task, which can be asked for as they leave it. */
export const streaming = (updates: (task: Task) => readonly StreamEvent[]): Patch =>
  together(able({ streaming: true }), (inner, { clock }, seams) => {
    const known = new Map<string, Task>();
    return {
      async stream(command, call) {
        if (command.op !== 'stream') return inner.stream(command, call);
        let task = seams.create(command.params.message);
        const events = updates(task);
        async function* paced(): AsyncGenerator<StreamEvent> {
          for (const event of events) {
            task = updated(task, event, seams);
            known.set(task.id, task);
            yield event;
            await new Promise<void>((resolve) => void clock.after(pauseMs, resolve));
          }
        }
        return paced();
      },
      find: (taskId, op) => known.get(taskId) ?? inner.find(taskId, op),
    };
  });

type Framing = (event: string, index: number) => string | Uint8Array | readonly Uint8Array[];

/**
 * Changes the bytes of each event of Server-Sent Events, as they leave the agent. Pieces that end inside a character come
 * with a pause: what comes at once is one piece for most clients.
 */
export const framing =
  (edit: Framing): Patch =>
  (inner, world, seams) =>
    framed(edit, world)(inner, world, seams);

const framed = (edit: Framing, { clock }: World): Patch =>
  onReply('any', (reply) => {
    const { body } = reply;
    if (mediaType(reply.headers) !== 'text/event-stream') return reply;
    if (typeof body === 'string' || body instanceof Uint8Array) return reply;
    async function* pieces(events: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      let index = 0;
      for await (const event of events) {
        const made = edit(Buffer.from(event).toString('utf8'), index++);
        if (typeof made === 'string') yield Buffer.from(made);
        else if (made instanceof Uint8Array) yield made;
        else
          for (const piece of made) {
            yield piece;
            if ((piece.at(-1) ?? 0) >= 0x80) await new Promise<void>((resolve) => void clock.after(insideMs, resolve));
          }
      }
    }
    return { ...reply, body: pieces(body) };
  });

/** Messages are refused with an error, streamed or not. */
export const refusing = (name: ErrorName): Patch =>
  together(able({ streaming: true }), (inner) => ({
    async execute(command, call) {
      if (command.op === 'send') throw new RpcFailure(name);
      return inner.execute(command, call);
    },
    async stream(command, call) {
      if (command.op === 'stream') throw new RpcFailure(name);
      return inner.stream(command, call);
    },
  }));
