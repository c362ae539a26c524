import {
  describe,
  isSettled,
  type JsonObject,
  type ListQuery,
  member,
  type Outcome,
  type Result,
  type Scene,
  settle,
  source,
  type Task,
  type TaskPage,
  Unreached,
} from '../../src/kit/index.js';

// A2A 1.0 §3.1.4: one context of three tasks that have settled, and what listings show of it. Each is asked once.

export const size = 3;

/** The tasks of a context that nobody else uses, in the order in which they were made. */
export interface Crowd {
  readonly contextId: string;
  readonly tasks: readonly Task[];
}

async function another(scene: Scene, contextId: string | undefined): Promise<Task> {
  const { outputModes } = scene.card;
  const outcome = await scene.client.call(
    'send',
    {
      message: { ...scene.say(), ...(contextId === undefined ? {} : { contextId }) },
      configuration: {
        blocking: true,
        acceptedOutputModes: outputModes.length > 0 ? [...outputModes] : ['text/plain'],
      },
    },
    { timeoutMs: scene.patienceMs },
  );
  if (outcome.kind !== 'result') throw new Unreached(`a message was not accepted: ${describe(outcome)}`);
  const { value } = outcome;
  if (value.type !== 'task') throw new Unreached('the agent answered with a message and made no task');
  const { task } = value;
  if (task.id === '' || !task.contextId) throw new Unreached('the task came without an id, or without a contextId');
  const settled = await settle(scene, task);
  // What still changes would be listed as nobody has seen it.
  if (!isSettled(settled.status.state)) throw new Unreached('a task did not settle in time; raise --timeout');
  return settled;
}

/** One after the other, so that each has a time of its own; waited for in one call each. */
export const crowd = source('a context of three tasks', async (scene): Promise<Crowd> => {
  const first = await another(scene, undefined);
  const contextId = first.contextId ?? '';
  const tasks = [first];
  while (tasks.length < size) {
    const next = await another(scene, contextId);
    if (next.contextId !== contextId || tasks.some(({ id }) => id === next.id)) {
      throw new Unreached('messages with the same contextId did not become tasks of one context');
    }
    tasks.push(next);
  }
  return { contextId, tasks };
});

export const everything = source('a listing of all tasks', (scene: Scene) => scene.client.call('list', {}));

/** A listing of that context, and what was asked for. */
export interface Listing {
  readonly crowd: Crowd;
  readonly outcome: Outcome<TaskPage>;
}

/** Reads after "Given": the crowd; the query is added to its contextId. */
export const listing = (query: (crowd: Crowd) => Omit<ListQuery, 'contextId'>) =>
  source(crowd.about, async (scene): Promise<Listing> => {
    const known = await scene.use(crowd);
    return { crowd: known, outcome: await scene.client.call('list', { contextId: known.contextId, ...query(known) }) };
  });

export const whole = listing(() => ({}));

/** Pages of two, up to the end or to one page more than there can be. */
export const walk = source(crowd.about, async (scene) => {
  const known = await scene.use(crowd);
  const pages: Outcome<TaskPage>[] = [];
  let pageToken = '';
  do {
    const page = { contextId: known.contextId, pageSize: 2, ...(pageToken === '' ? {} : { pageToken }) };
    const outcome = await scene.client.call('list', page);
    pages.push(outcome);
    pageToken = outcome.kind === 'result' ? (outcome.value.nextPageToken ?? '') : '';
  } while (pageToken !== '' && pages.length <= size);
  return { crowd: known, pages, ended: pageToken === '' };
});

/** The tasks as they came; what is no object was left out. */
export function wireTasks({ wire }: Result<TaskPage>): readonly JsonObject[] {
  const tasks = member(wire, 'tasks');
  return Array.isArray(tasks) ? tasks.filter((one): one is JsonObject => typeof one === 'object' && one !== null) : [];
}
