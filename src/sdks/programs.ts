import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, closeSync, constants, openSync, readFileSync } from 'node:fs';
import { get } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from './manifest.js';

/** Values of the placeholders of a command. */
export type Places = Readonly<Record<string, string>>;

export const filled = (text: string, places: Places): string =>
  text.replace(/\{([a-z0-9]+)\}/g, (whole, name: string) => places[name] ?? whole);

export const filledAll = (words: readonly string[], places: Places): readonly string[] =>
  words.map((word) => filled(word, places));

/** Whether a program is on the PATH. */
export function isHere(program: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

export interface Surroundings {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** What the program says is added to this file. */
  readonly log: string;
}

/** The last lines that a program has said, as one. */
export function lastWords(log: string): string {
  const lines = readFileSync(log, 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const errorLines = lines.filter((line) => /\berror\b|no matching|not found|could not|cannot/i.test(line));
  return (errorLines.at(-1) ?? lines.at(-1) ?? 'it said nothing').slice(0, 300);
}

const signalled = (child: ChildProcess, signal: NodeJS.Signals): void => {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // It has ended already.
  }
};

function begun([program = '', ...args]: Command, { cwd, env, log }: Surroundings): ChildProcess {
  const file = openSync(log, 'a');
  try {
    // A group of its own: what the program starts ends with it, and all of it with this process.
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', file, file],
      detached: true,
    });
    const kill = () => signalled(child, 'SIGKILL');
    process.once('exit', kill);
    child.once('close', () => process.off('exit', kill));
    return child;
  } finally {
    closeSync(file);
  }
}

/** Runs a program to its end. Resolves with its exit code; undefined: it could not be started, or took too long. */
export function ran(command: Command, around: Surroundings, mostMs: number): Promise<number | undefined> {
  const child = begun(command, around);
  return new Promise((resolve) => {
    const timer = setTimeout(() => signalled(child, 'SIGKILL'), mostMs);
    const end = (code: number | undefined) => {
      clearTimeout(timer);
      resolve(code);
    };
    child.once('error', () => end(undefined));
    child.once('close', (code) => end(code ?? undefined));
  });
}

/** A server of a target. */
export interface Running {
  /** Whether it still runs. */
  readonly lives: () => boolean;
  stop(): Promise<void>;
}

export function started(command: Command, around: Surroundings): Running {
  const child = begun(command, around);
  let lives = true;
  const ended = new Promise<void>((resolve) => {
    const end = () => {
      lives = false;
      resolve();
    };
    child.once('error', end);
    child.once('exit', end);
  });
  return {
    lives: () => lives,
    async stop() {
      signalled(child, 'SIGTERM');
      await Promise.race([ended, sleep(3000, undefined, { ref: false })]);
      signalled(child, 'SIGKILL');
    },
  };
}

/** Ports that no program has at the moment. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  const ports = await Promise.all(
    servers.map(
      (server) =>
        new Promise<number>((resolve, reject) => {
          server.once('error', reject);
          server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
        }),
    ),
  );
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

const statusOf = (url: string): Promise<number> =>
  new Promise((resolve) => {
    const request = get(url, { timeout: 2000 }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    request.once('timeout', () => request.destroy());
    request.once('error', () => resolve(0));
  });

/** Waits until a card is there. Resolves with why it is not; undefined: it is. */
export async function cardAwaited(url: string, running: Running, mostMs: number): Promise<string | undefined> {
  const until = performance.now() + mostMs;
  let status = 0;
  while (performance.now() < until) {
    if (!running.lives()) return 'it ended before its card was there';
    status = await statusOf(url);
    if (status === 200) return undefined;
    await sleep(100);
  }
  return `${url} ${status === 0 ? 'does not answer' : `answers with HTTP ${status}`} after ${mostMs / 1000} s`;
}
