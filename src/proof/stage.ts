import { Worker } from 'node:worker_threads';
import { type Cast, play, type Role, type Row } from './cell.js';

/** Plays all roles, in this thread one after the other. */
export async function playHere(cast: Cast, roles: readonly Role[], onRow: () => void): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const role of roles) {
    rows.push(await play(cast, role));
    onRow();
  }
  return rows;
}

/** Tells a thread where the checks are; the cast itself cannot be sent. */
export interface WorkerTask {
  readonly profile: string;
  /** Module that exports `rules`. */
  readonly rulesUrl: string;
  readonly x402: boolean;
}

/** Plays all roles on `threads` threads, each with the whole cast of the built package. Rejects when a thread fails. */
export async function playOnThreads(
  task: WorkerTask,
  roles: readonly Role[],
  threads: number,
  onRow: () => void,
): Promise<readonly Row[]> {
  const rows: Row[] = new Array(roles.length);
  let next = 0;
  await Promise.all(
    Array.from({ length: Math.min(threads, roles.length) }, () => {
      const worker = new Worker(new URL('./worker.js', import.meta.url), { workerData: task });
      return new Promise<void>((resolve, reject) => {
        let index = -1;
        const give = (): void => {
          index = next++;
          if (index < roles.length) worker.postMessage(roles[index]);
          else void worker.terminate().then(() => resolve());
        };
        worker.on('message', (row: Row) => {
          rows[index] = row;
          onRow();
          give();
        });
        worker.on('error', reject);
        give();
      });
    }),
  );
  return rows;
}
