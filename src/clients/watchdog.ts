import { type ChildProcess, spawn } from 'node:child_process';
import { markName } from './descendants.js';

// A client has a process group of its own, so that it can be ended with all that it started. No signal to the kit
// reaches it there, and a kit that is ended by SIGKILL can end nothing. A shell therefore waits at the other end of a
// pipe: when the kit is gone, however that came, the pipe closes, and the shell ends the clients.

/**
 * Each line is the list of the groups that live. After the last one the clients are ended, and on Linux what they have
 * put into sessions of their own; `$1` is the mark of the clients of this kit.
 */
const script = `
groups=
while read -r line; do groups=$line; done
[ -n "$groups" ] || exit 0
for group in $groups; do kill -s KILL -- "-$group"; done
for file in /proc/[0-9]*/environ; do
  if grep -q -a -F "$1" "$file"; then process=\${file#/proc/}; kill -s KILL "\${process%/environ}"; fi
done`;

export interface Watchdog {
  /** The client with this process group lives. */
  watch(group: number): void;
  /** It has ended. */
  release(group: number): void;
}

/** `mark`: the beginning of the marks of all clients. On a system without process groups it does nothing. */
export function createWatchdog(mark: string): Watchdog {
  const groups = new Set<number>();
  let shell: ChildProcess | undefined;
  const tell = (): void => {
    if (process.platform === 'win32') return;
    shell ??= started(mark);
    shell.stdin?.write(`${[...groups].join(' ')}\n`);
  };
  return {
    watch(group) {
      groups.add(group);
      tell();
    },
    release(group) {
      groups.delete(group);
      tell();
    },
  };
}

function started(mark: string): ChildProcess {
  // In a session of its own: what ends the kit's group, such as Ctrl-C twice, must not end it first.
  const shell = spawn('/bin/sh', ['-c', script, 'a2a-tck-watchdog', `${markName}=${mark}`], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  // Without it the clients live on after a SIGKILL, and nothing else changes.
  shell.on('error', () => undefined);
  shell.stdin.on('error', () => undefined);
  shell.unref();
  // A socket, though its type does not say so; it must not keep the kit alive.
  if ('unref' in shell.stdin) (shell.stdin as typeof shell.stdin & { unref(): void }).unref();
  return shell;
}
