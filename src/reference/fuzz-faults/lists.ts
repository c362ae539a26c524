import type { ListQuery, Task, TaskPage } from '../../model/index.js';
import type { Patch, Seams } from '../seams.js';
import { fuzzFault } from './fuzz-fault.js';

type Listing = Seams['page'];
const paging =
  (make: (page: Listing, tasks: readonly Task[], query: ListQuery) => TaskPage): Patch =>
  (inner) => ({ page: (tasks, query) => make(inner.page, tasks, query) });

/** What is shown too much, or too little, where a share of it is asked for. */
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
    patch: paging((page, tasks, { contextId, ...query }) => {
      const isKnown = tasks.some((task) => task.contextId === contextId);
      return page(tasks, isKnown && contextId !== undefined ? { ...query, contextId } : query);
    }),
  }),
  fuzzFault('fuzz-history-of-listed-tasks-whole', {
    about: 'Listed tasks show the whole history, whatever share of it is asked for.',
    seenBy: ['life-cycle'],
    profiles: ['a2a-1.0'],
    patch: paging((page, tasks, query) => {
      const made = page(tasks, query);
      const whole = new Map(tasks.map(({ id, history }) => [id, history]));
      return {
        ...made,
        tasks: made.tasks.map((task) => {
          const history = whole.get(task.id);
          return history === undefined ? task : { ...task, history };
        }),
      };
    }),
  }),
  fuzzFault('fuzz-second-page-loses-first-task', {
    about: 'A page that is asked for by its token lacks its first task.',
    seenBy: ['life-cycle'],
    profiles: ['a2a-1.0'],
    patch: paging((page, tasks, query) => {
      const made = page(tasks, query);
      return query.pageToken === undefined ? made : { ...made, tasks: made.tasks.slice(1) };
    }),
  }),
  fuzzFault('fuzz-second-page-repeats-last-task', {
    about: 'A page that is asked for by its token begins with the last task of the page before.',
    seenBy: ['life-cycle'],
    profiles: ['a2a-1.0'],
    patch: paging((page, tasks, query) => {
      const made = page(tasks, query);
      if (query.pageToken === undefined) return made;
      const { pageToken: _, ...first } = query;
      const [before] = page(tasks, first).tasks.slice(-1);
      return before === undefined ? made : { ...made, tasks: [before, ...made.tasks].slice(0, query.pageSize) };
    }),
  }),
];
