import {
  accepted,
  check,
  conforms,
  describe,
  inconclusive,
  type Judgement,
  lacksOperation,
  plural,
  repeatedIn,
  type Task,
} from '../../src/kit/index.js';
import { isGone } from '../task/answers.js';
import { everything, ofOtherState, pageApart, size, walk, whole } from './crowd.js';
import { idsOf, notListed } from './shown.js';

// A2A 1.0 §3.1.4 List Tasks: the response and its pages.

const noList = { otherwise: 'the agent listed no task' };

// In our words (1.0, 3.1.4 List Tasks): ListTasks is implemented.
export const implemented = check('list/implemented', 'list.implemented')
  .when('the client lists its tasks', ({ use }) => use(everything))
  .expects('have the method', (outcome): Judgement => {
    if (lacksOperation(outcome)) return describe(outcome);
    // An answer shows that the method exists. list/tasks judges the form, where a document defines it.
    if (outcome.kind === 'invalid-response' && outcome.fault === 'unreadable')
      return inconclusive(`the answer is not a list that the kit can read: ${outcome.detail}`);
    return accepted(outcome);
  })
  .advice('Every agent of 1.0 serves ListTasks; one that keeps no tasks answers with an empty list.');

// In our words (1.0, 3.1.4 List Tasks): The response has a `tasks` array.
export const tasks = conforms('list/tasks', 'list.tasks', 'hold listed tasks in an array of tasks', {
  ...noList,
  advice:
    'Answer {"tasks": […]}, with the member also for an empty list. ProtoJSON writers drop empty lists: set them to keep defaults.',
});
// In our words (1.0, 3.1.4 List Tasks): `nextPageToken` is always present as a string.
export const token = conforms(
  'list/next-page-token',
  'list.next-page-token',
  'have a string nextPageToken in each page of a listing',
  {
    ...noList,
    advice:
      'Write "nextPageToken": "" where no page follows, no null. ProtoJSON writers drop empty texts: set them to keep defaults.',
  },
);
// In our words (1.0, 3.1.4 List Tasks): `pageSize` is present as an integer giving the page size used.
export const sizeType = conforms(
  'list/page-size',
  'list.page-size',
  'have an integer pageSize in each page of a listing',
  { ...noList, advice: 'Write the limit of the page as a number, "pageSize": 50, also where fewer tasks come.' },
);
// In our words (1.0, 3.1.4 List Tasks): `totalSize` is present as an integer.
export const totalType = conforms(
  'list/total-size',
  'list.total-size',
  'have an integer totalSize in each page of a listing',
  {
    ...noList,
    advice: 'Write "totalSize" as a number without quotes. ProtoJSON writers drop 0: set them to keep defaults.',
  },
);
// In our words (1.0, 3.1.4 List Tasks): Without pageSize a list page holds at most 50 tasks.
export const defaultLimit = check('list/default-limit', 'list.default-limit')
  .when('the client lists its tasks without a pageSize', ({ use }) => use(everything))
  .expects('show 50 at most', (outcome): Judgement => {
    if (outcome.kind !== 'result') return inconclusive(notListed(outcome));
    const { pageSize = 0, tasks: shown } = outcome.value;
    if (shown.length > 50) return `${shown.length} tasks came in one page`;
    // Few agents hold more tasks than a page, but every agent reports the page size that it used.
    return pageSize <= 50 ? undefined : `pageSize is ${pageSize}, where none was asked for`;
  })
  .advice('Take 50 where pageSize is not set, and give a nextPageToken for the rest.');

// In our words (1.0, 3.1.4 List Tasks): `totalSize` is the number of matching tasks before paging.
export const total = check('list/total-counts-all', 'list.total-counts')
  .given('walked', walk)
  .given('other', ofOtherState)
  .when('the client lists three tasks in pages of two', async ({ walked }) => walked)
  .expects('count all that match in totalSize', async ({ pages, ended }, { client }): Promise<Judgement> => {
    const [first] = pages;
    if (first?.kind !== 'result') return inconclusive(first === undefined ? 'no page came' : notListed(first));
    const { totalSize } = first.value;
    if (totalSize === undefined) return inconclusive('the page has no totalSize');
    const seen = new Set(pages.flatMap((page) => (page.kind === 'result' ? idsOf(page.value) : [])));
    if (!ended || seen.size < size) return inconclusive('the pages did not show all tasks');
    const matching = plural(seen.size, 'task matches', 'tasks match');
    if (totalSize !== seen.size) return `totalSize is ${totalSize}, and ${matching}`;
    const later = pages.flatMap((page) => (page.kind === 'result' ? (page.value.totalSize ?? []) : []));
    const other = later.find((count) => count !== seen.size);
    if (other === undefined) return undefined;
    // Ended tasks may be purged between two pages (§3.3.2).
    for (const id of seen)
      if (isGone(await client.call('get', { id }))) return inconclusive(`the agent no longer has the task ${id}`);
    return `totalSize is ${other} on a later page, and ${matching}`;
  })
  .expects(
    'none where the state has no task',
    (_, { other }): Judgement => {
      if (other.outcome.kind !== 'result') return inconclusive(notListed(other.outcome));
      const { tasks: shown, nextPageToken, totalSize = 0 } = other.outcome.value;
      // list/state-filter judges tasks in another state.
      if (shown.length > 0 || nextPageToken !== '') return undefined;
      return totalSize === 0 ? undefined : `totalSize is ${totalSize} where no task is in that state`;
    },
    ({ other }) => other.outcome,
  )
  .advice('Count with the conditions of the listing, before the page is cut: the count is the same on each page.');

// In our words (1.0, 3.1.4 List Tasks): `pageSize` is present as an integer giving the page size used.
export const sizeUsed = check('list/page-size-used', 'list.page-size')
  .given('walked', walk)
  .when('the client lists three tasks in pages of two', async ({ walked }) => walked)
  .expects('name the page size that was used', ({ pages: all }): Judgement => {
    const [first] = all;
    if (first?.kind !== 'result') return inconclusive(first === undefined ? 'no page came' : notListed(first));
    if (first.value.pageSize === undefined) return inconclusive('the page has no pageSize');
    // A server may use a smaller page size. It holds for later pages as well.
    const wrong = all.find((page) => {
      if (page.kind !== 'result' || page.value.pageSize === undefined) return false;
      const { pageSize, tasks: shown } = page.value;
      return pageSize > 2 || pageSize < shown.length;
    });
    return wrong?.kind === 'result' ? `pageSize is ${wrong.value.pageSize}, where 2 were asked for` : undefined;
  })
  .advice('Name the size that the request asked for, or what you made of it, also on pages that a pageToken opens.');

// In our words (1.0, 3.1.4 List Tasks): A page holds at most the requested pageSize.
export const limit = check('list/page-limit', 'list.page-limit')
  .given('walked', walk)
  .when('the client lists three tasks in pages of two', async ({ walked }) => walked)
  .expects('show two tasks in a page at most', ({ pages: [first] }): Judgement => {
    if (first?.kind !== 'result') return inconclusive(first === undefined ? 'no page came' : notListed(first));
    const shown = first.value.tasks.length;
    return shown <= 2 ? undefined : `${shown} tasks came in a page of 2`;
  })
  .advice(
    'Read pageSize, over HTTP+JSON from the query, and cut the page there: the rest comes with the nextPageToken.',
  );

// In our words (1.0, 3.1.4 List Tasks): pageToken returns the following page without repeats.
export const pages = check('list/pages', 'list.paging')
  .given('walked', walk)
  .when('the client lists three tasks in pages of two', async ({ walked }) => walked)
  .expects('show each task once', ({ pages: all, lost, tasks: shown, isQuiet }): Judgement => {
    const bad = all.find((page) => page.kind !== 'result');
    if (bad !== undefined)
      return all.length > 1 && typeof accepted(bad) === 'string'
        ? `a pageToken that was given was refused: ${describe(bad)}`
        : inconclusive(notListed(bad));
    const ids = shown.map(({ id }) => id);
    const twice = repeatedIn(ids);
    if (twice === undefined) return lost;
    return isQuiet
      ? `the task ${twice} is on two pages`
      : inconclusive('run again: a task changed while the kit read the pages');
  })
  .advice('A pageToken stands for a place in the order, not for a number of tasks to skip.');

// In our words (1.0, 3.1.4 List Tasks): Paging is cursor-based.
export const cursor = check('list/page-after-new-task', 'list.cursor')
  .given('apart', pageApart)
  .when('another task is made, or changes, before the client opens the next page', async ({ apart }) => apart?.next)
  .expects('show no task of the page before', async (next, { apart, client }): Promise<Judgement> => {
    if (next?.kind !== 'result' || apart === undefined)
      return inconclusive(next === undefined ? 'a page of one of several tasks had no nextPageToken' : notListed(next));
    const [shown] = apart.page.value.tasks;
    const again = next.value.tasks.find(({ id }) => id === shown?.id);
    if (shown === undefined || again === undefined) return undefined;
    // A task that changed meanwhile is at another place in the order.
    const isSame = (now: Task): boolean =>
      now.status.state === shown.status.state && now.status.timestamp === shown.status.timestamp;
    const now = await client.call('get', { id: shown.id });
    return isSame(again) && now.kind === 'result' && isSame(now.value)
      ? `the task ${shown.id} was on the page before, and comes again after another task was made or has changed`
      : inconclusive(`run again: the task ${shown.id} changed while the kit read the pages`);
  })
  .advice(
    'Let the pageToken name the last task of the page, by its time and id. A number of tasks to skip shows some twice.',
  );

// In our words (1.0, 3.1.4 List Tasks): On the last page `nextPageToken` is the empty string.
export const lastPage = check('list/last-page', 'list.last-page')
  .given('walked', walk)
  .given('listed', whole)
  .when('the client lists three tasks in pages of two', async ({ walked }) => walked)
  .expects('give an empty nextPageToken on the last page', ({ pages: all, ended }): Judgement => {
    const last = all.at(-1);
    if (last?.kind !== 'result') return inconclusive(last === undefined ? 'no page came' : notListed(last));
    if (!ended) return `the agent still returned a nextPageToken after ${all.length} pages of two for ${size} tasks`;
    return last.value.nextPageToken === ''
      ? undefined
      : 'the last page has no nextPageToken, or one that is not a string';
  })
  .expects(
    'none where all tasks fill the page',
    (_, { listed: { pages: all, crowd: known } }): Judgement => {
      const [first, ...more] = all;
      // list/pages judges tasks that come again, and list/context-filter those of other contexts.
      const isFull = first?.kind === 'result' && known.tasks.every(({ id }) => idsOf(first.value).includes(id));
      const isEmpty = more.length > 0 && more.every((page) => page.kind === 'result' && page.value.tasks.length === 0);
      return isFull && isEmpty
        ? `the page has all ${size} tasks of the context and a nextPageToken, which opens an empty page`
        : undefined;
    },
    ({ listed }) => listed.outcome,
  )
  .advice(
    'Write "nextPageToken": "" on the last page. ProtoJSON writers drop empty texts: set them to keep defaults, or add the member.',
  );
