import type { Chunk } from './exchange.js';

/** A queue between the reader of a stream and the check that consumes it. */
export interface ChunkQueue {
  /** Resolves when there is room for more. */
  push(chunk: Chunk): Promise<void>;
  end(): void;
  readonly chunks: AsyncIterable<Chunk>;
}

/** How much may wait for the consumer; at either bound, reading from the agent pauses. */
const mostBytes = 1024 * 1024;
const mostChunks = 1024;

/**
 * `onLeave` is called when the consumer leaves its loop before the end. All iterators share one queue. `room`: how many
 * chunks may wait before reading from the agent pauses.
 */
export function createChunkQueue(onLeave: () => void, room = mostChunks): ChunkQueue {
  const waiting: Chunk[] = [];
  let bytes = 0;
  let ended = false;
  let consumers: ((result: IteratorResult<Chunk, undefined>) => void)[] = [];
  let resume: (() => void) | undefined;
  const done: IteratorResult<Chunk, undefined> = { done: true, value: undefined };
  const hasRoom = (): boolean => bytes < mostBytes && waiting.length < room;
  const iterator: AsyncIterator<Chunk, undefined> = {
    next() {
      const chunk = waiting.shift();
      if (chunk === undefined) {
        return ended ? Promise.resolve(done) : new Promise((resolve) => consumers.push(resolve));
      }
      bytes -= chunk.bytes.length;
      if (hasRoom()) resume?.();
      return Promise.resolve({ done: false, value: chunk });
    },
    return() {
      waiting.length = 0;
      onLeave();
      return Promise.resolve(done);
    },
  };
  return {
    push(chunk) {
      const consumer = consumers.shift();
      if (consumer !== undefined) consumer({ done: false, value: chunk });
      else {
        waiting.push(chunk);
        bytes += chunk.bytes.length;
      }
      if (hasRoom()) return Promise.resolve();
      return new Promise((resolve) => {
        resume = resolve;
      });
    },
    end() {
      ended = true;
      for (const consumer of consumers) consumer(done);
      consumers = [];
    },
    chunks: { [Symbol.asyncIterator]: () => iterator },
  };
}
