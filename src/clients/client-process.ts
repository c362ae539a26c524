import type { ClientEnding } from '../kit/index.js';

/** What a client is started with. */
export interface Launch {
  /** Base URL of the agent, its last argument. */
  readonly url: string;
  /** `A2A_SCENARIO`, `A2A_PROTOCOL_VERSION`, `A2A_BINDING`, `A2A_CONTEXT`. */
  readonly env: Readonly<Record<string, string>>;
  /** From its first request on, or from its start where `called` is left out. */
  readonly limitMs: number;
  /** Most time until then: a program may load for longer than it works. */
  readonly startMs?: number;
  /** Resolves with its first request. */
  readonly called?: Promise<void>;
  readonly signal: AbortSignal;
}

/** How it ended, and what it wrote. */
export interface Ended {
  readonly ending: ClientEnding;
  /** Lines of its standard output. */
  readonly lines: readonly string[];
  /** The end of its error output. */
  readonly errors: string;
  /** A process that it started goes on: its output is still open. */
  readonly leftRunning?: true;
  /** What a reader of the report must know besides: "the program ended before it answered …". */
  readonly note?: string;
}

/** Has a client do one errand, and resolves when that has ended. Never rejects for what the client does. */
export interface StartClient {
  (launch: Launch): Promise<Ended>;
  /** Ends what waits for further errands; there are none. */
  readonly close?: () => Promise<void>;
}

/** Most bytes of the output that are kept: the last ones. */
export const mostOutput = 8 << 20;
/** The same of the error output. */
export const mostErrors = 64 * 1024;

/** The lines of an output, without those that are empty. */
export const linesIn = (text: string): readonly string[] => text.split('\n').filter((line) => line.trim() !== '');

/** Whether a line looks like the object that a client prints. */
export const isObjectLine = (line: string): boolean => line.trimStart().startsWith('{');

/** Bytes that come in pieces, kept as one: a program may write a byte at a time. */
export function gathering(): {
  readonly size: () => number;
  add(bytes: Uint8Array): void;
  /** Drops all but the last ones. */
  keep(last: number): void;
  /** Good until the next change. */
  bytes(): Buffer;
} {
  let held = Buffer.alloc(0);
  let size = 0;
  return {
    size: () => size,
    add(bytes) {
      if (size + bytes.length > held.length) {
        const larger = Buffer.alloc(Math.max(1024, 2 * held.length, size + bytes.length));
        held.copy(larger, 0, 0, size);
        held = larger;
      }
      held.set(bytes, size);
      size += bytes.length;
    },
    keep(last) {
      if (last >= size) return;
      held.copyWithin(0, size - last, size);
      size = last;
      if (last === 0) held = Buffer.alloc(0);
    },
    bytes: () => held.subarray(0, size),
  };
}

/** Keeps the end of an output. */
export function tail(most: number): { add(bytes: Uint8Array): void; text(): string } {
  const kept = gathering();
  return {
    add(bytes) {
      kept.add(bytes.subarray(-most));
      if (kept.size() >= 2 * most) kept.keep(most);
    },
    text: () => kept.bytes().subarray(-most).toString('utf8'),
  };
}
