import type { Task } from '../../model/index.js';
import { able, knowing, type Patch, together } from '../../reference/index.js';
import { scenario } from '../scenario.js';

// The form of requests that a plain message does not show.

const newest = ['a2a-1.0'] as const;

/** A task on which the agent does not work. */
const known: Task = {
  id: 'task-known-to-the-agent',
  contextId: 'context-known-to-the-agent',
  status: { state: 'working', timestamp: '2026-01-02T03:04:05.678Z' },
};

/** What JSON escapes, what HTML escapes, and characters of two, three and four bytes. */
const oddText = 'Gr\u00fc\u00dfe: \u20ac \u5b57 \u{1f600} "quoted" \\ <b>1 & 2</b> 100%25+1';

/** The agent takes a call that cancels its task, and completes it all the same. */
const tooLate: Patch = (inner) => {
  let isAsked = false;
  return {
    find: (taskId, op) =>
      isAsked ? { ...known, status: { ...known.status, state: 'completed' } } : inner.find(taskId, op),
    async execute(command, call) {
      if (command.op !== 'cancel') return inner.execute(command, call);
      isAsked = true;
      return { op: 'cancel', result: known };
    },
  };
};

export const requestsScenarios = [
  scenario('send-odd-text', {
    about: 'the text of the user has characters of several bytes, quotes, a backslash and what HTML escapes',
    errand: { do: 'send', text: oddText },
    expected: { state: 'completed', text: `You said: ${oddText}` },
  }),
  scenario('cancel-refused', {
    about: 'a task that has been completed is to be canceled',
    errand: { do: 'cancel', taskId: known.id },
    patch: () => knowing({ ...known, status: { ...known.status, state: 'completed' } }),
    expected: { error: 'TaskNotCancelable' },
  }),
  scenario('cancel-too-late', {
    about: 'a task is to be canceled, works on, and is completed',
    errand: { do: 'cancel', taskId: known.id },
    patch: () => together(knowing(known), tooLate),
    mayFail: true,
  }),
  scenario('history-of-zero', {
    about: 'a task is asked for without its history',
    errand: { do: 'get', taskId: known.id, historyLength: 0 },
    patch: () => knowing(known),
    expected: { state: 'working' },
    profiles: newest,
  }),
  scenario('list-with-filters', {
    about: 'tasks are listed with every filter, and the context has unusual characters',
    errand: {
      do: 'list',
      filter: {
        contextId: 'a+b/c=d&e f%20g',
        state: 'TASK_STATE_COMPLETED',
        pageSize: 5,
        updatedAfter: '2026-01-02T03:04:05.678Z',
      },
    },
    expected: { ids: [] },
    profiles: newest,
  }),
  scenario('cancel-a-task', {
    about: 'a task is canceled',
    errand: { do: 'cancel', taskId: known.id },
    patch: () => knowing(known),
    expected: { state: 'canceled' },
    binding: 'http+json',
    profiles: newest,
  }),
  scenario('page-of-configurations', {
    about: 'a page of push configurations is asked for',
    errand: { do: 'list-configs', taskId: known.id, page: { size: 7, token: 'a+b/c=' } },
    patch: () => together(able({ push: true }), knowing(known)),
    binding: 'http+json',
    profiles: newest,
  }),
];
