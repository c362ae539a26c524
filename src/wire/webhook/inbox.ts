/** Reads the bodies of requests that one server gets. */
export interface Inbox {
  /**
   * Reads one byte more than the longest body, which shows that a body is too long; the rest is thrown away. undefined:
   * the server holds as much already as it may, and the sender is to be refused. Rejects when the sender is gone.
   */
  read(incoming: Incoming): Promise<Held | undefined>;
}

interface Incoming {
  iterator(options: { readonly destroyOnReturn: false }): AsyncIterable<unknown>;
  resume(): unknown;
}

export interface Held {
  readonly body: Uint8Array;
  /** The body is no longer needed. */
  release(): void;
}

/** Most bytes of requests that a server holds at once: those that come in, and those that are not yet answered. */
const mostHeld = 32 << 20;

/** `longest`: of one body, bytes. */
export function createInbox(longest: number): Inbox {
  let held = 0;
  return {
    async read(incoming) {
      const chunks: Buffer[] = [];
      let size = 0;
      let isFull = false;
      const release = (): void => {
        held -= size;
        size = 0;
      };
      try {
        for await (const chunk of incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
          isFull = held + chunk.byteLength > mostHeld;
          if (isFull) break;
          size += chunk.byteLength;
          held += chunk.byteLength;
          chunks.push(chunk);
          if (size > longest) break;
        }
      } catch (cause) {
        release();
        throw cause;
      }
      incoming.resume();
      if (isFull) {
        release();
        return undefined;
      }
      const body = new Uint8Array(Math.min(size, longest + 1));
      let at = 0;
      for (const chunk of chunks) {
        body.set(chunk.subarray(0, body.length - at), at);
        at = Math.min(body.length, at + chunk.length);
      }
      return { body, release };
    },
  };
}
