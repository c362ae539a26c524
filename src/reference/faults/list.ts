import { isObject, isSettled, isTerminal, type ListQuery, type Task, type TaskPage } from '../../model/index.js';
import { edited, lacking, mistaking, onResult, overlooking, set, without } from '../edits.js';
import { RpcFailure } from '../failure.js';
import { fault } from '../fault.js';
import type { Patch } from '../seams.js';
import { page as errorPage, replying } from './rpc-replies.js';

type Listing = (tasks: readonly Task[], query: ListQuery) => TaskPage;
/** Replaces how pages are made. */
const paging =
  (change: (inner: Listing, tasks: readonly Task[], query: ListQuery) => TaskPage): Patch =>
  (inner) => ({ page: (tasks, query) => change(inner.page, tasks, query) });
/** Edits the wire form of a page. */
const onPage = (edit: (page: unknown) => unknown): Patch => onResult('list', edit);
const asking = (change: (query: ListQuery) => ListQuery): Patch =>
  paging((page, tasks, query) => page(tasks, change(query)));
const refusing = (failure: 'MethodNotFound' | 'UnsupportedOperation'): Patch => lacking('list', failure);
const many = ({ tasks, ...page }: TaskPage, count: number): TaskPage => ({
  ...page,
  tasks: tasks.length === 0 ? tasks : Array.from({ length: count }, (_, at) => tasks[at % tasks.length] as Task),
});
const isOddSize = (_: unknown, sent: unknown): boolean => {
  const params = isObject(sent) ? sent['params'] : undefined;
  const size = isObject(params) ? params['pageSize'] : undefined;
  return typeof size === 'number' && (size < 1 || size > 100);
};

export const listFaults = [
  fault('list-not-implemented', {
    about: 'There is no ListTasks.',
    breaks: ['list.implemented'],
    patch: refusing('MethodNotFound'),
  }),
  fault('list-unsupported', {
    about: 'ListTasks is not supported.',
    breaks: ['list.implemented'],
    patch: refusing('UnsupportedOperation'),
  }),
  fault('list-without-tasks', {
    about: 'Listed tasks are called items.',
    breaks: ['list.tasks'],
    patch: onPage((page) => (isObject(page) ? { ...(without(page, 'tasks') as object), items: page['tasks'] } : page)),
  }),
  fault('list-bare-array', {
    about: 'A listing is an array.',
    breaks: ['list.tasks'],
    patch: onPage((page) => (isObject(page) ? page['tasks'] : page)),
  }),
  fault('list-last-token-missing', {
    about: 'The last page has no nextPageToken.',
    breaks: ['list.next-page-token', 'list.last-page'],
    notOver: ['grpc'],
    patch: onPage((page) => edited(page, 'nextPageToken', (token) => (token === '' ? undefined : token))),
  }),
  fault('list-last-token-null', {
    about: 'The nextPageToken of the last page is null.',
    breaks: ['list.next-page-token', 'list.last-page'],
    notOver: ['grpc'],
    patch: onPage((page) => edited(page, 'nextPageToken', (token) => (token === '' ? null : token))),
  }),
  fault('list-page-size-missing', {
    about: 'Pages do not tell their size.',
    breaks: ['list.page-size'],
    notOver: ['grpc'],
    patch: onPage((page) => without(page, 'pageSize')),
  }),
  fault('list-page-size-text', {
    about: 'The size of pages is a text.',
    breaks: ['list.page-size'],
    notOver: ['grpc'],
    patch: onPage((page) => edited(page, 'pageSize', String)),
  }),
  fault('list-page-size-of-default', {
    about: 'The size of pages is always said to be 50.',
    breaks: ['list.page-size'],
    patch: onPage((page) => set(page, 'pageSize', 50)),
  }),
  fault('list-total-size-missing', {
    about: 'Pages do not tell how many tasks there are.',
    breaks: ['list.total-size'],
    notOver: ['grpc'],
    patch: onPage((page) => without(page, 'totalSize')),
  }),
  fault('list-total-size-text', {
    about: 'The total is a text.',
    breaks: ['list.total-size'],
    notOver: ['grpc'],
    patch: onPage((page) => edited(page, 'totalSize', String)),
  }),
  fault('list-total-of-page', {
    about: 'The total is that of the page.',
    breaks: ['list.total-counts'],
    patch: paging((page, tasks, query) => {
      const made = page(tasks, query);
      return { ...made, totalSize: made.tasks.length };
    }),
  }),
  fault('list-total-of-everything', {
    about: 'The total counts tasks that do not match as well.',
    breaks: ['list.total-counts'],
    patch: paging((page, tasks, query) => ({ ...page(tasks, query), totalSize: tasks.length })),
  }),
  fault('list-later-pages-of-default-size', {
    about: 'Later pages are said to be of the default size.',
    breaks: ['list.page-size'],
    patch: paging((page, tasks, query) => {
      const made = page(tasks, query);
      return query.pageToken === undefined ? made : { ...made, pageSize: 50 };
    }),
  }),
  fault('list-total-before-state', {
    about: 'The total is counted before the state filters.',
    breaks: ['list.total-counts'],
    patch: paging((page, tasks, query) => {
      const { state: _, ...unfiltered } = query;
      return { ...page(tasks, query), totalSize: page(tasks, unfiltered).totalSize ?? 0 };
    }),
  }),
  fault('list-total-of-the-rest', {
    about: 'Later pages count what is left.',
    breaks: ['list.total-counts'],
    patch: paging((page, tasks, query) => {
      const made = page(tasks, query);
      return query.pageToken === undefined ? made : { ...made, totalSize: made.tasks.length };
    }),
  }),
  fault('list-without-limit', {
    about: 'Without a page size everything comes at once.',
    breaks: ['list.default-limit'],
    patch: paging((page, tasks, query) =>
      query.pageSize === undefined && query.contextId === undefined ? many(page(tasks, query), 60) : page(tasks, query),
    ),
  }),
  fault('list-ignores-page-size', {
    about: 'All tasks come in one page, whatever its size.',
    breaks: ['list.page-limit', 'list.page-size'],
    patch: asking(({ pageSize: _, ...query }) => query),
  }),
  fault('list-any-page-size', {
    about: 'Pages may be of any size.',
    breaks: ['list.page-size-range'],
    patch: (inner, world, whole) => ({
      ...overlooking('list', 'pageSize')(inner, world, whole),
      page: (tasks, query) =>
        (query.pageSize ?? 0) > 100 ? many(inner.page(tasks, query), 101) : inner.page(tasks, query),
    }),
  }),
  fault('list-page-size-of-101', {
    about: 'A page size over 100 is used.',
    breaks: ['list.page-size-range'],
    patch: (inner, world, whole) => ({
      ...overlooking('list', 'pageSize')(inner, world, whole),
      page: (tasks, query) => inner.page(tasks, { ...query, pageSize: Math.max(1, query.pageSize ?? 50) }),
    }),
  }),
  fault('list-default-of-100', {
    about: 'Without a page size a page has room for 100 tasks.',
    breaks: ['list.default-limit'],
    patch: asking((query) => ({ ...query, pageSize: query.pageSize ?? 100 })),
  }),
  fault('list-odd-page-size-crashes', {
    about: 'A page size out of range is answered with HTTP 500 and a page.',
    breaks: ['list.page-size-range'],
    patch: replying(isOddSize, errorPage(500)),
  }),
  fault('list-pages-overlap', {
    about: 'Each page begins with the last task of the one before.',
    breaks: ['list.paging'],
    patch: paging((page, tasks, query) => {
      const made = page(tasks, query);
      if (query.pageToken === undefined) return made;
      const { pageToken: _, ...first } = query;
      return { ...made, tasks: [...page(tasks, first).tasks.slice(-1), ...made.tasks].slice(0, query.pageSize) };
    }),
  }),
  fault('list-pages-skip', {
    about: 'Between pages a task is lost.',
    breaks: ['list.paging'],
    patch: paging((page, tasks, query) => {
      const made = page(tasks, query);
      return query.pageToken === undefined ? made : { ...made, tasks: made.tasks.slice(1) };
    }),
  }),
  fault('list-token-ignored', {
    about: 'Every page is the first.',
    breaks: ['list.paging', 'list.last-page'],
    patch: asking(({ pageToken: _, ...query }) => query),
  }),
  fault('list-token-refused', {
    about: 'The tokens that are given out are refused.',
    breaks: ['list.paging'],
    patch: paging((page, tasks, query) => {
      if (query.pageToken !== undefined) throw new RpcFailure('InvalidParams', 'expired', 'pageToken');
      return page(tasks, query);
    }),
  }),
  fault('list-token-without-end', {
    about: 'Every page names a next one.',
    breaks: ['list.last-page'],
    patch: paging((page, tasks, query) => {
      const { pageToken: _, ...first } = query;
      const { nextPageToken } = page(tasks, { ...first, pageSize: 1 });
      const made = page(tasks, query);
      return made.nextPageToken === '' && nextPageToken !== undefined ? { ...made, nextPageToken } : made;
    }),
  }),
  fault('list-bogus-token-is-first-page', {
    about: 'With an unknown token the first page comes.',
    breaks: ['list.unknown-token'],
    patch: asking(({ pageToken, ...query }) =>
      pageToken === undefined || pageToken === 'kit-bogus' ? query : { ...query, pageToken },
    ),
  }),
  fault('list-bad-params-are-internal-errors', {
    about: 'Wrong params of ListTasks are answered with -32603.',
    breaks: ['list.unknown-token', 'list.unknown-state', 'list.history-invalid'],
    patch: mistaking('InvalidParams', 'InternalError', 'list'),
  }),
  fault('list-unknown-state-ignored', {
    about: 'A state that does not exist filters nothing.',
    breaks: ['list.unknown-state'],
    notOver: ['grpc'],
    patch: overlooking('list', 'state'),
  }),
  fault('list-takes-any-history-length', {
    about: 'A negative historyLength is accepted.',
    breaks: ['list.history-invalid'],
    patch: overlooking('list', 'historyLength'),
  }),
  fault('list-forgets-newest', {
    about: 'The newest task is not listed yet.',
    breaks: ['list.has-new-task'],
    patch: paging((page, tasks, query) => page(tasks.slice(0, -1), query)),
  }),
  fault('list-of-what-has-ended', {
    about: 'Only tasks that have ended are listed.',
    breaks: ['list.has-new-task'],
    patch: paging((page, tasks, query) =>
      page(
        tasks.filter(({ status }) => isTerminal(status.state)),
        query,
      ),
    ),
  }),
  fault('list-without-what-is-at-work', {
    about: 'Tasks are listed when they wait or have ended, not while they are at work.',
    breaks: ['list.has-new-task'],
    patch: paging((page, tasks, query) =>
      page(
        tasks.filter(({ status }) => isSettled(status.state)),
        query,
      ),
    ),
  }),
  fault('list-always-empty', {
    about: 'Listings are always empty.',
    breaks: ['list.has-new-task'],
    patch: paging((page, _, query) => page([], query)),
  }),
  fault('list-empty-without-filter', {
    about: 'A listing without a contextId or a state is empty.',
    breaks: ['list.has-new-task'],
    on: 'bearer-required',
    patch: paging((page, tasks, query) =>
      page(query.contextId === undefined && query.state === undefined ? [] : tasks, query),
    ),
  }),
  fault('list-ignores-context', {
    about: 'The context filters nothing.',
    breaks: ['list.context-filter', 'list.unknown-context'],
    patch: asking(({ contextId: _, ...query }) => query),
  }),
  fault('list-unknown-context-refused', {
    about: 'An unknown context is refused.',
    breaks: ['list.unknown-context'],
    patch: paging((page, tasks, query) => {
      const known = query.contextId === undefined || tasks.some(({ contextId }) => contextId === query.contextId);
      if (!known) throw new RpcFailure('InvalidParams', 'no such context', 'contextId');
      return page(tasks, query);
    }),
  }),
  fault('list-oldest-first', {
    about: 'The oldest task comes first.',
    breaks: ['list.order'],
    patch: onPage((page) => edited(page, 'tasks', (tasks) => (Array.isArray(tasks) ? tasks.toReversed() : tasks))),
  }),
  fault('list-order-within-pages', {
    about: 'Pages are cut from the oldest task on, and each is put in order for itself.',
    breaks: ['list.order'],
    patch: paging((page, tasks, { pageSize = 50, pageToken, ...query }) => {
      const { tasks: newest, ...made } = page(tasks, { ...query, pageSize: 100 });
      const at = Number(pageToken ?? 0);
      const end = at + pageSize;
      const shown = newest.toReversed().slice(at, end).toReversed();
      return { ...made, tasks: shown, pageSize, nextPageToken: end < newest.length ? String(end) : '' };
    }),
  }),
  fault('list-in-order-of-ids', {
    about: 'Tasks come in the order of their ids.',
    breaks: ['list.order'],
    patch: paging((page, tasks, query) => {
      const made = page(tasks, query);
      return { ...made, tasks: made.tasks.toSorted((a, b) => (a.id < b.id ? -1 : 1)) };
    }),
  }),
  fault('list-newest-made-first', {
    about: 'Tasks come in the order in which they were made.',
    breaks: ['list.order'],
    patch: paging((page, tasks, query) => {
      const made = page(tasks, query);
      const at = tasks.map(({ id }) => id);
      return { ...made, tasks: made.tasks.toSorted((a, b) => at.indexOf(b.id) - at.indexOf(a.id)) };
    }),
  }),
  fault('list-ignores-state', {
    about: 'The state filters nothing.',
    breaks: ['list.state-filter'],
    patch: asking(({ state: _, ...query }) => query),
  }),
  fault('list-state-finds-nothing', {
    about: 'With a state the listing is empty.',
    breaks: ['list.state-filter'],
    patch: paging((page, tasks, query) => page(query.state === undefined ? tasks : [], query)),
  }),
  fault('list-state-crashes', {
    about: 'A filter by state breaks the agent.',
    breaks: ['list.state-filter'],
    patch: asking((query) => {
      if (query.state !== undefined) throw new RpcFailure('InternalError');
      return query;
    }),
  }),
  fault('list-time-refused', {
    about: 'Times with a Z are refused.',
    breaks: ['list.time-filter'],
    patch: asking((query) => {
      if (query.updatedAfter !== undefined) throw new RpcFailure('InvalidParams');
      return query;
    }),
  }),
  fault('list-filters-are-alternatives', {
    about: 'With a context and a state, tasks that match either are listed.',
    breaks: ['list.filters-combine', 'list.context-filter'],
    patch: paging((page, tasks, { contextId, state, ...query }) =>
      contextId === undefined || state === undefined
        ? page(tasks, {
            ...query,
            ...(contextId === undefined ? {} : { contextId }),
            ...(state === undefined ? {} : { state }),
          })
        : page(
            tasks.filter((task) => task.contextId === contextId || task.status.state === state),
            query,
          ),
    ),
  }),
  fault('list-ignores-time', {
    about: 'The time filters nothing.',
    breaks: ['list.time-filter'],
    patch: asking(({ updatedAfter: _, ...query }) => query),
  }),
  fault('list-ignores-time-at-random', {
    about: 'The same, of an agent that answers with a message now and then.',
    breaks: ['list.time-filter'],
    on: 'message-now-and-then',
    patch: asking(({ updatedAfter: _, ...query }) => query),
  }),
  fault('list-time-turned-around', {
    about: 'The filter by time keeps what is older.',
    breaks: ['list.time-filter'],
    patch: paging((page, tasks, { updatedAfter, ...query }) => {
      const from = Date.parse(updatedAfter ?? '');
      const isOlder = ({ status }: Task): boolean => Date.parse(status.timestamp ?? '') < from;
      return page(updatedAfter === undefined ? tasks : tasks.filter(isOlder), query);
    }),
  }),
  fault('list-always-with-artifacts', {
    about: 'Listed tasks have their artifacts, asked for or not.',
    breaks: ['list.artifacts-omitted'],
    patch: asking((query) => ({ ...query, includeArtifacts: true })),
  }),
  fault('list-artifacts-unless-denied', {
    about: 'Listed tasks have their artifacts unless includeArtifacts is false.',
    breaks: ['list.artifacts-omitted'],
    patch: asking((query) => ({ ...query, includeArtifacts: query.includeArtifacts ?? true })),
  }),
  fault('list-later-pages-with-artifacts', {
    about: 'From the second page on, tasks have their artifacts, though the client did not ask for them.',
    breaks: ['list.artifacts-omitted'],
    patch: asking((query) => (query.pageToken === undefined ? query : { ...query, includeArtifacts: true })),
  }),
  fault('list-of-a-state-with-artifacts', {
    about: 'Listed tasks have their artifacts where a state was asked for.',
    breaks: ['list.artifacts-omitted'],
    patch: asking((query) => (query.state === undefined ? query : { ...query, includeArtifacts: true })),
  }),
  fault('list-empty-artifacts', {
    about: 'Listed tasks have an empty list of artifacts.',
    breaks: ['list.artifacts-omitted'],
    notOver: ['grpc'],
    patch: onPage((page) => edited(page, 'tasks.*', (task) => (isObject(task) ? { artifacts: [], ...task } : task))),
  }),
  fault('list-never-with-artifacts', {
    about: 'Listed tasks never have artifacts.',
    breaks: ['list.artifacts-included'],
    patch: onPage((page) => without(page, 'tasks.*.artifacts')),
  }),
  fault('list-strips-stored-tasks', {
    about: 'Parts that a listing leaves out of a task are deleted from the task.',
    breaks: ['list.changes-nothing'],
    patch: (inner, { store }) => ({
      page(tasks, query) {
        const made = inner.page(tasks, query);
        for (const { id } of query.includeArtifacts === true ? [] : made.tasks) {
          const { artifacts: _, ...bare } = store.get(id) ?? {};
          if (isObject(bare) && 'status' in bare) store.put(bare as unknown as Task);
        }
        return made;
      },
    }),
  }),
  fault('list-never-with-artifacts-asked-for', {
    about: 'Listed tasks never have artifacts, at an agent that makes some only when it is asked for them.',
    breaks: ['list.artifacts-included'],
    on: 'artifacts-when-asked',
    patch: onPage((page) => without(page, 'tasks.*.artifacts')),
  }),
  fault('list-ignores-history-length', {
    about: 'historyLength does nothing in a listing.',
    breaks: ['list.history-length'],
    patch: asking(({ historyLength: _, ...query }) => query),
  }),
  fault('list-ignores-history-length-of-answers', {
    about: 'A listing takes no historyLength but 0, which shows when a task was answered.',
    breaks: ['list.history-length'],
    on: 'keeps-client-messages',
    patch: asking(({ historyLength, ...query }) => (historyLength === 0 ? { ...query, historyLength } : query)),
  }),
];
