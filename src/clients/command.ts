import type { ClientEnding } from '../kit/index.js';
import { type Launch, linesIn, mostErrors, mostOutput, type StartClient, tail } from './client-process.js';
import { type ProcessEnd, startCommand } from './command-process.js';
import { commandWords } from './words.js';

/** The limits of an errand during its play. */
export interface Limits {
  /** The limit that was passed, ms; undefined: none so far. */
  lateMs(): number | undefined;
  /** The errand is over. */
  end(): void;
}

/** Calls `stop` where the time of an errand is over, or the run is. */
export function limitsOf(launch: Launch, stop: () => void): Limits {
  const { limitMs, startMs = limitMs, called, signal } = launch;
  let lateMs: number | undefined;
  let isOver = false;
  const within = (ms: number): NodeJS.Timeout =>
    setTimeout(() => {
      lateMs = ms;
      stop();
    }, ms);
  let timer = within(startMs);
  void called?.then(() => {
    if (isOver || lateMs !== undefined) return;
    clearTimeout(timer);
    timer = within(limitMs);
  });
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });
  return {
    lateMs: () => lateMs,
    end() {
      isOver = true;
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    },
  };
}

/** How a client ended: its time was over, or its process ended before. */
export const endingOf = (lateMs: number | undefined, { status, signal }: ProcessEnd): ClientEnding => {
  if (lateMs !== undefined) return { kind: 'hung', afterMs: lateMs };
  return status === null ? { kind: 'signal', signal: signal ?? 'a signal' } : { kind: 'exit', status };
};

/**
 * A client that is a command, started for each errand. It gets the URL as its last argument and the facts in its
 * environment. When it has ended, or its time is over, it is ended together with all that it started.
 */
export function clientCommand(command: string, { shell = false }: { readonly shell?: boolean } = {}): StartClient {
  if (!shell) commandWords(command);
  return async (launch) => {
    const out = tail(mostOutput);
    const errors = tail(mostErrors);
    const { url, env } = launch;
    const running = startCommand(command, {
      ...{ last: url, env, shell, input: false },
      onOutput: out.add,
      onErrors: errors.add,
    });
    const limits = limitsOf(launch, running.stop);
    const end = await running.exited.finally(limits.end);
    const isOpen = await running.drained;
    return {
      ending: endingOf(limits.lateMs(), end),
      lines: linesIn(out.text()),
      errors: errors.text(),
      ...(isOpen ? { leftRunning: true } : {}),
    };
  };
}
