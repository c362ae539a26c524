import {
  accepted,
  check,
  firstAnswer,
  ifMet,
  inconclusive,
  type Judgement,
  PreconditionUnmet,
  plural,
  type Scene,
  source,
  type Task,
  type TaskState,
} from '../../src/kit/index.js';
import { type LeftAlone, leftAlone } from '../task/at-work.js';
import {
  type Crowd,
  everything,
  inEachState,
  isQuiet,
  type Listing,
  listing,
  ofOtherState,
  ofState,
  otherThan,
  stateOf,
  walk,
  whole,
} from './crowd.js';
import { idsOf, nothingLost, notListed, ofPage } from './shown.js';

// A2A 1.0 §3.1.4 List Tasks: what is listed, and in which order.

/** The task was read before and after the listing, and is not listed. */
function lostAtWork({ reads, listed }: LeftAlone): Judgement {
  const [first, ...later] = reads.flatMap(({ outcome }) => (outcome.kind === 'result' ? [outcome.value] : []));
  if (first === undefined || later.length === 0 || listed?.kind !== 'result' || listed.value.nextPageToken !== '')
    return;
  const { id, status } = first;
  return listed.value.tasks.some((task) => task.id === id)
    ? undefined
    : `the task ${id} is not listed while it is ${status.state}`;
}

// In our words (1.0, 3.1.4 List Tasks): A task just created is listed.
export const hasNewTask = check('list/has-new-task', 'list.has-new-task')
  .given('listed', whole)
  .given('work', leftAlone)
  .when('the client lists a context with new tasks', async ({ listed }) => listed)
  .expects('show new tasks', nothingLost)
  .expects('tasks that wait', ({ outcome, crowd: { lostEarly } }) =>
    outcome.kind === 'result' && typeof lostEarly === 'string' ? lostEarly : undefined,
  )
  .expects(
    'tasks at work',
    (_, { work }) => lostAtWork(work),
    ({ work }) => work,
  )
  .advice(
    'List from the store into which each task is put when it is made: not from an index that is filled later, or when a task ends.',
  );

// In our words (1.0, 3.1.4 List Tasks): A task just created is listed.
export const withoutFilter = check('list/without-filter', 'list.has-new-task')
  .given('listed', whole)
  .when('the client lists all tasks', async ({ client, use }) => {
    // Asked for before there was a task, perhaps.
    const all = await use(everything);
    return all.kind === 'result' && all.value.tasks.length > 0 ? all : client.call('list', {});
  })
  .expects('show at least one of them', (all, { listed: { outcome }, card }): Judgement => {
    if (all.kind !== 'result') return inconclusive(notListed(all));
    if (outcome.kind !== 'result') return inconclusive(notListed(outcome));
    const { length } = outcome.value.tasks;
    // list/has-new-task judges a context without tasks. A filter only takes tasks away.
    if (length === 0 || all.value.tasks.length > 0) return undefined;
    const found = `no task came, and a listing of one context has ${plural(length, 'task')}`;
    // AMB10-68.
    return card.security.length > 0 ? found : inconclusive(`declare security in the card: ${found}`);
  })
  .advice(
    'Take the conditions of the query as optional: a listing without any shows each task that the caller may see.',
  );

/** A task of another context; undefined when the agent makes no tasks. */
const stranger = source('a task of another context', async (scene: Scene): Promise<Task | undefined> => {
  const reply = await ifMet(scene.use(firstAnswer));
  return reply?.type === 'task' ? reply.task : undefined;
});

/** A listing of what the contextId of the crowd begins with. */
const shortened = source('a listing of a shortened contextId', async (scene: Scene) => {
  const contextId = (await scene.use(whole)).crowd.contextId.slice(0, -1);
  return { contextId, outcome: contextId === '' ? undefined : await scene.client.call('list', { contextId }) };
});

// In our words (1.0, 3.1.4 List Tasks): contextId filters to that context.
export const contextFilter = check('list/context-filter', 'list.context-filter')
  .given('listed', whole)
  .given('other', stranger)
  .given('part', shortened)
  .when('the client lists one context', async ({ listed }) => listed)
  .expects('accept the filter', ({ refused }) => refused)
  .expects('show no task of another context', (listed, { other }) =>
    ofPage((page, { contextId }) => {
      const foreign = page.tasks.find((task) => task.contextId !== undefined && task.contextId !== contextId);
      if (foreign !== undefined) return `the task ${foreign.id} is of the context ${foreign.contextId}`;
      if (other !== undefined && other.contextId !== contextId && idsOf(page).includes(other.id)) {
        return `the task ${other.id} is of another context`;
      }
      const { lost } = listed;
      if (lost !== undefined) return typeof lost === 'string' ? inconclusive(lost) : lost;
      return other === undefined ? inconclusive('the agent has no task of another context') : undefined;
    })(listed),
  )
  .expects(
    'none for a part of its id',
    (_, { part: { contextId, outcome } }) => {
      // list/unknown-context judges a refusal.
      const wrong =
        outcome?.kind === 'result' ? outcome.value.tasks.find((task) => task.contextId !== contextId) : undefined;
      return wrong && `asked for ${contextId}, the task ${wrong.id} is of the context ${wrong.contextId ?? 'none'}`;
    },
    ({ part }) => part.outcome,
  )
  .advice('Hand contextId on to the query of the store. Over HTTP+JSON it comes in the query string, in camelCase.');

// In our words (1.0, 3.1.4 List Tasks): An unknown contextId gives an empty list.
export const unknownContext = check('list/unknown-context', 'list.unknown-context')
  .given('all', everything)
  .when('the client lists a context that does not exist', ({ client, uuid }) =>
    client.call('list', { contextId: uuid() }),
  )
  .expects('show an empty list', (outcome, { all }): Judgement => {
    // An agent that lists nothing says nothing about contexts.
    if (outcome.kind === 'refusal' && all.kind === 'result') return accepted(outcome);
    if (outcome.kind !== 'result') return inconclusive(notListed(outcome));
    const { tasks, totalSize = 0 } = outcome.value;
    return tasks.length === 0 && totalSize === 0
      ? undefined
      : `${plural(tasks.length, 'task')} came, and totalSize is ${totalSize}`;
  })
  .advice('Answer with "tasks": [] and "totalSize": 0: the answer must not reveal whether a context exists.');

const timeOf = ({ status }: Task): number => Date.parse(status.timestamp ?? '');

/** AMB10-14: compares only neighbours that both have a time, in a context where no task changes any more. */
function olderFirst(tasks: readonly Task[]): string | undefined {
  const known = tasks.map((task) => ({ id: task.id, at: timeOf(task) })).filter(({ at }) => !Number.isNaN(at));
  const wrong = known.find(({ at }, index) => index > 0 && at > (known[index - 1]?.at ?? at));
  return wrong && `the task ${wrong.id} is newer than the one before it`;
}

// In our words (1.0, 3.1.4 List Tasks): Tasks are ordered by status timestamp, newest first.
export const order = check('list/order', 'list.order')
  .given('listed', whole)
  .given('walked', walk)
  .when('the client lists a context, at once and in pages', async ({ listed }) => listed)
  .expects(
    'show the newest status first across pages',
    (_, { walked: { tasks, isQuiet: quiet } }) => {
      // list/pages judges duplicates.
      const shown = tasks.filter(({ id }, at) => tasks.findIndex((task) => task.id === id) === at);
      return quiet ? olderFirst(shown) : inconclusive('run again: a task changed while the kit read the pages');
    },
    ({ walked }) => walked,
  )
  .expects(
    'in one page',
    ofPage((page, known) => {
      const wrong = olderFirst(page.tasks);
      if (wrong !== undefined)
        return isQuiet(known, page.tasks) ? wrong : inconclusive('run again: a task changed between the calls');
      const differ = new Set(page.tasks.map(timeOf).filter((at) => !Number.isNaN(at))).size > 1;
      return differ ? undefined : inconclusive('the listed tasks have no different timestamps');
    }),
  )
  .advice(
    'Order by status.timestamp before pages are cut, and set that time with each new state: ids and times of creation give another order.',
  );

const ofStateOnly = (listed: Listing, wanted: TaskState): Judgement =>
  listed.refused ??
  ofPage((page) => {
    const wrong = page.tasks.find(({ status }) => status.state !== wanted);
    return wrong === undefined ? undefined : `asked for ${wanted}, the task ${wrong.id} is ${wrong.status.state}`;
  })(listed);

// In our words (1.0, 3.1.4 List Tasks): status filters to tasks in that state.
export const stateFilter = check('list/state-filter', 'list.state-filter')
  .given('each', inEachState)
  .given('other', ofOtherState)
  .given('own', ofState)
  .when('the client filters a list by state', async ({ own, other }) => ({ own, other }))
  .expects(
    'show those only',
    ({ own, other }) => ofStateOnly(other, otherThan(other.crowd)) ?? ofStateOnly(own, stateOf(own.crowd)),
    ({ own, other }) => (ofStateOnly(other, otherThan(other.crowd)) === undefined ? own : other).outcome,
  )
  .expects('show all of those', ({ own }) => nothingLost(own))
  .expects('do so in each state', (_, { each }) => each)
  .advice('Compare with the stored state: status comes as TASK_STATE_COMPLETED, over gRPC as its number.');

// In our words (1.0, 3.1.4 List Tasks): Filters combine with AND.
export const combined = check('list/filters-combine', 'list.filters-combine')
  .given('own', ofState)
  .when('the client filters a list by context and state', async ({ own }) => own)
  .expects(
    'show only tasks that match both',
    ofPage((page, known) => {
      const wrong = page.tasks.find(
        ({ contextId = known.contextId, status }) => contextId !== known.contextId || status.state !== stateOf(known),
      );
      if (wrong !== undefined) return `the task ${wrong.id} is ${wrong.status.state}, in ${wrong.contextId}`;
      return page.tasks.length > 0 ? undefined : inconclusive('the agent listed no task');
    }),
  )
  .advice('Join the conditions of the query with AND.');

/** A time between the first and the second of three. Tasks with exactly the filter's time are left open (AMB10-38). */
function between({ tasks }: Crowd): string {
  const times = tasks.map(({ status }) => Date.parse(status.timestamp ?? '')).sort((a, b) => a - b);
  const [first = Number.NaN, second = Number.NaN] = times;
  if (!(second - first >= 2))
    throw new PreconditionUnmet('the timestamps of the first two tasks do not differ by 2 ms or more');
  return new Date((first + second) / 2).toISOString();
}
/** The latest time that a shown one can stand for, ms: an agent may show whole seconds, and compare finer ones. */
const latestOf = (task: Task): number => timeOf(task) + (/[.,]\d/.test(task.status.timestamp ?? '') ? 0 : 999);

/** In pages of one task: the filter holds on each. */
const since = listing(
  (known) => ({ updatedAfter: between(known), pageSize: 1 }),
  (known) => known.tasks.filter((task) => timeOf(task) >= Date.parse(between(known))),
);

/** The second in which the oldest task changed, written without a fraction. */
const wholeSecond = ({ tasks }: Crowd): string => {
  const oldest = Math.min(...tasks.map(timeOf));
  if (Number.isNaN(oldest))
    throw new PreconditionUnmet(
      'set status.timestamp in each task: the listed tasks have none, so no time lies between them',
    );
  return new Date(oldest - (oldest % 1000)).toISOString().replace('.000Z', 'Z');
};
// AMB10-38: tasks of exactly that time may be missing.
const sinceSecond = listing(
  (known) => ({ updatedAfter: wholeSecond(known) }),
  (known) => known.tasks.filter((task) => timeOf(task) > Date.parse(wholeSecond(known))),
);

// In our words (1.0, 3.1.4 List Tasks): statusTimestampAfter keeps tasks with a later status time only.
export const timeFilter = check('list/time-filter', 'list.time-filter')
  .given('since', since)
  .given('seconds', sinceSecond)
  .when('the client filters a list by a time between two tasks', async ({ since: listed }) => listed)
  .expects('accept the filter', ({ refused }) => refused)
  .expects(
    'show only later tasks',
    ofPage((page, known, _, lost) => {
      const from = between(known);
      const listedAs = ({ id }: Task) => page.tasks.find((task) => task.id === id);
      // Uses the tasks as listed, since they may have changed after creation. If the listing has no times, the task as
      // it was known before is used.
      const shown = known.tasks.flatMap((task) => {
        const listed = listedAs(task);
        return listed === undefined ? [] : [listed.status.timestamp === undefined ? task : listed];
      });
      const early = shown.find((task) => latestOf(task) < Date.parse(from));
      if (early !== undefined) return `the task ${early.id} is of ${early.status.timestamp}, before ${from}`;
      const isTold = known.tasks.some((task) => latestOf(task) < Date.parse(from));
      return (
        lost ??
        (isTold ? undefined : inconclusive('the agent shows whole seconds, and its tasks changed within one second'))
      );
    }),
  )
  .expects(
    'read whole seconds',
    (_, { seconds }) => seconds.refused ?? nothingLost(seconds),
    ({ seconds }) => seconds.outcome,
  )
  .advice('Keep tasks whose status.timestamp is later than statusTimestampAfter: compare times, not texts.');
