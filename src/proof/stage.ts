import { Worker } from 'node:worker_threads';
import { type Cast, play, type Role, type Row } from './cell.js';

/** What is sent to a thread: one agent of the cast of a profile. The cast itself cannot be sent. */
export interface Job {
  readonly profile: string;
  readonly x402: boolean;
  readonly role: Role;
}

/** Threads on which agents are judged; each loads the checks and the cast of the built package once, for all profiles. */
export interface Stage {
  /** Rejects when a thread fails. */
  play(job: Job): Promise<Row>;
  close(): Promise<void>;
}

/** `rulesUrl`: the module that exports `rules`. */
export function openStage(count: number, rulesUrl: string): Stage {
  const waiting: { readonly job: Job; readonly give: (row: Row) => void; readonly fail: (error: unknown) => void }[] =
    [];
  const idle: Worker[] = [];
  const workers = Array.from(
    { length: count },
    () => new Worker(new URL('./worker.js', import.meta.url), { workerData: rulesUrl }),
  );
  function begin(worker: Worker): void {
    const next = waiting.shift();
    if (next === undefined) {
      idle.push(worker);
      return;
    }
    const onRow = (row: Row): void => {
      worker.off('error', onError);
      next.give(row);
      begin(worker);
    };
    const onError = (error: unknown): void => {
      worker.off('message', onRow);
      next.fail(error);
    };
    worker.once('message', onRow).once('error', onError);
    worker.postMessage(next.job);
  }
  for (const worker of workers) begin(worker);
  return {
    play: (job) =>
      new Promise((give, fail) => {
        waiting.push({ job, give, fail });
        const free = idle.shift();
        if (free !== undefined) begin(free);
      }),
    async close() {
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}

/** Plays all roles, on the threads of the stage, or without one in this thread one after the other. */
export async function playRoles(
  cast: Cast,
  roles: readonly Role[],
  stage: Stage | undefined,
  onRow: () => void,
): Promise<readonly Row[]> {
  const { dialect, x402 = false } = cast;
  if (stage !== undefined) {
    return Promise.all(
      roles.map(async (role) => {
        const row = await stage.play({ profile: dialect.id, x402, role });
        onRow();
        return row;
      }),
    );
  }
  const rows: Row[] = [];
  for (const role of roles) {
    rows.push(await play(cast, role));
    onRow();
  }
  return rows;
}
