import type { Task } from '../../model/index.js';
import { fault } from '../fault.js';
import type { Patch } from '../seams.js';
import { allBut } from '../variant.js';

/** Changes how the agent shows tasks from before its restart. */
const onOld =
  (change: (task: Task) => Task): Patch =>
  (inner, { store }) => {
    const old = new Set(store.all().map(({ id }) => id));
    return { view: (task, length) => inner.view(old.has(task.id) ? change(task) : task, length) };
  };

export const durabilityFaults = [
  fault('restart-loses-tasks', {
    about: 'No task outlives a restart.',
    breaks: ['get.survives-restart'],
    patch: (inner, { store }) => {
      const old = new Set(store.all().map(({ id }) => id));
      return { find: (id, op) => (old.has(id) ? undefined : inner.find(id, op)) };
    },
  }),
  fault('restart-loses-artifacts', {
    about: 'Tasks outlive a restart without their artifacts.',
    breaks: ['get.survives-restart'],
    patch: onOld(({ artifacts: _, ...task }) => task),
  }),
  fault('restart-fails-tasks', {
    about: 'Whatever was there before a restart has failed after it.',
    breaks: ['get.survives-restart'],
    patch: onOld((task) => ({ ...task, status: { ...task.status, state: 'failed' } })),
  }),
  fault('restart-loses-context', {
    about: 'After a restart old tasks are in another context.',
    breaks: ['get.survives-restart'],
    profiles: allBut('xpr', 'xpr-v2'),
    patch: onOld((task) => ({ ...task, contextId: `restored-${task.id}` })),
  }),
];
