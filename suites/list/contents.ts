import {
  aTaskWith,
  check,
  Inconclusive,
  ifMet,
  inconclusive,
  type Judgement,
  type Outcome,
  PreconditionUnmet,
  plural,
  promptTo,
  type Result,
  type Scene,
  sendForTask,
  sendQuick,
  settle,
  source,
  type TaskPage,
  worst,
} from '../../src/kit/index.js';
import { dialogue, hasBoth } from '../task/dialogue.js';
import { listing, ofState, walk, whole, wireTasks } from './crowd.js';
import { notListed, ofPage } from './shown.js';

// A2A 1.0 §3.1.4 includeArtifacts, §3.2.4 History Length Semantics.

// Each listing asks for two things, to save requests.
const withArtifacts = listing(() => ({ includeArtifacts: true, historyLength: 1 }));
const withoutArtifacts = listing(() => ({ includeArtifacts: false, historyLength: 0 }));

function shownIn(page: Result<TaskPage>): Judgement {
  const found = wireTasks(page).find((task) => Object.hasOwn(task, 'artifacts'));
  return found && `the task ${String(found['id'])} has the member artifacts`;
}

const noneShown = ofPage((_, { tasks }, result): Judgement => {
  const shown = shownIn(result);
  if (shown !== undefined) return shown;
  const made = tasks.some(({ artifacts = [] }) => artifacts.length > 0);
  return made ? undefined : inconclusive('set behaviours.completed: the tasks have no artifacts');
});

/** The judgement of the first of these pages that shows artifacts. */
function firstShown(pages: readonly Outcome<TaskPage>[]): Judgement {
  const judged = pages.map((page) => (page.kind === 'result' ? shownIn(page) : undefined));
  return judged.find((judgement) => judgement !== undefined);
}

// In our words (1.0, 3.1.4 List Tasks): With includeArtifacts unset or false the `artifacts` member is absent from
//   every task.
export const artifactsOmitted = check('list/artifacts-omitted', 'list.artifacts-omitted')
  .given('unsaid', whole)
  .given('denied', withoutArtifacts)
  .given('walked', walk)
  .given('filtered', ofState)
  .when(
    'the client lists tasks without includeArtifacts, or with false',
    async ({ unsaid, denied, walked, filtered }) => ({ unsaid, denied, walked, filtered }),
  )
  .expects(
    'leave out the member artifacts',
    ({ unsaid, denied, walked, filtered }) =>
      firstShown([...walked.pages, filtered.outcome]) ?? noneShown(unsaid) ?? noneShown(denied),
  )
  .advice('Leave the member out: neither an empty list nor null stands in its place.');

/** A context with a task that was seen with an artifact, listed with artifacts. */
const askedFor = source('a task with an artifact', async (scene: Scene) => {
  for (const goal of ['artifact-text', 'artifact-data', 'artifact-file', 'artifact-file-uri'] as const) {
    const task = await ifMet(scene.use(aTaskWith(goal)));
    if (!task?.contextId) continue;
    const { contextId } = task;
    return { task, outcome: await scene.client.call('list', { contextId, includeArtifacts: true }) };
  }
  return undefined;
});

const bare = (page: TaskPage, made: ReadonlySet<string>): Judgement => {
  const task = page.tasks.find(({ id, artifacts = [] }) => made.has(id) && artifacts.length === 0);
  return task && `the artifacts of the task ${task.id} are not shown`;
};

// In our words (1.0, 3.1.4 List Tasks): includeArtifacts true returns the artifacts.
export const artifactsIncluded = check('list/artifacts-included', 'list.artifacts-included')
  .given('listed', withArtifacts)
  .when('the client lists tasks with includeArtifacts true', async ({ listed }) => listed)
  .expects('show the artifacts', async (listed, { use }): Promise<Judgement> => {
    const judged = ofPage((page, { tasks }, _, lost): Judgement => {
      const made = new Set(tasks.flatMap(({ id, artifacts = [] }) => (artifacts.length > 0 ? [id] : [])));
      if (made.size === 0) return inconclusive('set behaviours.artifact-text: the tasks have no artifacts');
      // list/has-new-task judges whether the task is listed at all.
      return bare(page, made) ?? (typeof lost === 'string' ? inconclusive(lost) : lost);
    })(listed);
    if (!(judged instanceof Inconclusive)) return judged;
    const asked = await use(askedFor);
    if (asked?.outcome.kind !== 'result') return judged;
    const { tasks } = asked.outcome.value;
    return tasks.some(({ id }) => id === asked.task.id) ? bare(asked.outcome.value, new Set([asked.task.id])) : judged;
  })
  .advice('Read includeArtifacts, and load artifacts for the listing where it is true.');

/** A listing of the context of the answered task, with one history message per task. */
const answeredListed = source('a task that asked and was answered', async (scene) => {
  const talk = await scene.use(dialogue);
  if (!hasBoth(talk) || talk.contextId === undefined) return undefined;
  return scene.client.call('list', { contextId: talk.contextId, historyLength: 1 });
});

const longIn = (page: TaskPage, most: number): Judgement => {
  const long = page.tasks.find(({ history = [] }) => history.length > most);
  return long === undefined
    ? undefined
    : `asked for ${most}, the task ${long.id} shows ${plural(long.history?.length ?? 0, 'message')}`;
};

// In our words (1.0, 3.2.4 History Length Semantics): historyLength bounds the history of every listed task.
export const historyLength = check('list/history-length', 'list.history-length')
  .given('unsaid', whole)
  .given('none', withoutArtifacts)
  .given('one', withArtifacts)
  .given('answered', answeredListed)
  .when('the client lists tasks with historyLength 0 and 1', async ({ none, one }) => ({ none, one }))
  .expects('show at most that many messages', ({ none, one }, { unsaid, answered }) => {
    const judged = [ofPage((page) => longIn(page, 0))(none), ofPage((page) => longIn(page, 1))(one)];
    const shown = answered?.kind === 'result' ? answered.value : undefined;
    if (shown !== undefined) judged.push(longIn(shown, 1));
    const judgement = worst(judged);
    if (judgement !== undefined || shown?.tasks.some(({ history = [] }) => history.length > 0)) return judgement;
    return ofPage((page) =>
      page.tasks.some(({ history = [] }) => history.length > 1)
        ? undefined
        : inconclusive('the agent never lists a history of several messages'),
    )(unsaid);
  })
  .advice('Cut the history of each listed task, in a copy, from the newest message back. 0 leaves none.');

/** A task that no other listing of a context has shown, read before and after one without its artifacts. */
const readAfter = source('a task that was listed', async (scene: Scene) => {
  const talk = await scene.use(dialogue);
  const listed = await scene.use(answeredListed);
  const read = (id: string) => scene.client.call('get', { id, historyLength: 100 });
  if (hasBoth(talk) && listed !== undefined && talk.whole.kind === 'result')
    return { before: talk.whole, listed, after: await read(talk.whole.value.id) };
  const outcome = await sendForTask(scene, async () => sendQuick(scene, await promptTo(scene, 'completed')));
  if (outcome.kind !== 'result' || outcome.value.type !== 'task')
    throw new PreconditionUnmet('the prompt made no task');
  const { id, contextId = '' } = await settle(scene, outcome.value.task);
  const before = await read(id);
  const bare = await scene.client.call('list', { contextId, includeArtifacts: false, historyLength: 0 });
  return { before, listed: bare, after: await read(id) };
});

// In our words (1.0, 3.3.1 Idempotency): Listing tasks, also without artifacts and history, leaves them unchanged.
export const listingKeeps = check('list/listing-keeps-tasks', 'list.changes-nothing')
  .given('read', readAfter)
  .when(
    'the client reads a task that a listing showed without artifacts and with less history',
    async ({ read }) => read.after,
  )
  .expects('show the whole task', (after, { read: { before, listed } }): Judgement => {
    if (listed.kind !== 'result') return inconclusive(notListed(listed));
    if (before.kind !== 'result' || after.kind !== 'result')
      return inconclusive('the agent did not show the task twice');
    const shown = [before.value, after.value].map(({ artifacts = [], history = [] }) => ({
      artifacts: artifacts.length,
      messages: history.length,
    }));
    const [first = { artifacts: 0, messages: 0 }, again = first] = shown;
    if (first.artifacts + first.messages === 0)
      return inconclusive('set behaviours.artifact-text: the task shows neither artifacts nor a history');
    if (again.artifacts < first.artifacts)
      return `of ${plural(first.artifacts, 'artifact')} ${again.artifacts} are left`;
    return again.messages < first.messages
      ? `of ${plural(first.messages, 'message')} ${again.messages} are left`
      : undefined;
  })
  .advice('Leave parts out of a copy for the answer, never out of what is stored.');
