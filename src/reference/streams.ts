import { isSettled, isTerminal, type StreamEvent } from '../model/index.js';
import type { Command, Outcome, RpcCall, StreamCommand } from './calls.js';
import { RpcFailure } from './failure.js';
import type { Seams, World } from './seams.js';

/** A streamed answer. */
export class Streamed {
  readonly body: AsyncIterable<Uint8Array>;
  constructor(body: AsyncIterable<Uint8Array>) {
    this.body = body;
  }
}

export const isStreamCommand = (command: Command): command is StreamCommand =>
  command.op === 'stream' || command.op === 'subscribe';

interface Reader {
  push(event: StreamEvent): void;
  end(): void;
}

type Readers = Map<RpcCall, Reader>;

export type StreamSeams = Pick<Seams, 'audience' | 'streamEvent' | 'closes' | 'frame' | 'abandoned'>;

export interface Streams {
  readonly seams: StreamSeams;
  /** Events of a task from now on, after `first`. The reader may be slow: no event is lost. */
  follow(taskId: string, first: StreamEvent, call: RpcCall): AsyncIterable<StreamEvent>;
  /** The body of the answer. */
  body(op: StreamCommand['op'], events: AsyncIterable<StreamEvent>, call: RpcCall): AsyncIterable<Uint8Array>;
  /** Ends all streams. */
  stop(): void;
}

const encoder = new TextEncoder();

/** 0.3 §7.2, §7.9; 1.0 §3.1.2, §3.1.6, §3.5.2. */
export function createStreams({ store }: World, whole: Seams, crashed: (cause: unknown) => void): Streams {
  const readersOf = new Map<string, Readers>();

  /** One watch for each task, so that all of its streams are served together. */
  function join(taskId: string, call: RpcCall, reader: Reader): () => void {
    const readers = readersOf.get(taskId) ?? watched(taskId);
    readers.set(call, reader);
    return () => {
      readers.delete(call);
      if (readers.size === 0) unwatch.get(readers)?.();
    };
  }
  const unwatch = new WeakMap<Readers, () => void>();
  function watched(taskId: string): Readers {
    const readers: Readers = new Map();
    const stop = store.watch(taskId, (_, event) => {
      if (event.type === 'message') return;
      for (const rpcCall of whole.audience(event, [...readers.keys()])) readers.get(rpcCall)?.push(event);
    });
    readersOf.set(taskId, readers);
    unwatch.set(readers, () => {
      stop();
      if (readersOf.get(taskId) === readers) readersOf.delete(taskId);
    });
    return readers;
  }

  function follow(taskId: string, first: StreamEvent, call: RpcCall): AsyncIterable<StreamEvent> {
    const { signal } = call.request;
    const waiting: StreamEvent[] = [first];
    let ended = false;
    let wake = (): void => {};
    const end = (): void => {
      ended = true;
      wake();
    };
    const leave = join(taskId, call, {
      push(event) {
        waiting.push(event);
        wake();
      },
      end,
    });
    const go = (): void => {
      leave();
      if (!ended) whole.abandoned(taskId, call);
      end();
    };
    signal.addEventListener('abort', go, { once: true });
    async function* read(): AsyncGenerator<StreamEvent> {
      try {
        while (!signal.aborted) {
          const event = waiting.shift();
          if (event !== undefined) {
            yield event;
            continue;
          }
          if (ended) return;
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      } finally {
        ended = true;
        leave();
        signal.removeEventListener('abort', go);
      }
    }
    return read();
  }

  async function* body(
    op: StreamCommand['op'],
    events: AsyncIterable<StreamEvent>,
    call: RpcCall,
  ): AsyncGenerator<Uint8Array> {
    const framed = (response: object): Uint8Array => {
      const text = whole.frame(whole.print(whole.envelope({ jsonrpc: '2.0', id: call.id, ...response }, call)), call);
      return typeof text === 'string' ? encoder.encode(text) : text;
    };
    let index = 0;
    try {
      for await (const event of events) {
        for (const streamEvent of whole.streamEvent(event, call, index++)) {
          yield framed({ result: whole.encode({ op, result: streamEvent } as Outcome, call) });
        }
        if (whole.closes(event, call)) return;
      }
    } catch (cause) {
      if (!(cause instanceof RpcFailure)) crashed(cause);
      const failure = cause instanceof RpcFailure ? cause : new RpcFailure('InternalError');
      yield framed({ error: whole.error(failure, call) });
    }
  }

  return {
    follow,
    body,
    stop() {
      for (const readers of readersOf.values()) for (const reader of readers.values()) reader.end();
    },
    seams: {
      audience: (_, calls) => calls,
      streamEvent: (event, call) =>
        event.type === 'status' ? [{ ...event, final: whole.closes(event, call) }] : [event],
      closes(event) {
        if (event.type === 'artifact') return false;
        if (event.type === 'message') return true;
        // A subscription to a task that waits for the client stays open.
        if (event.type === 'task') return isTerminal(event.task.status.state);
        // Interrupted states end a stream as well: 0.3 says so in its proto, 1.0 allows it (AMB03-08, AMB10-02).
        return isSettled(event.status.state);
      },
      frame(text) {
        if (typeof text !== 'string') return Buffer.concat([encoder.encode('data: '), text, encoder.encode('\n\n')]);
        // WHATWG HTML §9.2.5: a line end within the data starts another data field.
        return `${text
          .split(/\r\n|[\r\n]/)
          .map((line) => `data: ${line}\n`)
          .join('')}\n`;
      },
      abandoned: () => {},
    },
  };
}
