import { listFaults as checked } from '../faults/list.js';
import type { Patch } from '../seams.js';
import { fuzzFault } from './fuzz-fault.js';

/** The patch of a fault that checks find as well: the fuzzer must find it by itself, in requests that it made up. */
function patchOf(id: string): Patch {
  const found = checked.find((one) => one.id === id);
  if (found === undefined) throw new Error(`no fault ${id}`);
  return found.patch;
}

/** Faults that show too much, or too little, where a part was asked for. */
export const listFaults = [
  fuzzFault('fuzz-history-one-too-long', {
    about: 'A history that is cut has one message more than was asked for.',
    seenBy: ['life-cycle'],
    patch: (inner) => ({
      view: (task, length) => inner.view(task, length === undefined || length < 1 ? length : length + 1),
    }),
  }),
  fuzzFault('fuzz-unknown-context-lists-all', {
    about: 'For a context without tasks the tasks of all contexts are listed.',
    seenBy: ['life-cycle'],
    profiles: ['a2a-1.0'],
    patch: (inner) => ({
      page(tasks, { contextId, ...query }) {
        const isKnown = contextId !== undefined && tasks.some((task) => task.contextId === contextId);
        return inner.page(tasks, isKnown ? { ...query, contextId } : query);
      },
    }),
  }),
  fuzzFault('fuzz-history-of-listed-tasks-whole', {
    about: 'Listed tasks show the whole history, whatever share of it is asked for.',
    seenBy: ['life-cycle'],
    profiles: ['a2a-1.0'],
    patch: patchOf('list-ignores-history-length'),
  }),
  fuzzFault('fuzz-second-page-loses-first-task', {
    about: 'A page that is asked for by its token lacks its first task.',
    seenBy: ['life-cycle'],
    profiles: ['a2a-1.0'],
    patch: patchOf('list-pages-skip'),
  }),
  fuzzFault('fuzz-second-page-repeats-last-task', {
    about: 'A page that is asked for by its token begins with the last task of the page before.',
    seenBy: ['life-cycle'],
    profiles: ['a2a-1.0'],
    patch: patchOf('list-pages-overlap'),
  }),
];
