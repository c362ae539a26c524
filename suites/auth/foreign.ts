import {
  brief,
  check,
  describe,
  ifMet,
  inconclusive,
  isString,
  isTerminal,
  type Judgement,
  type Outcome,
  PreconditionUnmet,
  refused,
  type Scene,
  sendForTask,
  sendQuick,
  settle,
  source,
  type Task,
  type TaskPage,
} from '../../src/kit/index.js';
import {
  attempt,
  ownOpenTask,
  ownTask,
  ownTaskAlone,
  secondCaller,
  sendAs,
  waits,
  withoutCredentials,
} from '../shared/callers.js';

// A2A 0.3 §4.6; 1.0 §3.3.2, §13.1: a second caller and the tasks of the first. Any refusal passes (AMB10-17).

const second = { credentials: 'second' } as const;

/** HTTP 401 and 403 count as refusals of the task: the agent is known to accept the second caller's credentials. */
const shutOut = (outcome: Outcome<unknown>): Judgement => (outcome.kind === 'denied' ? undefined : refused(outcome));

const advice =
  'The second caller must have no access to what the first one does. If both share it, the agent is right.';

/** Shared: another check judges the form of the refusal. */
const foreignGet = source('a second caller', async (scene): Promise<Outcome<Task>> => {
  const task = await scene.use(ownTask);
  await scene.use(secondCaller);
  return scene.client.call('get', { id: task.id }, second);
});

// In our words (1.0, 13.1 Data Access and Authorization Scoping): GetTask gives an error to a caller without access to
//   the task.
// In our words (1.0, 3.3.2 Error Handling): An authenticated caller lacking permission is refused.
export const getForeign = check('auth/get-foreign', 'get.foreign-refused', 'auth.unpermitted-refused')
  .given('other', secondCaller)
  .given('task', ownTask)
  .given('answer', foreignGet)
  .when('another caller reads a task', async ({ answer }) => answer)
  .butAccepts('the same from its owner', ({ client, task }) => client.call('get', { id: task.id }))
  .expects('refuse the call', shutOut)
  .advice(advice);

/** The agent may have refused a stream later than the kit waited for it. */
const notStreamed = (outcome: Outcome<unknown>): Judgement =>
  outcome.kind === 'invalid-response'
    ? inconclusive(`the agent answered the stream without a refusal: ${describe(outcome)}`)
    : shutOut(outcome);

/** Sends as another caller. If that shows no failure and the card declares streaming, a stream is tried as well. */
const foreignSends = async (scene: Scene & { readonly task: Task }) => {
  const ids = [scene.uuid(), scene.uuid()];
  const tried = (outcome: Outcome<unknown>, judged: Judgement) => ({
    ids,
    outcome,
    judged,
    exhibit: outcome.kind === 'not-sent' ? undefined : outcome.exchange,
  });
  const named = (messageId: string | undefined) => ({ messageId: messageId ?? '', taskId: scene.task.id });
  const sent = await sendAs(scene, 'second', named(ids[0]));
  const judged = shutOut(sent);
  if (typeof judged === 'string' || !scene.card.capabilities.streaming) return tried(sent, judged);
  const message = { ...scene.say(), ...named(ids[1]) };
  const { outcome } = await attempt(scene, 'stream', { message }, second);
  return tried(outcome, notStreamed(outcome) ?? judged);
};

// In our words (1.0, 13.1 Data Access and Authorization Scoping): A caller without access to a task cannot message it.
export const sendForeign = check('auth/send-foreign', 'send.foreign-refused')
  .given('other', secondCaller)
  .given('task', ownTaskAlone)
  .when('another caller sends and streams a message to a task', foreignSends)
  .expects('refuse each message', ({ judged }) => judged)
  .expects('leave the task unchanged', async ({ ids, outcome }, { client, task }) => {
    if (outcome.kind === 'result') return undefined;
    const now = await client.call('get', { id: task.id, historyLength: 100 });
    if (now.kind !== 'result') return inconclusive(`the owner of the task cannot read it afterwards: ${describe(now)}`);
    if (now.value.history?.some((message) => ids.includes(message.messageId)))
      return 'the message stands in its history';
    const { state } = now.value.status;
    if (!waits(task) || state === task.status.state) return undefined;
    const text = `the task was ${task.status.state}, and is now ${state}`;
    // A task in auth-required may go on by itself: its user may have signed in elsewhere (1.0 §7.6.1).
    return task.status.state === 'auth-required' ? inconclusive(text) : text;
  })
  .advice(advice);

/** A message that made a task, and one of another caller under the same messageId. */
const sameId = source('a second caller', async (scene) => {
  await scene.use(secondCaller);
  const message = scene.say();
  const own = await sendForTask(scene, () => sendQuick(scene, message));
  const task = own.kind === 'result' && own.value.type === 'task' ? own.value.task : undefined;
  if (task === undefined || task.id === '')
    throw new PreconditionUnmet(`set behaviours.completed: no task came: ${describe(own)}`);
  return { task, outcome: await sendAs(scene, 'second', { messageId: message.messageId }) };
});

// In our words (1.0, 13.1 Data Access and Authorization Scoping): Authorization is checked before data access.
export const sameMessageId = check('auth/message-id-foreign', 'sec.authorized-first')
  .given('sent', sameId)
  .when('another caller sends a message under a messageId of the first', async ({ sent }) => sent.outcome)
  .expects('answer without the task of the first', (outcome, { sent: { task } }): Judgement => {
    if (outcome.kind !== 'result') return outcome.kind === 'refusal' ? undefined : inconclusive(describe(outcome));
    const { value } = outcome;
    return value.type === 'task' && value.task.id === task.id
      ? `the second caller gets the task ${task.id} of the first`
      : undefined;
  })
  .advice('Look for duplicates among the messages of the same caller only: ids of messages are made by clients.');

/** A message of the first caller, and messages of the second that name its context and its task. */
const namedByOther = source('a second caller', async (scene) => {
  await scene.use(secondCaller);
  // Stands in what the first caller said, and nowhere else.
  const word = `tck-${scene.uuid()}`;
  const said = scene.say();
  const parts = said.parts.map((part) => (part.kind === 'text' ? { ...part, text: `${part.text} ${word}` } : part));
  const message = { ...said, parts };
  const own = await sendForTask(scene, () => sendQuick(scene, message));
  const first = own.kind === 'result' && own.value.type === 'task' ? own.value.task : undefined;
  if (first === undefined || first.id === '')
    throw new PreconditionUnmet(`set behaviours.completed: no task came: ${describe(own)}`);
  const task = await settle(scene, first);
  const named: readonly object[] = [
    ...(task.contextId === undefined ? [] : [{ contextId: task.contextId }]),
    { referenceTaskIds: [task.id] },
  ];
  const seen: Outcome<unknown>[] = [];
  for (const names of named) {
    const outcome = await sendAs(scene, 'second', names);
    seen.push(outcome);
    const id = outcome.kind === 'result' && outcome.value.type === 'task' ? outcome.value.task.id : '';
    if (id !== '' && id !== task.id) seen.push(await scene.client.call('get', { id, historyLength: 100 }, second));
  }
  return { secrets: [word, message.messageId], seen };
});

const shows = (outcome: Outcome<unknown>, secrets: readonly string[]): boolean =>
  outcome.kind === 'result' && secrets.some((secret) => JSON.stringify(outcome.wire ?? '').includes(secret));

// In our words (1.0, 13.1 Data Access and Authorization Scoping): Authorization is checked before data access.
export const namedContext = check('auth/context-foreign', 'sec.authorized-first')
  .given('named', namedByOther)
  .when('another caller names the context and the task of the first in messages', async ({ named }) => {
    const { secrets, seen } = named;
    return seen.find((outcome) => shows(outcome, secrets)) ?? seen[0];
  })
  .expects('show nothing of them', (outcome, { named: { secrets } }): Judgement => {
    if (outcome === undefined) return inconclusive('the kit sent no message as the second caller');
    if (shows(outcome, secrets)) return 'the second caller sees the message of the first';
    return outcome.kind === 'result' || outcome.kind === 'refusal' || outcome.kind === 'denied'
      ? undefined
      : inconclusive(describe(outcome));
  })
  .advice('Check the owner of a context and of each referenced task as you check the owner of a task that is read.');

// In our words (1.0, 13.1 Data Access and Authorization Scoping): A caller without access cannot cancel the task.
export const cancelForeign = check('auth/cancel-foreign', 'cancel.foreign-refused')
  .given('other', secondCaller)
  .given('task', ownOpenTask)
  .when('another caller cancels an open task', ({ client, task }) => client.call('cancel', { id: task.id }, second))
  .expects('refuse the call', shutOut)
  .expects('leave the task open', async (outcome, { client, task }) => {
    if (outcome.kind === 'result') return undefined;
    const now = await client.call('get', { id: task.id });
    if (now.kind !== 'result') return inconclusive(`the owner of the task cannot read it afterwards: ${describe(now)}`);
    const { state } = now.value.status;
    if (state === 'canceled') return 'the task is canceled all the same';
    return isTerminal(state)
      ? inconclusive(`set behaviours.working to longer work: the task ended before the call (${state})`)
      : undefined;
  })
  .advice(advice);

// In our words (1.0, 13.1 Data Access and Authorization Scoping): A caller without access cannot subscribe.
export const subscribeForeign = check('auth/subscribe-foreign', 'sub.foreign-refused')
  .given('other', secondCaller)
  .given('task', ownOpenTask)
  .when('another caller subscribes to a task', async (scene) => {
    const { outcome } = await attempt(scene, 'subscribe', { id: scene.task.id }, second);
    return outcome;
  })
  .expects('refuse the call', shutOut)
  .butAccepts('a subscription of its owner', async (scene) => {
    const { outcome } = await attempt(scene, 'subscribe', { id: scene.task.id }, {});
    return outcome;
  })
  .advice(advice);

/** A configuration that its owner keeps for a moment. The host is unreachable by definition (RFC 6761 §6.4). */
const webhook = { id: 'tck-foreign', url: 'https://webhook.invalid/a2a-tck' };

// In our words (1.0, 13.1 Data Access and Authorization Scoping): A caller without access cannot read, list, create or
//   delete configs.
export const pushForeign = check('auth/push-foreign', 'push.foreign-refused')
  .given('other', secondCaller)
  .given('task', ownTaskAlone)
  .when('another caller reads, lists, sets and deletes push configs of a task', async ({ client, task }) => {
    const taskId = task.id;
    const creation = await client.call('pushSet', { taskId, config: webhook });
    const configId = creation.kind === 'result' ? (creation.value.config.id ?? webhook.id) : webhook.id;
    const seen = {
      reads: await client.call('pushGet', { taskId, configId }, second),
      lists: await client.call('pushList', { taskId }, second),
      sets: await client.call('pushSet', { taskId, config: { ...webhook, id: 'tck-other' } }, second),
      deletes: await client.call('pushDelete', { taskId, configId }, second),
    };
    const kept = await client.call('pushGet', { taskId, configId });
    for (const id of [configId, 'tck-other']) await client.call('pushDelete', { taskId, configId: id });
    return { made: creation, kept, seen };
  })
  .expects('refuse each call', ({ made: creation, kept, seen }) => {
    const { lists, deletes, ...plain } = seen;
    for (const [what, outcome] of Object.entries(plain)) {
      const judgement = shutOut(outcome);
      if (judgement !== undefined) return typeof judgement === 'string' ? `${what}: ${judgement}` : judgement;
    }
    // An empty list shows nothing; deleting a missing configuration may succeed (AMB10-21).
    if (lists.kind === 'result' && lists.value.length > 0) return `lists: ${describe(lists)}`;
    if (creation.kind !== 'result')
      return inconclusive(`the agent keeps no configuration of the owner of the task: ${describe(creation)}`);
    if (deletes.kind === 'result' && kept.kind !== 'result') return 'deletes: the configuration of its owner is gone';
    return kept.kind === 'result'
      ? undefined
      : inconclusive(`the owner of the task cannot read it afterwards: ${describe(kept)}`);
  })
  .advice(advice);

const listsTask = (page: Outcome<TaskPage>, { id }: Task): boolean =>
  page.kind === 'result' && page.value.tasks.some((task) => task.id === id);

// In our words (1.0, 13.1 Data Access and Authorization Scoping): Only tasks visible to the caller are listed.
export const listForeign = check('auth/list-foreign', 'list.foreign-hidden')
  .given('other', secondCaller)
  .given('task', ownTask)
  .when('another caller lists tasks', async ({ client, task }) => {
    const { contextId } = task;
    const all = await client.call('list', { pageSize: 100 }, second);
    const same = contextId === undefined ? all : await client.call('list', { contextId, pageSize: 100 }, second);
    // A pageToken stands for a place in a listing, of either caller.
    const pages: Outcome<TaskPage>[] = [];
    for (const caller of [{}, second]) {
      const page = await client.call('list', { pageSize: 1 }, caller);
      const pageToken = page.kind === 'result' ? page.value.nextPageToken : '';
      if (pageToken !== '' && isString(pageToken))
        pages.push(await client.call('list', { pageSize: 100, pageToken }, second));
    }
    return { answers: [all, same], pages, exhibit: pages.find((page) => listsTask(page, task)) ?? all };
  })
  .expects('not show the task', ({ answers, pages }, { task }) => {
    if (answers.some((answer) => listsTask(answer, task))) return `${task.id} is listed`;
    if (pages.some((page) => listsTask(page, task))) return `${task.id} is listed on the page that a pageToken opens`;
    const open = answers.find((answer) => answer.kind !== 'result');
    // The agent may refuse the context of another caller.
    return open === undefined || open.kind === 'refusal' || open.kind === 'denied' ? undefined : shutOut(open);
  })
  .butAccepts('the same from its owner', async ({ client, task }) => {
    const { contextId } = task;
    const mine = await client.call('list', { ...(contextId === undefined ? {} : { contextId }), pageSize: 100 });
    if (mine.kind !== 'result' || mine.value.tasks.some(({ id }) => id === task.id)) return mine;
    return { kind: 'not-sent', reason: 'the list of its owner does not show it either' };
  })
  .advice(advice);

/** Phrases that reveal that the task exists. */
const confirming =
  /\b(exists|belongs?|owne[rd]|owns|another (user|caller|client|account)|other (user|caller|client)s?|not your|someone else|created by)\b/i;

// In our words (1.0, 3.3.2 Error Handling): Refusals do not reveal that a resource exists.
export const existenceHidden = check('auth/existence-hidden', 'auth.existence-hidden')
  .given('other', secondCaller)
  .given('task', ownTask)
  .given('answer', foreignGet)
  .when('another caller reads a task, and an unknown task', async ({ client, uuid, answer }) => ({
    foreign: answer,
    missing: await client.call('get', { id: uuid() }, second),
  }))
  .expects('not reveal that one of them exists', ({ foreign, missing }, { task }) => {
    if (foreign.kind !== 'refusal' || missing.kind !== 'refusal') {
      // AMB10-17: HTTP 403 passes, whatever the agent answers for missing tasks.
      return foreign.kind === 'denied' ? undefined : (shutOut(foreign) ?? inconclusive(describe(missing)));
    }
    const said = `${foreign.message} ${brief(foreign.data, 2000)}`;
    const tells = confirming.test(said) && !confirming.test(missing.message);
    const shows = (task.contextId?.length ?? 0) >= 8 && said.includes(task.contextId ?? '');
    return tells || shows ? `${describe(foreign)}, and of a missing one: ${describe(missing)}` : undefined;
  })
  .advice('Answer as if the task did not exist.');

/** Reads of a task and of an unknown one without credentials. */
const unknownWithout = source('reads without credentials', async (scene) => {
  const calls = await scene.use(withoutCredentials);
  if (!scene.client.isSomebody || (await ifMet(scene.use(ownTask))) === undefined)
    throw new PreconditionUnmet('give credentials: without them the kit has no task');
  const known = calls.find(({ op }) => op === 'get')?.outcome;
  return { known, unknown: await scene.client.call('get', { id: scene.uuid() }, { credentials: 'none' }) };
});

// In our words (1.0, 3.3.2 Error Handling): Refusals do not reveal that a resource exists.
export const hiddenWithout = check('auth/existence-hidden-unauthenticated', 'auth.existence-hidden')
  .given('reads', unknownWithout)
  .when('the client reads a task, and an unknown task, without credentials', async ({ reads }) => reads.unknown)
  .expects('refuse both in the same way', (unknown, { reads: { known } }): Judgement => {
    if (known === undefined || known.kind === 'not-sent')
      return inconclusive('the kit read no task without credentials');
    if (known.kind === 'result' || unknown.kind === 'result')
      return inconclusive('see auth/missing-refused: a call without credentials was accepted');
    const notFound = (outcome: Outcome<unknown>): boolean =>
      outcome.kind === 'refusal' && outcome.error === 'TaskNotFound';
    if (notFound(known) !== notFound(unknown))
      return `a task that exists is answered with ${describe(known)}, an unknown one with ${describe(unknown)}`;
    return known.kind === 'invalid-response' || unknown.kind === 'invalid-response'
      ? inconclusive(describe(unknown))
      : undefined;
  })
  .advice('Check the credentials before the store is asked: then each id is refused alike.');
