import { Worker } from 'node:worker_threads';
import { type Cast, play, type Role, type Row } from './cell.js';

/** What is sent to a thread: one agent or client of a profile. Casts themselves cannot be sent. */
export interface Job {
  readonly profile: string;
  readonly of: 'agents' | 'payments' | 'clients';
  readonly role: Role;
}

/** The modules with the checks of agents, `rules`, and of clients, `clientRules`: URLs. */
export interface RuleModules {
  readonly agents: string;
  readonly clients: string;
}

export interface Settings {
  readonly threads: number;
  /** Jobs at once on each thread. */
  readonly width: number;
  readonly modules: RuleModules;
}

/** Threads that judge; each loads the checks and casts of the built package once, for all profiles. */
export interface Stage {
  /** Rejects when a thread fails. */
  play(job: Job): Promise<Row>;
  /** The same, when nothing else plays or waits on any thread: what is judged by its haste has the machine for itself. */
  playAlone(job: Job): Promise<Row>;
  close(): Promise<void>;
}

interface Waiting {
  readonly job: Job;
  readonly give: (row: Row) => void;
  readonly fail: (error: unknown) => void;
}

/** What the stage needs of a thread. */
interface Thread {
  on(event: 'message', hear: (message: { readonly id: number; readonly row: Row }) => void): unknown;
  on(event: 'error', hear: (error: Error) => void): unknown;
  postMessage(message: { readonly id: number; readonly job: Job }): void;
  terminate(): Promise<unknown>;
}

const startThread = (modules: RuleModules): Thread =>
  new Worker(new URL('./worker.js', import.meta.url), { workerData: modules });

/** @param start replaces the threads, in tests */
export function openStage({ threads, width, modules }: Settings, start = startThread): Stage {
  const waiting: Waiting[] = [];
  const lonely: Waiting[] = [];
  /** Jobs that play, on all threads. */
  let busy = 0;
  let isAlone = false;

  function next(): Waiting | undefined {
    if (isAlone) return undefined;
    const item = waiting.shift();
    if (item !== undefined || busy > 0) return item;
    isAlone = lonely.length > 0;
    return lonely.shift();
  }
  const workers = Array.from({ length: threads }, () => {
    const worker = start(modules);
    const playing = new Map<number, Waiting>();
    let last = 0;
    worker.on('message', ({ id, row }) => {
      playing.get(id)?.give(row);
      playing.delete(id);
      busy--;
      isAlone = false;
      beginAll();
    });
    worker.on('error', (error) => {
      for (const { fail } of [...playing.values(), ...waiting.splice(0), ...lonely.splice(0)]) fail(error);
    });
    /** Takes what waits, as long as there is room. */
    function begin(): void {
      while (playing.size < width) {
        const item = next();
        if (item === undefined) return;
        busy++;
        playing.set(++last, item);
        worker.postMessage({ id: last, job: item.job });
      }
    }
    return { worker, begin };
  });
  function beginAll(): void {
    for (const { begin } of workers) begin();
  }
  const playIn = (queue: Waiting[]) => (job: Job) =>
    new Promise<Row>((give, fail) => {
      queue.push({ job, give, fail });
      beginAll();
    });
  return {
    play: playIn(waiting),
    playAlone: playIn(lonely),
    async close() {
      await Promise.all(workers.map(({ worker }) => worker.terminate()));
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
  const { dialect, charges = false } = cast;
  if (stage !== undefined) {
    return Promise.all(
      roles.map(async (role) => {
        const row = await stage.play({ profile: dialect.id, of: charges ? 'payments' : 'agents', role });
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
