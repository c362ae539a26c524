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

  /**
   * Contexts with a task at work, and the tasks that wait for its end (OpenClaw design: one task of a context at a
   * time).
   */
  const lines = new Map<string, readonly (() => void)[]>();

  function start({ id, contextId = id }: Task, steps: readonly Step[]): void {
    if (!spelling.queue) {
      play(id, steps);
      return;
    }
    const begin = (): void => {
      if (isOver(id)) {
        next(contextId);
        return;
      }
      const unwatch = store.watch(id, () => {
        if (!isOver(id)) return;
        unwatch();
        next(contextId);
      });
      play(id, steps);
    };
    const line = lines.get(contextId);
    lines.set(contextId, line === undefined ? [] : [...line, begin]);
    if (line === undefined) begin();
  }
  function next(contextId: string): void {
    const [first, ...others] = lines.get(contextId) ?? [];
    if (first === undefined) lines.delete(contextId);
    else lines.set(contextId, others);
    first?.();
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
