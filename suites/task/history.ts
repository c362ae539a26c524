import { isDeepStrictEqual } from 'node:util';
import {
  anyTask,
  check,
  Inconclusive,
  inconclusive,
  isSettled,
  type Judgement,
  type Message,
  type Outcome,
  plural,
  refusedAs,
  type Scene,
  source,
  type Task,
  taskWithHistory,
} from '../../src/kit/index.js';
import { isGone, ofTask } from './answers.js';
import { dialogue, hasBoth, newestOf } from './dialogue.js';

// A2A 0.3 §7.3.1 TaskQueryParams: historyLength; 0 or none may mean anything (AMB03-06). 1.0 §3.2.4: 0 means no
// history.

const oneMessage = source(taskWithHistory.about, async (scene) => {
  const full = await scene.use(taskWithHistory);
  return { full, outcome: await scene.client.call('get', { id: full.id, historyLength: 1 }) };
});

/** The order of a history is not defined. A user first and an agent last show that it is chronological. */
const inOrderOfTime = (history: readonly Message[]): boolean =>
  history[0]?.role === 'user' && history.at(-1)?.role === 'agent';

const isShort = ofTask(({ history = [] }) =>
  history.length <= 1 ? undefined : `the history holds ${history.length} messages`,
);

// In our words (1.0, 3.2.4 History Length Semantics): historyLength N in GetTask returns at most the N newest messages.
export const lengthLimits = check('task/get-history-length', 'get.history-length')
  .given('asked', oneMessage)
  .given('talk', dialogue)
  .when('the client reads a task with historyLength 1', async ({ asked, talk }) => {
    if (!hasBoth(talk)) return asked.outcome;
    const tells = [isShort(talk.newest, undefined), newestOf(talk)].some((judgement) => typeof judgement === 'string');
    return tells ? talk.newest : asked.outcome;
  })
  .expects('show at most one message', isShort)
  .expects('the newest one', (outcome, { asked: { full }, talk }): Judgement => {
    const known = hasBoth(talk) ? newestOf(talk) : inconclusive('no answered task shows its messages');
    if (!(known instanceof Inconclusive)) return known;
    return ofTask((task) => {
      const [given] = task.history ?? [];
      const all = full.history ?? [];
      if (given === undefined || isDeepStrictEqual(given, all.at(-1))) return undefined;
      const isOldest = isDeepStrictEqual(given, all[0]);
      return isOldest && isSettled(full.status.state) && inOrderOfTime(all)
        ? `the message is the oldest one, ${given.messageId}`
        : inconclusive(
            'the message that came is not the last of the whole history, and the specification leaves the order of a history open',
          );
    })(outcome, undefined);
  })
  .advice('historyLength counts from the newest message back.');

const noMessages = source(taskWithHistory.about, async (scene) => {
  const full = await scene.use(taskWithHistory);
  return scene.client.call('get', { id: full.id, historyLength: 0 });
});

// In our words (1.0, 3.2.4 History Length Semantics): historyLength 0 in GetTask shows no message of the history.
export const zeroLimits = check('task/get-history-zero-limit', 'get.history-zero-limit')
  .given('asked', noMessages)
  .when('the client reads a task with historyLength 0', async ({ asked }) => asked)
  .expects(
    'show none',
    ofTask(({ history = [] }) =>
      history.length === 0 ? undefined : `the history holds ${plural(history.length, 'message')}`,
    ),
  )
  .advice(
    'Distinguish 0 from unset: `if (historyLength)` treats 0 as no limit. Over gRPC ask whether the field is there.',
  );

// In our words (1.0, 3.2.4 History Length Semantics): historyLength 0 in GetTask leaves `history` out.
export const zeroOmits = check('task/get-history-zero', 'get.history-zero-none')
  .given('asked', noMessages)
  .when('the client reads a task with historyLength 0', async ({ asked }) => asked)
  .expects(
    'show no member history',
    ofTask(({ history }) =>
      history === undefined ? undefined : `the member history is there, with ${plural(history.length, 'message')}`,
    ),
  )
  .advice('Leave the member out of the answer with historyLength 0, instead of writing an empty list.');

const invalidLength = (historyLength: unknown) =>
  source('a task', async (scene: Scene) => {
    const { id } = await scene.use(anyTask);
    return scene.client.call('get', { id, historyLength }, { invalid: true });
  });

const invalidRefused = (outcome: Outcome<Task>): Judgement =>
  isGone(outcome)
    ? inconclusive('the agent does not find the task, so no history came')
    : refusedAs('InvalidParams', 'InvalidRequest')(outcome);

const readOne = async (scene: Scene): Promise<Outcome<Task>> =>
  scene.client.call('get', { id: (await scene.use(anyTask)).id, historyLength: 1 });

// In our words (1.0, 3.3.2 Error Handling): GetTask with a historyLength that is not a number is refused.
export const typeRefused = check('task/get-history-invalid', 'get.history-invalid')
  .given('outcome', invalidLength('x'))
  .when('the client reads a task with historyLength "x"', async ({ outcome }) => outcome)
  .expects('refuse the call as InvalidParams', invalidRefused)
  .butAccepts('one message', readOne)
  .advice('Check that historyLength is a number before you compute with it, and answer -32602, or 400 over HTTP+JSON.');

// 0.3 does not forbid negative numbers; an example of 1.0 (§6.5) refuses one in a listing.
// In our words (1.0, 3.3.2 Error Handling): GetTask with a negative historyLength is refused.
export const negativeRefused = check('task/get-history-negative', 'get.history-negative')
  .given('outcome', invalidLength(-1))
  .when('the client reads a task with historyLength -1', async ({ outcome }) => outcome)
  .expects('refuse the call as InvalidParams', invalidRefused)
  .butAccepts('one message', readOne)
  .advice('Check that historyLength is 0 or more, and answer invalid params (-32602, 400, INVALID_ARGUMENT).');

/** Read in full, then with fewer messages, and in full again. */
const readAgain = source(taskWithHistory.about, async (scene) => {
  const { full } = await scene.use(oneMessage);
  await scene.use(noMessages);
  return { full, outcome: await scene.client.call('get', { id: full.id, historyLength: 100 }) };
});

const messagesLost = (before: readonly Message[], after: readonly Message[]): Judgement => {
  const kept = new Set(after.map(({ messageId }) => messageId));
  const lost = before.find(({ messageId }) => messageId !== '' && !kept.has(messageId));
  if (lost === undefined) return undefined;
  return `the message ${lost.messageId} is gone: ${plural(before.length, 'message was', 'messages were')} shown before, and ${after.length} now`;
};

// In our words (1.0, 3.3.1 Idempotency): Reading a task, also in part, leaves it unchanged.
export const limitedRead = check('task/limited-read-keeps-history', 'get.reads-change-nothing')
  .given('read', readAgain)
  .when('the client reads a task with historyLength 1, with 0, and without', async ({ read }) => read.outcome)
  .expects(
    'keep the whole history',
    ofTask((task, { read }) => messagesLost(read.full.history ?? [], task.history ?? [])),
  )
  .advice('Cut a copy for the answer, never the stored history.');
