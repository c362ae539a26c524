import { spawn } from 'node:child_process';

/** A command that takes longer counts as hanging. */
const longestMs = 120_000;

/**
 * Runs a command of the user in a shell and waits until it has ended. Processes that it started in the background go
 * on, also after the end of the kit: the agent is the user's. Rejects when it fails or takes too long.
 */
export const restartBy =
  (command: string, limitMs = longestMs): (() => Promise<void>) =>
  () =>
    new Promise((resolve, reject) => {
      const isGroup = process.platform !== 'win32';
      // No pipes: a daemon would inherit them, and they would never end.
      const child = spawn(command, { shell: true, stdio: 'ignore', detached: isGroup });
      const timer = setTimeout(() => {
        try {
          if (isGroup && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
          else child.kill('SIGKILL');
        } catch {
          // It has ended in the meantime.
        }
        reject(new Error(`the restart command did not end within ${limitMs / 1000} s`));
      }, limitMs);
      child.on('error', (error) => {
        clearTimeout(timer);
        reject(error);
      });
      child.on('exit', (code, signal) => {
        clearTimeout(timer);
        if (code === 0) resolve();
        else reject(new Error(`the restart command ended with ${signal ?? `exit code ${code}`}`));
      });
    });
