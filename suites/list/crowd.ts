import {
  accepted,
  answerTo,
  describe,
  type EndState,
  endStates,
  ifMet,
  inconclusive,
  isObject,
  isSettled,
  isTerminal,
  type JsonObject,
  type Judgement,
  type ListQuery,
  type Message,
  member,
  modes,
  type Outcome,
  PreconditionUnmet,
  plural,
  promptTo,
  type Result,
  type Scene,
  sendForTask,
  settle,
  settleAfter,
  sleep,
  source,
  type Task,
  type TaskPage,
  type TaskState,
  worst,
} from '../../src/kit/index.js';
import { isGone } from '../task/answers.js';
import { endedIn } from '../task/canceling.js';

// A2A 1.0 §3.1.4: one context with three settled tasks, and what listings show of it. Each listing is requested once.

export const size = 3;

/**
 * The tasks of a context that no other check uses, in the order of creation. Where the agent asks for input, the first
 * task was answered last, so that the newest status is not that of the newest task.
 */
export interface Crowd {
  readonly contextId: string;
  readonly tasks: readonly Task[];
  /** Judges whether the first task was listed while it waited for input; undefined when it did not wait. */
  readonly lostEarly?: Judgement;
  /** A page of one task, listed before the third was made, or before the first was answered. */
  readonly page: Outcome<TaskPage> | undefined;
}

/** `before`: the task that the message answers. */
async function settledBy(scene: Scene, message: Message, before?: Task): Promise<Task> {
  const send = (sent: Message) =>
    scene.client.call(
      'send',
      { message: sent, configuration: { ...modes(scene), blocking: true } },
      { timeoutMs: scene.patienceMs },
    );
  const outcome = await (before === undefined
    ? sendForTask(scene, () => send({ ...message, messageId: scene.uuid() }))
    : send(message));
  if (outcome.kind !== 'result')
    throw new PreconditionUnmet(`the agent did not accept a message: ${describe(outcome)}`);
  const { value } = outcome;
  if (value.type !== 'task')
    throw new PreconditionUnmet(
      'set behaviours.completed to a prompt that becomes a task: the agent answered with a message',
    );
  const { task } = value;
  if (task.id === '' || !task.contextId)
    throw new PreconditionUnmet('the task came without an id, or without a contextId');
  const settled = await (before === undefined ? settle(scene, task) : settleAfter(scene, before, task));
  // A task that still changes may be listed in a state that the kit has not seen.
  if (!isSettled(settled.status.state)) throw new PreconditionUnmet('raise --timeout: a task did not settle in time');
  return settled;
}

/** So long after one task the next one is made, ms: many agents answer within the millisecond of a timestamp. */
const apartMs = 10;

const firstPage = (scene: Scene, contextId: string) => scene.client.call('list', { contextId, pageSize: 1 });

/** One task after the other, so that each has its own timestamp; each is waited for in one call. */
async function crowdAfter(scene: Scene, message: Message): Promise<Crowd> {
  const first = await settledBy(scene, message);
  const contextId = first.contextId ?? '';
  const tasks = [first];
  const waits = first.status.state === 'input-required';
  let page: Outcome<TaskPage> | undefined;
  while (tasks.length < size) {
    if (!waits && tasks.length === size - 1) page = await firstPage(scene, contextId);
    await sleep(scene.clock, apartMs);
    const next = await settledBy(scene, { ...scene.say(), contextId });
    if (next.contextId !== contextId || tasks.some(({ id }) => id === next.id)) {
      throw new PreconditionUnmet('messages with the same contextId did not become tasks of one context');
    }
    tasks.push(next);
  }
  return { contextId, tasks, page };
}

/** A crowd whose first task waits for input until the others exist. */
async function mixedCrowd(scene: Scene): Promise<Crowd> {
  const made = await crowdAfter(scene, await promptTo(scene, 'input-required'));
  const { contextId, tasks } = made;
  const [first, ...others] = tasks;
  if (first?.status.state !== 'input-required') return made;
  const [early, page] = await scene.sideBySide(
    () => pagesOf(scene, { contextId }),
    () => firstPage(scene, contextId),
  );
  const lostEarly = await lostFrom(scene, early, [first]);
  const answered = await settledBy(scene, answerTo(scene, { id: first.id, contextId }), first);
  if (answered.id !== first.id)
    throw new PreconditionUnmet('the answer to a task that waited for input became another task');
  return { contextId, tasks: [answered, ...others], lostEarly, page };
}

export const crowd = source(
  'a context of three tasks',
  async (scene): Promise<Crowd> => (await ifMet(mixedCrowd(scene))) ?? crowdAfter(scene, scene.say()),
);

export const everything = source('a listing of all tasks', (scene: Scene) => scene.client.call('list', {}));

/** The pages of a query, up to the last one or to one page more than there can be. */
async function pagesOf(scene: Scene, query: ListQuery) {
  const pages: Outcome<TaskPage>[] = [];
  let pageToken: string | undefined;
  do {
    const outcome = await scene.client.call('list', pageToken === undefined ? query : { ...query, pageToken });
    pages.push(outcome);
    pageToken = (outcome.kind === 'result' && outcome.value.nextPageToken) || undefined;
  } while (pageToken !== undefined && pages.length <= size);
  return { pages, ended: pageToken === undefined && pages.at(-1)?.kind === 'result' };
}

type Pages = Awaited<ReturnType<typeof pagesOf>>;

/** The status has not changed. A task may go on by itself, e.g. when its user signs in elsewhere (1.0 §7.6.1). */
const isOf = (status: Task['status'], { status: now }: Task): boolean =>
  now.state === status.state && now.timestamp === status.timestamp;

/** The listed tasks have not changed since. A task that changes meanwhile moves, and may be on two pages or on none. */
export const isQuiet = ({ tasks }: Crowd, listed: readonly Task[]): boolean =>
  listed.every((now) => tasks.every(({ id, status }) => id !== now.id || isOf(status, now)));

/** A reason why the task may rightly be missing from the listing; undefined: none. */
async function excuse(scene: Scene, { id, status }: Task): Promise<string | undefined> {
  const now = await scene.client.call('get', { id });
  if (now.kind === 'result') {
    return isOf(status, now.value)
      ? undefined
      : `the task ${id} was ${status.state}, and is now ${now.value.status.state}`;
  }
  const mayHaveEnded = isTerminal(status.state) || status.state === 'auth-required';
  return mayHaveEnded && isGone(now) ? `the task ${id} had ended and is already purged` : undefined;
}

/**
 * Judges wanted tasks that these pages do not show. An agent may list less in a page, and purge ended tasks (§3.3.2).
 */
async function lostFrom(scene: Scene, { pages, ended }: Pages, wanted: readonly Task[]): Promise<Judgement> {
  const shown = new Set(pages.flatMap((page) => (page.kind === 'result' ? page.value.tasks : [])).map(({ id }) => id));
  let open: Judgement;
  for (const task of wanted.filter((task) => !shown.has(task.id))) {
    const { id, status } = task;
    if (!ended)
      return inconclusive(
        `the pages that the kit read (${plural(pages.length, 'page')}) do not show the task ${id}, and more pages exist`,
      );
    const why = await excuse(scene, task);
    if (why === undefined)
      return `the task ${id} is not listed; it is ${status.state} since ${status.timestamp ?? 'some time'}`;
    open ??= inconclusive(why);
  }
  return open;
}

/** A listing of the crowd's context. */
export interface Listing {
  readonly crowd: Crowd;
  readonly pages: readonly Outcome<TaskPage>[];
  /** All pages joined into one; without a first page, the outcome of its request. */
  readonly outcome: Outcome<TaskPage>;
  /** Judges a task that should be listed and is not. */
  readonly lost: Judgement;
  /** How the agent refuses it, though it accepts a listing without a filter. */
  readonly refused?: string;
}

/** A filter is a valid part of the query, so an error that comes with it alone is about the filter. */
async function refusedFor(outcome: Outcome<TaskPage>, scene: Scene): Promise<string | undefined> {
  const why = accepted(outcome);
  if (typeof why !== 'string' || (await scene.use(everything)).kind !== 'result') return undefined;
  return `${why}; a listing without a filter is accepted`;
}

function joined(pages: readonly Outcome<TaskPage>[]): Outcome<TaskPage> | undefined {
  const [first, ...more] = pages;
  if (first?.kind !== 'result') return first;
  const all = [first, ...more.filter((page) => page.kind === 'result')];
  return {
    ...first,
    value: { ...first.value, tasks: all.flatMap(({ value }) => value.tasks) },
    wire: { ...(isObject(first.wire) ? first.wire : {}), tasks: all.flatMap(wireTasks) },
  };
}

/**
 * Makes a source of a listing. The query is added to the contextId of the crowd. `wanted`: the tasks that should match.
 */
export const listing = (
  query: (crowd: Crowd) => Omit<ListQuery, 'contextId'>,
  wanted: (crowd: Crowd) => readonly Task[] = ({ tasks }) => tasks,
) =>
  source(crowd.about, async (scene): Promise<Listing> => {
    const known = await scene.use(crowd);
    const found = await pagesOf(scene, { contextId: known.contextId, ...query(known) });
    const outcome = joined(found.pages);
    if (outcome === undefined) throw new PreconditionUnmet('no page came');
    const lost = outcome.kind === 'result' ? await lostFrom(scene, found, wanted(known)) : undefined;
    const refused = await refusedFor(outcome, scene);
    return { crowd: known, pages: found.pages, outcome, lost, ...(refused === undefined ? {} : { refused }) };
  });

/** All tasks of the context, which are as many as the page holds. */
export const whole = listing(() => ({ pageSize: size }));

/** A state that some of these tasks have, and one that none of them has. */
export const stateOf = ({ tasks }: Crowd): TaskState => tasks[0]?.status.state ?? 'completed';
export const otherThan = ({ tasks }: Crowd): TaskState =>
  (['failed', 'rejected', 'completed'] as const).find((state) => tasks.every(({ status }) => status.state !== state)) ??
  'auth-required';
export const ofState = listing(
  (known) => ({ state: stateOf(known) }),
  (known) => known.tasks.filter(({ status }) => status.state === stateOf(known)),
);
export const ofOtherState = listing(
  (known) => ({ state: otherThan(known) }),
  () => [],
);

/** Judges whether an ended task in this state is listed by it; undefined: it is, or the agent reaches no such task. */
async function shownByState(scene: Scene, state: EndState): Promise<Judgement> {
  const task = await endedIn(scene, state);
  if (!task?.contextId || task.id === '') return undefined;
  const found = await pagesOf(scene, { contextId: task.contextId, state });
  const [first] = found.pages;
  if (first === undefined || first.kind === 'result') return first && lostFrom(scene, found, [task]);
  const why = await refusedFor(first, scene);
  return why === undefined ? inconclusive(describe(first)) : `${state}: ${why}`;
}

/** Judges whether ended tasks of each state that the agent reaches are listed by their state. */
export const inEachState = source('an ended task in each state', async (scene): Promise<Judgement> => {
  const judgements = await scene.sideBySide(...endStates.map((state) => () => shownByState(scene, state)));
  return judgements.find((judgement) => typeof judgement === 'string') ?? worst(judgements);
});

/** The context listed in pages of two. */
export const walk = source(crowd.about, async (scene) => {
  const known = await scene.use(crowd);
  const found = await pagesOf(scene, { contextId: known.contextId, pageSize: 2 });
  const tasks = found.pages.flatMap((page) => (page.kind === 'result' ? page.value.tasks : []));
  return { ...found, tasks, isQuiet: isQuiet(known, tasks), lost: await lostFrom(scene, found, known.tasks) };
});

/** A page of one task, and the page that its token opens after a change of another task; undefined: no such page. */
export const pageApart = source(crowd.about, async (scene) => {
  const { contextId, page } = await scene.use(crowd);
  const pageToken = page?.kind === 'result' ? page.value.nextPageToken : '';
  if (page?.kind !== 'result' || pageToken === '') return undefined;
  return { page, next: await scene.client.call('list', { contextId, pageSize: 1, pageToken }) };
});

/** The tasks as they came on the wire, without those that are not objects. */
export function wireTasks({ wire }: Result<TaskPage>): readonly JsonObject[] {
  const tasks = Array.isArray(wire) ? wire : member(wire, 'tasks');
  return Array.isArray(tasks)
    ? tasks.filter((task): task is JsonObject => typeof task === 'object' && task !== null)
    : [];
}
