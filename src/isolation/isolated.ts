import { Worker } from 'node:worker_threads';
import type { JudgedTarget, TargetOptions } from '../endpoint/index.js';
import { collectIfLarge, member, nameOfDefect, TckError } from '../model/index.js';
import type { Report, RunEvent } from '../report/index.js';
import { doingBuffer, readDoing } from './doing.js';
import { createKnown, type Known } from './known.js';
import type { FromRun, Portable, Start, Thrown, ToRun } from './messages.js';
import { countTaken, takenCounter } from './taken-lists.js';
import { type Patience, usualPatience, watchOver } from './watch.js';

/** The compiled thread. It does not exist when the kit is run from its sources. */
const file = new URL('./run-worker.js', import.meta.url);
const isOfSources = import.meta.url.endsWith('.ts');

/** A thread that was started before its run is known. It loads what a run needs. */
let spare: Worker | undefined;

const newThread = (heapMiB: number): Worker =>
  new Worker(file, {
    // Warnings of Node do not concern the user.
    stderr: process.env['A2A_TCK_DEBUG'] !== '1',
    // A larger young generation makes no run faster, and takes 10 MiB or more.
    resourceLimits: { maxOldGenerationSizeMb: heapMiB, maxYoungGenerationSizeMb: 4 },
  });

/**
 * Starts the thread of the next run while the caller still reads options: it loads the kit on another core. Does nothing
 * where the kit is run from its sources. A thread that no run takes does not keep the process alive.
 */
export function startThreadAhead(): void {
  if (isOfSources || spare !== undefined) return;
  const thread = newThread(usualPatience.heapMiB);
  thread.unref();
  spare = thread;
  // Ignored here: a run without a spare thread starts its own, and reports why that fails.
  thread.on('error', () => {
    if (spare === thread) spare = undefined;
  });
}

function takeThread(heapMiB: number): Worker {
  if (spare === undefined || heapMiB !== usualPatience.heapMiB) return newThread(heapMiB);
  const thread = spare;
  spare = undefined;
  thread.removeAllListeners('error');
  thread.ref();
  return thread;
}

/** Whether these options can be sent to a thread: stubs that are objects of the caller and its functions cannot. */
export const canBeIsolated = (options: TargetOptions): boolean =>
  !isOfSources &&
  (options.expect ?? []).every(({ holds }) => holds === undefined) &&
  !Object.values(options).some((option) => typeof member(option, 'stub') === 'object');

function portable({ onEvent, onPayments, onDevice, signal, restart, isolate, fuzz, ...rest }: JudgedTarget): Portable {
  if (fuzz === undefined) return rest;
  const { onKept, ...data } = fuzz;
  return { ...rest, fuzz: data };
}

function errorOf(thrown: Thrown): Error {
  if (thrown.code !== undefined) return new TckError(thrown.code, thrown.message, thrown.hint);
  const error = new Error(thrown.message);
  if (thrown.stack !== undefined) error.stack = thrown.stack;
  return error;
}

const stuck = (doing: string, seconds: number): string =>
  `the kit did not answer for ${seconds} s${doing === '' ? '' : ` while it was busy with ${doing}`}`;

/**
 * Judges one agent in a thread of its own, since data of the agent can keep a thread busy. The thread is ended when it
 * does not answer, when its memory is spent, or when it does not stop in time. The report then holds what is known,
 * with exit code 70. Throws what `runHere` throws, and `TckError('internal')` for a thread that was ended before an
 * agent was found.
 */
export function runIsolated(options: JudgedTarget, patience: Patience = usualPatience): Promise<Report> {
  const { onEvent = () => undefined, onPayments, onDevice, signal, restart, fuzz, maxTimeMs } = options;
  const begun = Date.now();
  let known: Known | undefined = createKnown();
  const doing = doingBuffer();
  const takenLists = takenCounter();
  const start: Start = {
    options: portable(options),
    restarts: restart !== undefined,
    asks: onDevice !== undefined,
    keeps: fuzz?.onKept !== undefined,
    doing,
    takenLists,
  };
  const worker = takeThread(patience.heapMiB);
  const tell = (message: ToRun): void => worker.postMessage(message);
  tell({ type: 'start', start });

  return new Promise<Report>((resolve, reject) => {
    let isOver = false;
    let ending: NodeJS.Timeout | undefined;

    function over(): void {
      isOver = true;
      watch.end();
      clearTimeout(timeUp);
      clearTimeout(ending);
      signal?.removeEventListener('abort', onAbort);
    }

    /** Ends the thread and resolves with a report of what is known. */
    async function give(why: string): Promise<void> {
      if (isOver) return;
      over();
      await worker.terminate();
      const report = known?.report(why, Date.now() - begun);
      if (report === undefined) {
        const hint = 'this is a defect of a2a-tck, please report it with the URL of the agent';
        reject(new TckError('internal', `${why}, before it knew what the agent speaks`, hint));
        return;
      }
      for (const result of known?.unreported() ?? []) onEvent({ type: 'check.judged', result });
      onEvent({ type: 'run.ended', report });
      resolve(report);
    }

    function stop(why?: string): void {
      if (isOver || ending !== undefined) return;
      tell({ type: 'stop', ...(why === undefined ? {} : { why }) });
      const seconds = patience.endMs / 1000;
      ending = setTimeout(
        () => void give(`${why ?? 'interrupted'}, and the run did not end within ${seconds} s`),
        patience.endMs,
      );
    }
    const onAbort = (): void => stop(typeof signal?.reason === 'string' ? signal.reason : undefined);

    const watch = watchOver(
      patience,
      () => tell({ type: 'ping' }),
      (seconds) => void give(stuck(readDoing(doing), seconds)),
    );
    const timeUp = maxTimeMs === undefined ? undefined : setTimeout(() => stop(timeIsUp(maxTimeMs)), maxTimeMs);

    function hear(message: FromRun): void {
      if (isOver) return;
      known?.hear(message);
      if (message.type === 'event') onEvent(message.event as RunEvent);
      else if (message.type === 'payments') {
        onPayments?.(message.list);
        countTaken(takenLists);
      } else if (message.type === 'device') onDevice?.(message.request);
      else if (message.type === 'pong') watch.pong();
      else if (message.type === 'kept') fuzz?.onKept?.(message.value as never);
      else if (message.type === 'restart') {
        (restart?.() ?? Promise.resolve()).then(
          () => tell({ type: 'restarted' }),
          (error: unknown) =>
            tell({ type: 'restarted', failed: error instanceof Error ? error.message : String(error) }),
        );
      } else if (message.type === 'ended') {
        over();
        // Reports take much memory to write: what the run held is let go before.
        known = undefined;
        worker
          .terminate()
          .then(() => {
            collectIfLarge();
            onEvent({ type: 'run.ended', report: message.report });
            resolve(message.report);
          })
          .catch(reject);
      } else if (message.type === 'failed') {
        over();
        reject(errorOf(message.error));
        void worker.terminate();
      }
    }
    worker.on('message', (message: FromRun) => {
      try {
        hear(message);
      } catch (error) {
        // Errors of the caller's callbacks go to the caller.
        over();
        reject(error);
        void worker.terminate();
      }
    });
    worker.on('error', (error: NodeJS.ErrnoException) => {
      const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      const busy = readDoing(doing);
      const what = isMemory
        ? `the kit needed more than ${patience.heapMiB} MiB`
        : `the kit failed: ${nameOfDefect(error)}`;
      void give(busy === '' ? what : `${what} while it was busy with ${busy}`);
    });
    worker.on('exit', () => void give('the thread of the run ended'));
    if (signal?.aborted === true) onAbort();
    else signal?.addEventListener('abort', onAbort);
  });
}

/** Applies the same time limit to a run in this thread, which no other thread can end. */
export async function inTime<T>(
  { signal: outer, maxTimeMs }: TargetOptions,
  work: (signal: AbortSignal | undefined) => Promise<T>,
): Promise<T> {
  if (maxTimeMs === undefined) return work(outer);
  const controller = new AbortController();
  const onAbort = (): void => controller.abort(outer?.reason);
  if (outer?.aborted === true) onAbort();
  outer?.addEventListener('abort', onAbort);
  const timer = setTimeout(() => controller.abort(timeIsUp(maxTimeMs)), maxTimeMs);
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener('abort', onAbort);
  }
}

/** Why a run ends when its time is over. */
export const timeIsUp = (maxTimeMs: number): string => `its time is over: --max-time ${Math.round(maxTimeMs / 1000)} s`;
