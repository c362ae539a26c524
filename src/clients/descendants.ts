import { readdirSync, readFileSync } from 'node:fs';

/**
 * Variable in the environment of every client: by its value the kit finds again, on Linux, what the client has started
 * and left running in a session of its own.
 */
export const markName = 'A2A_TCK_CLIENT';

/**
 * Ends every process that has this mark in its environment, by force, except those whose environment the kit may not
 * read. Where the system has no /proc nothing is found.
 */
export function endMarked(mark: string): void {
  const wanted = Buffer.from(`${markName}=${mark}\0`);
  // What was found may have started another process in the meantime.
  for (let tries = 0, found = true; found && tries < mostTries; tries++) {
    found = false;
    for (const name of processes()) {
      try {
        if (!readFileSync(`/proc/${name}/environ`).includes(wanted)) continue;
        process.kill(Number(name), 'SIGKILL');
        found = true;
      } catch {
        // It has ended in the meantime, or belongs to another user.
      }
    }
  }
}

const mostTries = 5;

function processes(): readonly string[] {
  if (process.platform !== 'linux') return [];
  try {
    return readdirSync('/proc').filter((name) => /^[1-9]\d*$/.test(name) && Number(name) !== process.pid);
  } catch {
    return [];
  }
}
