import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { TckError } from '../model/index.js';
import { endMarked, markName } from './descendants.js';
import { createWatchdog, type Watchdog } from './watchdog.js';
import { commandWords, secretsInCommand } from './words.js';

/** How a process ended. */
export interface ProcessEnd {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A process of the command of a client, and all that it starts. */
export interface CommandProcess {
  /** Writes a line to its standard input; what it does not read any more is lost. */
  write(line: string): void;
  /** Ends its standard input. */
  endInput(): void;
  /** Asks it to end, and ends it by force where it does not. */
  stop(): void;
  /** Resolves when it has ended. Rejects with `TckError('usage')` where it cannot be started. */
  readonly exited: Promise<ProcessEnd>;
  /** Resolves when the kit has read what it wrote, too; true: another process holds its output open. */
  readonly drained: Promise<boolean>;
}

export interface CommandOptions {
  /** The last word of the command. */
  readonly last: string;
  readonly env: Readonly<Record<string, string>>;
  readonly shell: boolean;
  /** It may read its standard input. */
  readonly input: boolean;
  readonly onOutput: (bytes: Uint8Array) => void;
  readonly onErrors: (bytes: Uint8Array) => void;
}

/** Time between the request to end and the end by force, ms. */
const graceMs = 500;

/** So long the kit reads on what a client has written before it ended, ms: its pipes may stay open in other hands. */
const drainMs = 500;
/** The same where more and more comes. */
const longestDrainMs = 2000;

/** The clients of this process have marks that begin alike. */
const ofThisKit = randomUUID();
let started = 0;
let watchdog: Watchdog | undefined;

/**
 * Starts the command of a client. No shell reads its words, unless `shell` is set. When it has ended, the kit ends what
 * it has started, also where a signal ends the kit itself. Nothing waits for an output that another process holds open.
 */
export function startCommand(command: string, options: CommandOptions): CommandProcess {
  const { last, env, shell, input, onOutput, onErrors } = options;
  const [program = '', ...words] = shell ? [command] : commandWords(command);
  const isGroup = process.platform !== 'win32';
  const mark = `${ofThisKit}.${++started}.`;
  // In a shell the last word is `$1` of the command, so that it is not read as code.
  const args = shell && isGroup ? ['-c', `${command} "$@"`, 'client', last] : [...words, last];
  const child = spawn(shell && isGroup ? '/bin/sh' : program, args, {
    env: { ...process.env, ...env, [markName]: mark },
    stdio: [input ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    detached: isGroup,
    shell: shell && !isGroup,
  });
  const { pid } = child;
  if (pid !== undefined) {
    watchdog ??= createWatchdog(ofThisKit);
    watchdog.watch(pid);
  }
  let reads = 0;
  const reading = (to: (bytes: Uint8Array) => void) => (bytes: Uint8Array) => {
    reads++;
    to(bytes);
  };
  child.stdout?.on('data', reading(onOutput));
  child.stderr?.on('data', reading(onErrors));
  // It has ended, or has closed its input: its end, or its silence, shows that.
  child.stdin?.on('error', () => undefined);
  const end = (force: NodeJS.Signals): void => {
    try {
      if (isGroup && pid !== undefined) process.kill(-pid, force);
      else child.kill(force);
    } catch {
      // It has ended in the meantime.
    }
  };
  let forced: NodeJS.Timeout | undefined;
  const exited = new Promise<ProcessEnd>((resolve, reject) => {
    child.on('error', (error: NodeJS.ErrnoException) => {
      const [secret] = secretsInCommand(program);
      const named = secret === undefined ? program : program.replace(secret, '[hidden]');
      const what = error.code === 'ENOENT' ? `the program ${named} does not exist` : error.message;
      reject(
        new TckError(
          'usage',
          `--command cannot be started: ${what}`,
          'the words of it are not read by a shell; --shell has one',
        ),
      );
    });
    child.on('exit', (status, signal) => {
      clearTimeout(forced);
      // What it started in the background would hold its output open, and the port of its webhook.
      end('SIGKILL');
      endMarked(mark);
      if (pid !== undefined) watchdog?.release(pid);
      resolve({ status, signal });
    });
  });
  const drained = new Promise<boolean>((resolve) => {
    child.on('exit', () => {
      const finish = (isOpen: boolean): void => {
        child.stdout?.destroy();
        child.stderr?.destroy();
        resolve(isOpen);
      };
      const exitedAt = performance.now();
      const timer = setTimeout(turn, drainMs);
      child.once('close', () => {
        clearTimeout(timer);
        finish(false);
      });
      /** A timer alone may come before what is there was read, on a machine with much to do. */
      function turn(before?: number): void {
        if (before === reads || performance.now() - exitedAt > longestDrainMs) finish(true);
        else setImmediate(turn, reads);
      }
    });
  });
  return {
    write: (line) => void child.stdin?.write(`${line}\n`),
    endInput: () => void child.stdin?.end(),
    stop() {
      end('SIGTERM');
      forced ??= setTimeout(() => end('SIGKILL'), graceMs);
    },
    exited,
    drained,
  };
}
