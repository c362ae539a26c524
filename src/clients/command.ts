import { type Launch, linesIn, mostErrors, mostOutput, type StartClient, tail } from './client-process.js';
import { startCommand } from './command-process.js';
import { wordsOf } from './words.js';

/** The limits of an errand, as long as it is under way. */
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

/**
 * A client that is a command, started for each errand. It gets the URL as its last argument and the facts in its
 * environment. When it has ended, or its time is over, it is ended together with all that it started.
 */
export function clientCommand(command: string, { shell = false }: { readonly shell?: boolean } = {}): StartClient {
  if (!shell) wordsOf(command);
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
    const { status, signal } = await running.exited.finally(limits.end);
    const isOpen = await running.drained;
    const lateMs = limits.lateMs();
    return {
      ending:
        lateMs !== undefined
          ? { kind: 'hung', afterMs: lateMs }
          : status === null
            ? { kind: 'signal', signal: signal ?? 'a signal' }
            : { kind: 'exit', status },
      lines: linesIn(out.text()),
      errors: errors.text(),
      ...(isOpen ? { leftRunning: true } : {}),
    };
  };
}
