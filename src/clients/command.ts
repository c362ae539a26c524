import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { TckError } from '../model/index.js';
import { type Ended, mostOutput, type StartClient, tail } from './client-process.js';
import { endMarked, markName } from './descendants.js';
import { createWatchdog, type Watchdog } from './watchdog.js';

/**
 * The words of a command line, as a shell splits them: quotes and backslashes, nothing else. Throws `TckError('usage')`
 * for a quote without its end, and for an empty command.
 */
export function wordsOf(command: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let at = 0; at < command.length; at++) {
    const character = command[at] ?? '';
    if (quote === "'") {
      if (character === quote) quote = '';
      else word = (word ?? '') + character;
    } else if (character === '\\' && at + 1 < command.length) {
      word = (word ?? '') + (command[++at] ?? '');
    } else if (quote === '"') {
      if (character === quote) quote = '';
      else word = (word ?? '') + character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + character;
  }
  if (quote !== '') throw new TckError('usage', `--command has a ${quote} without its end`);
  if (word !== undefined) words.push(word);
  if (words.length === 0) throw new TckError('usage', '--command is empty', 'give one such as "node client.js"');
  return words;
}

const secretName = /^-{1,2}[\w-]*(token|secret|key|passw(or)?d|passphrase|credentials?)(?:=(.*))?$/is;

/** What looks like a secret among the words of a command: the value of `--token x`, `--api-key=x`, `API_TOKEN=x`. */
export function secretsInCommand(command: string): readonly string[] {
  const words = command.split(/\s+/).map((word) => word.replaceAll(/['"]/g, ''));
  return words.flatMap((word, at) => {
    const inName = /^\w*(?:token|secret|key|passw(?:or)?d|passphrase|credentials?)=(.+)$/is.exec(word)?.[1];
    if (inName !== undefined) return [inName];
    const found = secretName.exec(word);
    if (found === null) return [];
    const value = found[3] ?? words[at + 1];
    return value === undefined || value === '' || value.startsWith('-') ? [] : [value];
  });
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
 * A client that is a command. It gets the URL as its last argument and the facts in its environment; no shell reads
 * them, unless `shell` is set. When it has ended, or its time is over, it is ended together with all that it started,
 * also where the kit itself is ended by force. Nothing waits for an output that somebody else holds open.
 */
export function clientCommand(command: string, { shell = false }: { readonly shell?: boolean } = {}): StartClient {
  const [program = '', ...words] = shell ? [command] : wordsOf(command);
  return ({ url, env, limitMs, startMs = limitMs, called, signal }) =>
    new Promise<Ended>((resolve, reject) => {
      const isGroup = process.platform !== 'win32';
      const mark = `${ofThisKit}.${++started}.`;
      // In a shell the URL is `$1` of the command, so that it is not read as code.
      const args = shell && isGroup ? ['-c', `${command} "$@"`, 'client', url] : [...words, url];
      const child = spawn(shell && isGroup ? '/bin/sh' : program, args, {
        env: { ...process.env, ...env, [markName]: mark },
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: isGroup,
        shell: shell && !isGroup,
      });
      const { pid } = child;
      if (pid !== undefined) {
        watchdog ??= createWatchdog(ofThisKit);
        watchdog.watch(pid);
      }
      const out = tail(mostOutput);
      const errors = tail(64 * 1024);
      let reads = 0;
      const reading = (to: typeof out) => (bytes: Uint8Array) => {
        reads++;
        to.add(bytes);
      };
      child.stdout?.on('data', reading(out));
      child.stderr?.on('data', reading(errors));
      const end = (force: NodeJS.Signals): void => {
        try {
          if (isGroup && pid !== undefined) process.kill(-pid, force);
          else child.kill(force);
        } catch {
          // It has ended in the meantime.
        }
      };
      let lateMs: number | undefined;
      let forced: NodeJS.Timeout | undefined;
      const stop = (): void => {
        end('SIGTERM');
        forced = setTimeout(() => end('SIGKILL'), graceMs);
      };
      const within = (ms: number): NodeJS.Timeout =>
        setTimeout(() => {
          lateMs = ms;
          stop();
        }, ms);
      let timer = within(startMs);
      let isOver = false;
      void called?.then(() => {
        if (isOver || lateMs !== undefined) return;
        clearTimeout(timer);
        timer = within(limitMs);
      });
      if (signal.aborted) stop();
      else signal.addEventListener('abort', stop, { once: true });
      const tidy = (): void => {
        isOver = true;
        clearTimeout(timer);
        clearTimeout(forced);
        signal.removeEventListener('abort', stop);
      };
      child.on('error', (error: NodeJS.ErrnoException) => {
        tidy();
        const [secret] = secretsInCommand(program);
        const named = secret === undefined ? program : program.replace(secret, '[hidden]');
        const what = error.code === 'ENOENT' ? `there is no program ${named}` : error.message;
        reject(
          new TckError(
            'usage',
            `--command cannot be started: ${what}`,
            'the words of it are not read by a shell; --shell has one',
          ),
        );
      });
      child.on('exit', (status, killed) => {
        tidy();
        // What it started in the background would hold its output open, and the port of its webhook.
        end('SIGKILL');
        endMarked(mark);
        if (pid !== undefined) watchdog?.release(pid);
        const finish = (isOpen: boolean): void => {
          child.stdout?.destroy();
          child.stderr?.destroy();
          resolve({
            ending:
              lateMs !== undefined
                ? { kind: 'hung', afterMs: lateMs }
                : status === null
                  ? { kind: 'signal', signal: killed ?? 'a signal' }
                  : { kind: 'exit', status },
            lines: out
              .text()
              .split('\n')
              .filter((line) => line.trim() !== ''),
            errors: errors.text(),
            ...(isOpen ? { leftRunning: true } : {}),
          });
        };
        const exitedAt = performance.now();
        const drained = setTimeout(turn, drainMs);
        child.once('close', () => {
          clearTimeout(drained);
          finish(false);
        });
        /** A timer alone may come before what is there was read, on a machine with much to do. */
        function turn(before?: number): void {
          if (before === reads || performance.now() - exitedAt > longestDrainMs) finish(true);
          else setImmediate(turn, reads);
        }
      });
    });
}
