import type { Patch } from '../../reference/index.js';
import { type Scenario, scenario } from '../scenario.js';

/** Tokens of the second and the third page: everything that a query could change. */
const tokens = ['T1+a/b==', 't2 C%20&d?e=f#g é '] as const;
const pages = [['task-1', 'task-2'], [], ['task-3']] as const;
const ids = pages.flat();

/** Three pages, of which the second shows no task that the caller may see, whatever size is asked for. A token that came back altered leads on too: it is judged by itself. */
const paged: Patch = (_, { clock }) => {
  let at = 0;
  return {
    page(__, { pageToken = '', pageSize = 2 }) {
      at = pageToken === '' ? 0 : pageToken === tokens[0] ? 1 : pageToken === tokens[1] ? 2 : at + 1;
      return {
        tasks: (pages[at] ?? []).map((id) => ({
          id,
          contextId: 'context',
          status: { state: 'completed' as const, timestamp: new Date(clock.now()).toISOString() },
        })),
        nextPageToken: tokens[at] ?? '',
        pageSize,
        totalSize: ids.length,
      };
    },
  };
};

export const listsScenarios: readonly Scenario[] = [
  scenario('pages', {
    about: 'the tasks come on three pages, the second without a task, with tokens that URLs change',
    errand: { do: 'list', filter: { pageSize: 2 } },
    profiles: ['a2a-1.0'],
    patch: (stage) => {
      tokens.forEach((token, at) => {
        stage.note(`token-${at + 1}`, token);
      });
      return paged;
    },
    expected: { ids },
  }),
];
