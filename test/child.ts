import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** The published command. */
export const main = join(import.meta.dirname, '../dist/bundle/cli.js');

export interface ChildEnded {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export type Child = ChildProcess & { readonly ended: Promise<ChildEnded> };

/** The command in a process of its own; `program` is another file of it. */
export function startChild(
  args: readonly string[],
  env: Record<string, string> = {},
  cwd?: string,
  program = main,
): Child {
  const child = spawn(process.execPath, [program, ...args], { cwd, env: { PATH: process.env['PATH'], ...env } });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, out, err }));
  return Object.assign(child, { ended });
}
