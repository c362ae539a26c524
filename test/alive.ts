import { existsSync, readFileSync } from 'node:fs';

/** Whether a process lives. One that has ended may still stand in the list until its parent has asked for it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    const stat = `/proc/${pid}/stat`;
    return !(existsSync(stat) && /\) Z /.test(readFileSync(stat, 'utf8')));
  } catch {
    return false;
  }
}
