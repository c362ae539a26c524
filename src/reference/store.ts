import type { Message, StreamEvent, Task } from '../model/index.js';

/** What can happen to a task. Status and artifact events are what a stream sends; messages only enter the history. */
export type TaskEvent =
  | Extract<StreamEvent, { type: 'status' | 'artifact' }>
  | { readonly type: 'message'; readonly taskId: string; readonly message: Message };

export type TaskListener = (task: Task, event: TaskEvent) => void;

export interface Store {
  get(id: string): Task | undefined;
  /** When the task was first put, as milliseconds of the agent's clock. */
  createdAt(id: string): number | undefined;
  all(): readonly Task[];
  put(task: Task): void;
  /** Keeps the task and tells those who watch it. */
  publish(task: Task, event: TaskEvent): void;
  /** The result ends the watch. */
  watch(id: string, listener: TaskListener): () => void;
}

export function createStore(now: () => number): Store {
  const tasks = new Map<string, Task>();
  const created = new Map<string, number>();
  const listeners = new Map<string, Set<TaskListener>>();
  function put(task: Task): void {
    if (!created.has(task.id)) created.set(task.id, now());
    tasks.set(task.id, task);
  }
  return {
    get: (id) => tasks.get(id),
    createdAt: (id) => created.get(id),
    all: () => [...tasks.values()],
    put,
    publish(task, event) {
      put(task);
      for (const listener of [...(listeners.get(task.id) ?? [])]) listener(task, event);
    },
    watch(id, listener) {
      const watching = listeners.get(id) ?? new Set();
      listeners.set(id, watching.add(listener));
      return () => {
        watching.delete(listener);
        if (watching.size === 0 && listeners.get(id) === watching) listeners.delete(id);
      };
    },
  };
}
