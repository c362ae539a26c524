import type { Archive, Keeping } from './store.js';

/** Keeps tasks beyond the life of an agent, not of the process. What it loads shares no object with what was saved. */
export function memoryArchive(): Archive {
  const kept = new Map<string, Keeping>();
  return {
    load: () => [...kept.values()].map((keeping) => JSON.parse(JSON.stringify(keeping)) as Keeping),
    save: (keeping) => void kept.set(keeping.task.id, keeping),
    remove: (taskId) => void kept.delete(taskId),
  };
}
