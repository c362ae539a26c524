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

/** Keeps the end of an output. */
export function tail(most: number): { add(bytes: Uint8Array): void; text(): string } {
  let chunks: Uint8Array[] = [];
  let size = 0;
  return {
    add(bytes) {
      chunks.push(bytes);
      size += bytes.length;
      if (size < 2 * most) return;
      const whole = Buffer.concat(chunks).subarray(-most);
      chunks = [new Uint8Array(whole)];
      size = whole.length;
    },
    text: () => Buffer.concat(chunks).subarray(-most).toString('utf8'),
  };
}
