import {
  type Credentials,
  check,
  describe,
  evidence,
  inconclusive,
  type Judgement,
  madeUp,
  member,
  NotApplicable,
  type Operation,
  type Outcome,
  repliesOf,
  type Scene,
  type Task,
} from '../../src/kit/index.js';
import {
  type Attempt,
  attempt,
  keptOut,
  ownOpenTask,
  required,
  sendAs,
  someTaskId,
  withoutCredentials,
  wrongPrefix,
} from '../shared/callers.js';

// A2A 0.3 §4.4, 1.0 §7.4, §3.3.2: every incoming request is authenticated as the card declares.

/** Refusals count only if the agent lets some caller in; `standing` checks that for the whole run. */
const isKnown = ({ client }: Scene): boolean => client.isSomebody;

// In our words (1.0, 7.4 Server Authentication Responsibilities): A request without credentials is refused when the
//   card requires some.
export const missingRefused = check('auth/missing-refused', 'auth.missing-refused')
  .given('calls', withoutCredentials)
  .when('the client sends a message, reads a task and cancels it without credentials', async ({ calls }) => calls)
  .expects('refuse each call', (calls, scene) => keptOut(calls, isKnown(scene)))
  .advice('The card demands credentials, and the call was carried out without. Check every request before its method.');

// The document of OpenClaw, Configuration Schema: the same sentence, at another level.
// In our words (OpenClaw, Configuration Schema): Direct mode is guarded by an API key or a bearer token when auth is
//   configured.
export const keyWanted = check('auth/api-key', 'auth.api-key')
  .given('calls', withoutCredentials)
  .when('the client calls without the key that the card asks for', async ({ calls }) => calls)
  .expects('refuse each call', (calls, scene) => keptOut(calls, isKnown(scene)))
  .advice('The card names authentication.schemes: check every request for the key or the token before its method.');

/** The operations beyond the three basic ones that the card offers, each with valid params. */
function others({ card, client }: Scene, id: string, say: Scene['say']): readonly (readonly [Operation, object])[] {
  const { streaming, push } = card.capabilities;
  const config = { id: 'tck', url: 'https://webhook.invalid/a2a-tck' };
  const all: readonly (readonly [Operation, boolean, object])[] = [
    ['stream', streaming, { message: say() }],
    ['subscribe', streaming, { id }],
    ['list', true, { pageSize: 1 }],
    ['pushSet', push, { taskId: id, config }],
    ['pushGet', push, { taskId: id, configId: config.id }],
    ['pushList', push, { taskId: id }],
    ['pushDelete', push, { taskId: id, configId: config.id }],
  ];
  return all.flatMap(([op, offered, params]) =>
    offered && client.dialect.operations[op] !== undefined ? [[op, params] as const] : [],
  );
}

// In our words (1.0, 7.4 Server Authentication Responsibilities): Every operation is covered, streaming, lists and push
//   configs included.
export const everyOperation = check('auth/every-operation', 'auth.every-operation')
  .when('the client calls every other operation without credentials', async (scene): Promise<readonly Attempt[]> => {
    required(scene.card);
    const id = await someTaskId(scene);
    const calls: Attempt[] = [];
    for (const [op, params] of others(scene, id, scene.say)) {
      const made = await attempt(scene, op, params, { credentials: 'none' });
      // An operation that the agent does not have needs no authentication.
      const { outcome } = made;
      if (outcome.kind !== 'refusal' || outcome.error !== 'MethodNotFound') calls.push(made);
    }
    if (calls.length === 0)
      throw new NotApplicable('the agent offers no operation beyond sending, reading and canceling');
    return calls;
  })
  .expects('refuse each call', (calls, scene) => keptOut(calls, isKnown(scene)))
  .advice(
    'Authenticate before the method is looked at, in one place for all: a list of protected methods lacks the newest ones.',
  );

const isCanceled = (read: Outcome<Task>): boolean => read.kind === 'result' && read.value.status.state === 'canceled';

// In our words (1.0, 7.4 Server Authentication Responsibilities): Calls of a batch and calls without an id are
//   authenticated as well.
export const envelopes = check('auth/batch', 'auth.envelopes')
  .given('task', ownOpenTask)
  .when('without credentials the client reads a task in a batch, and cancels it without an id', async (scene) => {
    required(scene.card);
    const { client, task } = scene;
    const { get, cancel } = client.dialect.operations;
    const how = { credentials: 'none', invalid: true } as const;
    const { id } = task;
    const batch = await client.rpc(
      [{ jsonrpc: '2.0', id: 'tck-batch', method: get?.rpc, params: get?.params.encode({ id }) }],
      how,
    );
    await client.rpc({ jsonrpc: '2.0', method: cancel?.rpc, params: cancel?.params.encode({ id }) }, how);
    const after = await client.call('get', { id });
    const shown = isCanceled(after) ? after : batch;
    return { batch, after, exhibit: shown.kind === 'not-sent' ? undefined : shown.exchange };
  })
  .expects('not show the task', ({ batch }): Judgement => {
    if (batch.kind === 'not-sent') return inconclusive(batch.reason);
    const [reply] = repliesOf(batch.exchange);
    const value = reply?.type === 'json' ? reply.value : undefined;
    const isDone = (Array.isArray(value) ? value : [value]).some((item) => member(item, 'result') !== undefined);
    return isDone ? evidence(batch.exchange) : undefined;
  })
  .expects('not cancel it', ({ after }): Judgement => {
    if (after.kind !== 'result') return inconclusive(`the owner of the task cannot read it: ${describe(after)}`);
    return isCanceled(after) ? 'a call without an id canceled the task' : undefined;
  })
  .advice('Authenticate the HTTP request before its body is read: then it does not matter how many calls are in it.');

/** The bearer token of the caller with one more letter, and none after the name of the scheme. */
function spoilt({ client }: Scene): readonly Credentials[] {
  const { headers, query } = client.own;
  const given = headers.find(([name, value]) => /^authorization$/i.test(name) && /^bearer \S/i.test(value));
  if (given === undefined) return [];
  const [scheme = ''] = given[1].split(' ', 1);
  return [`${given[1].trim()}x`, scheme].map((value) => ({
    query,
    headers: headers.map((header) => (header === given ? [header[0], value] : header)),
  }));
}

/** At most so many alternatives are tried: each costs a request. */
const most = 3;

// In our words (1.0, 3.3.2 Error Handling): Invalid credentials are refused.
export const invalidRefused = check('auth/invalid-refused', 'auth.invalid-refused')
  .when('the client sends a message and reads a task with wrong credentials', async (scene) => {
    const { card, uuid } = scene;
    const wrong = required(card)
      .slice(0, most)
      .flatMap((option) => madeUp(card, option, `${wrongPrefix}${uuid()}`) ?? []);
    const calls: Attempt[] = [];
    if (wrong.length > 0) wrong.push(...spoilt(scene));
    for (const credentials of wrong) {
      calls.push({ op: 'send', outcome: await sendAs(scene, credentials) });
      calls.push(await attempt(scene, 'get', { id: await someTaskId(scene) }, { credentials }));
    }
    return calls;
  })
  .expects('refuse each call', (calls, scene) =>
    calls.length > 0
      ? keptOut(calls, isKnown(scene))
      : inconclusive('the card demands credentials of a kind that the kit cannot invent'),
  )
  .advice('Any token, key or password is taken. Compare it with those that were given out, or check its signature.');
