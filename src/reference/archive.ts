import type { Archive, Keeping } from './store.js';

/** Outlives an agent, not the process. What it gives shares no object with what it was given. */
export function memoryArchive(): Archive {
  const kept = new Map<string, Keeping>();
  return {
    load: () => [...kept.values()].map((keeping) => JSON.parse(JSON.stringify(keeping)) as Keeping),
    save: (keeping) => void kept.set(keeping.task.id, keeping),
    remove: (taskId) => void kept.delete(taskId),
  };
}
