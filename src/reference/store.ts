import { isTerminal, type Message, type PushConfig, type StreamEvent, type Task } from '../model/index.js';

/** What can happen to a task. Status and artifact events are what a stream sends; messages only enter the history. */
export type TaskEvent =
  | Extract<StreamEvent, { type: 'status' | 'artifact' }>
  | { readonly type: 'message'; readonly taskId: string; readonly message: Message };

export type TaskListener = (task: Task, event: TaskEvent) => void;

/** Everything that is known of one task. */
export interface Keeping {
  readonly task: Task;
  /** Milliseconds of the agent's clock. */
  readonly createdAt: number;
  /** The caller that owns the task; undefined: all callers. */
  readonly owner?: string | undefined;
  readonly configs: readonly PushConfig[];
}

/**
 * Storage of tasks beyond the life of the agent: a file, a database. Written to with every change, read once, at the
 * start.
 */
export interface Archive {
  /** In the order in which they were made. */
  load(): Iterable<Keeping>;
  save(keeping: Keeping): void;
  remove(taskId: string): void;
}

export interface Store {
  get(id: string): Task | undefined;
  /** When the task was first put, as milliseconds of the agent's clock. */
  createdAt(id: string): number | undefined;
  owner(id: string): string | undefined;
  /** Whether a task of this context is kept, or was kept once. */
  knowsContext(id: string): boolean;
  /** In the order in which they were made. */
  all(): readonly Task[];
  /** The owner is stored only when the task is new. */
  put(task: Task, owner?: string): void;
  /** Keeps the task and calls those who watch it. */
  publish(task: Task, event: TaskEvent): void;
  /** The result ends the watch. */
  watch(id: string, listener: TaskListener): () => void;
  /** The same of every task. */
  watchAll(listener: TaskListener): () => void;
  configs(taskId: string): readonly PushConfig[];
  /** Takes the place of one with the same id. */
  putConfig(taskId: string, config: PushConfig): void;
  removeConfig(taskId: string, configId: string): void;
}

export interface StoreOptions {
  readonly now: () => number;
  /** For how long finished tasks are kept, milliseconds. Default: no limit. */
  readonly keepMs?: number;
  readonly archive?: Archive;
  /** How much is kept. Default: everything. */
  readonly most?: StoreLimits;
}

/**
 * Beyond these limits tasks are removed: the oldest that has ended first, and an open one only where none has ended.
 */
export interface StoreLimits {
  readonly tasks: number;
  /** Of their JSON text, in characters. */
  readonly size: number;
}

export function createStore({ now, keepMs = Number.POSITIVE_INFINITY, archive, most }: StoreOptions): Store {
  const kept = new Map<string, Keeping>();
  const listeners = new Map<string, Set<TaskListener>>();
  const everywhere = new Set<TaskListener>();
  // Each new id is looked up here: a search through all tasks would make an agent with many of them slow.
  const contexts = new Set<string | undefined>();
  const sizes = new Map<string, number>();
  let size = 0;
  /** Open tasks that were removed: work that still runs must not store them again without an owner. */
  const dropped = new Set<string>();
  function measure(id: string, length: number): void {
    size += length - (sizes.get(id) ?? 0);
    if (length === 0) sizes.delete(id);
    else sizes.set(id, length);
  }
  function remove(id: string): void {
    kept.delete(id);
    measure(id, 0);
    archive?.remove(id);
  }
  function enter(keeping: Keeping): void {
    const { id, contextId } = keeping.task;
    kept.set(id, keeping);
    contexts.add(contextId);
    if (most === undefined) return;
    measure(id, JSON.stringify(keeping).length);
    shrink(most, id);
  }
  function oldest(latest: string): Task | undefined {
    let open: Task | undefined;
    for (const { task } of kept.values()) {
      if (task.id === latest) continue;
      if (isTerminal(task.status.state)) return task;
      open ??= task;
    }
    return open;
  }
  /** `latest` is never removed: its caller waits for it. */
  function shrink({ tasks, size: largest }: StoreLimits, latest: string): void {
    while (kept.size > 1 && (kept.size > tasks || size > largest)) {
      const goes = oldest(latest);
      if (goes === undefined) break;
      if (!isTerminal(goes.status.state)) dropped.add(goes.id);
      remove(goes.id);
    }
    forgetOldest(dropped, tasks);
    if (contexts.size > tasks)
      forgetOldest(contexts, tasks, new Set([...kept.values()].map(({ task }) => task.contextId)));
  }
  for (const keeping of archive?.load() ?? []) enter(keeping);

  function keep(keeping: Keeping): void {
    enter(keeping);
    archive?.save(keeping);
  }
  function find(id: string): Keeping | undefined {
    const found = kept.get(id);
    if (found === undefined || !isTerminal(found.task.status.state)) return found;
    const since = Date.parse(found.task.status.timestamp ?? '');
    if (!(now() - since > keepMs)) return found;
    remove(id);
    return undefined;
  }
  function put(task: Task, owner?: string): void {
    const before = kept.get(task.id);
    if (before === undefined && dropped.has(task.id)) return;
    keep(before === undefined ? { task, createdAt: now(), owner, configs: [] } : { ...before, task });
  }
  function change(taskId: string, configs: (before: readonly PushConfig[]) => readonly PushConfig[]): void {
    const before = kept.get(taskId);
    if (before !== undefined) keep({ ...before, configs: configs(before.configs) });
  }

  return {
    get: (id) => find(id)?.task,
    createdAt: (id) => kept.get(id)?.createdAt,
    owner: (id) => kept.get(id)?.owner,
    knowsContext: (id) => contexts.has(id),
    all: () => [...kept.keys()].flatMap((id) => find(id)?.task ?? []),
    put,
    publish(task, event) {
      put(task);
      for (const listener of [...(listeners.get(task.id) ?? []), ...everywhere]) listener(task, event);
    },
    watch(id, listener) {
      const watching = listeners.get(id) ?? new Set();
      listeners.set(id, watching.add(listener));
      return () => {
        watching.delete(listener);
        if (watching.size === 0 && listeners.get(id) === watching) listeners.delete(id);
      };
    },
    watchAll(listener) {
      everywhere.add(listener);
      return () => everywhere.delete(listener);
    },
    configs: (taskId) => kept.get(taskId)?.configs ?? [],
    putConfig: (taskId, config) =>
      change(taskId, (before) =>
        before.some(({ id }) => id === config.id)
          ? before.map((pushConfig) => (pushConfig.id === config.id ? config : pushConfig))
          : [...before, config],
      ),
    removeConfig: (taskId, configId) => change(taskId, (before) => before.filter(({ id }) => id !== configId)),
  };
}

/** `held`: those that stay. */
function forgetOldest(known: Set<unknown>, most: number, held: ReadonlySet<unknown> = new Set()): void {
  for (const item of known) {
    if (known.size <= most) return;
    if (!held.has(item)) known.delete(item);
  }
}
