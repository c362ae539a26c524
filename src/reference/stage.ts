import { isSettled, type Task } from '../model/index.js';
import type { StopSignal } from '../wire/index.js';
import type { Step } from './calls.js';
import type { Seams, World } from './seams.js';
import type { TaskEvent } from './store.js';

/** Where scripts are played and watched. */
export interface Stage {
  /** Applies an event to its task, if the life cycle allows it. */
  happen(event: TaskEvent): void;
  play(taskId: string, steps: readonly Step[]): void;
  /** Plays the first script of a task, when its turn has come. */
  start(task: Task, steps: readonly Step[]): void;
  /** Resolves when the task has ended or waits for the client, when `ms` have passed, or when the client has gone. */
  settled(taskId: string, ms: number, signal: StopSignal): Promise<void>;
  /** Ends all scripts that still run. */
  stop(): void;
}

export function createStage({ clock, store, spelling }: World, whole: Seams, crashed: (cause: unknown) => void): Stage {
  const running = new Set<() => void>();

  function happen(event: TaskEvent): void {
    const task = store.get(event.taskId);
    if (task === undefined) return;
    const next = whole.transition(task, event);
    if (next !== task) store.publish(next, event);
  }

  /** Steps go on after a cancel as well: the life cycle refuses those that come too late. */
  function play(taskId: string, [step, ...rest]: readonly Step[]): void {
    if (step === undefined) return;
    const stop = clock.after(step.afterMs, () => {
      running.delete(stop);
      try {
        const task = store.get(taskId);
        if (task !== undefined) happen(whole.stamp(step.act, task));
      } catch (cause) {
        crashed(cause);
      }
      play(taskId, rest);
    });
    running.add(stop);
  }

  /** Places for tasks at work, and the tasks that wait for one. */
  interface Line {
    busy: number;
    readonly waiting: (() => void)[];
  }
  const lines = new Map<string, Line>();

  /**
   * A task that finds no worker free stays submitted. One task of a context at a time is a line of its own (OpenClaw
   * design).
   */
  function start({ id, contextId = id }: Task, steps: readonly Step[]): void {
    const [name, places] = spelling.queue ? [contextId, 1] : ['', whole.workers()];
    const line = lines.get(name) ?? { busy: 0, waiting: [] };
    lines.set(name, line);
    const leave = (): void => {
      line.busy--;
      const next = line.waiting.shift();
      if (next !== undefined) next();
      else if (line.busy === 0) lines.delete(name);
    };
    const begin = (): void => {
      line.busy++;
      if (isOver(id)) {
        leave();
        return;
      }
      const unwatch = store.watch(id, () => {
        if (!isOver(id)) return;
        unwatch();
        leave();
      });
      play(id, steps);
    };
    if (line.busy < places) begin();
    else line.waiting.push(begin);
  }

  function isOver(taskId: string): boolean {
    const task = store.get(taskId);
    return task === undefined || isSettled(task.status.state);
  }

  function settled(taskId: string, ms: number, signal: StopSignal): Promise<void> {
    return new Promise((resolve) => {
      if (ms <= 0 || signal.aborted || isOver(taskId)) return resolve();
      const unwatch = store.watch(taskId, () => {
        if (isOver(taskId)) done();
      });
      const stop = Number.isFinite(ms) ? clock.after(ms, done) : undefined;
      signal.addEventListener('abort', done, { once: true });
      function done(): void {
        unwatch();
        stop?.();
        signal.removeEventListener('abort', done);
        resolve();
      }
    });
  }

  return {
    happen,
    play,
    start,
    settled,
    stop() {
      for (const stop of running) stop();
      running.clear();
    },
  };
}
