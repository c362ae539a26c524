import { methodOf } from '../../dialect/index.js';
import type { StreamEvent, TaskState } from '../../model/index.js';
import type { Incoming, Reply, RpcCall } from '../calls.js';
import { onEvent, onReply } from '../edits.js';
import { methodIn } from '../http.js';
import type { Patch, World } from '../seams.js';

// Helpers for the faults of streams; no faults are defined here.

export type Streaming = 'stream' | 'subscribe';

export const isOf = ({ dialect }: World, op: Streaming, call: RpcCall | undefined): boolean =>
  call !== undefined && call.method === methodOf(dialect, op);

/** Edits the HTTP answer to one of the two methods, whether it streams or not. */
export const onAnswerTo =
  (op: Streaming, edit: (reply: Reply, request: Incoming, world: World) => Reply | Promise<Reply>): Patch =>
  (inner, world, whole) =>
    onReply('endpoint', (reply, request) =>
      methodIn(request) === methodOf(world.dialect, op) ? edit(reply, request, world) : reply,
    )(inner, world, whole);

/** Edits the HTTP answer to one of the two methods where it is a stream. */
export const onStreamOf = (
  op: Streaming,
  edit: (reply: Reply, body: AsyncIterable<Uint8Array>, request: Incoming, world: World) => Reply | Promise<Reply>,
): Patch =>
  onAnswerTo(op, (reply, request, world) =>
    typeof reply.body === 'string' || reply.body instanceof Uint8Array
      ? reply
      : edit(reply, reply.body, request, world),
  );

export const typed = (reply: Reply, type: string): Reply => ({
  ...reply,
  headers: [...reply.headers.filter(([name]) => name.toLowerCase() !== 'content-type'), ['content-type', type]],
});

/** Edits the events of one method only. */
export const onEventOf =
  (op: Streaming, edit: Parameters<typeof onEvent>[0]): Patch =>
  (inner, world, whole) =>
    onEvent((event, call, index) => (isOf(world, op, call) ? edit(event, call, index) : event))(inner, world, whole);

export type StatusEvent = Extract<StreamEvent, { type: 'status' }>;
export type ArtifactEvent = Extract<StreamEvent, { type: 'artifact' }>;

export const inState = (event: StatusEvent, state: TaskState): StatusEvent => ({
  ...event,
  status: { ...event.status, state },
});

/** A stream without events. It ends when the client disconnects. */
export async function* silence(call: RpcCall): AsyncGenerator<StreamEvent> {
  await new Promise<void>((resolve) => call.request.signal.addEventListener('abort', () => resolve(), { once: true }));
}
export async function* emptiness(): AsyncGenerator<StreamEvent> {}
/** A stream that is opened, and whose connection is reset before an event has come. */
export const broken = (reply: Reply): Reply => ({
  ...typed({ ...reply, body: '' }, 'text/event-stream'),
  status: 200,
  fate: 'cut',
});

/** Wraps `stream`, and notes the ids of the tasks that streams have shown. */
export function showing(inner: { stream: Parameters<Patch>[0]['stream'] }): {
  readonly shown: ReadonlySet<string>;
  readonly stream: Parameters<Patch>[0]['stream'];
} {
  const shown = new Set<string>();
  async function* noted(events: AsyncIterable<StreamEvent>): AsyncGenerator<StreamEvent> {
    for await (const event of events) {
      if (event.type === 'task') shown.add(event.task.id);
      yield event;
    }
  }
  return { shown, stream: async (command, call) => noted(await inner.stream(command, call)) };
}
