import {
  anyTask,
  check,
  describe,
  early,
  inconclusive,
  isTerminal,
  type Judgement,
  type NativeRequest,
  type Outcome,
  openTask,
} from '../../src/kit/index.js';
import { ask, plainCall, telling } from '../rpc/calls.js';
import { lastOf, refusedCleanly, statusOf, withId, withPath, withVerb } from './calls.js';

// A2A 1.0 §11.3 URL Patterns and HTTP Methods; 0.3 §3.2.3, §3.5.6; RFC 3986, RFC 9110. What an agent answers to a path
// or a verb that is not its own is open (AMB10-60): it must refuse it without breaking.

const odd = { invalid: true } as const;

// In our words (1.0, 11.1 Protocol Requirements): Wrong verbs are refused.
export const wrongVerb = check('rest/wrong-verb', 'rest.wrong-verb')
  .when('the client sends a message by GET', (scene) =>
    scene.client.call(
      'send',
      { message: scene.say(), configuration: early(scene) },
      { ...odd, native: withVerb('GET') },
    ),
  )
  .expects('refuse it', refusedCleanly)
  .advice('Register POST only for message:send, and answer 405 to other verbs.');

// In our words (1.0, 11.3 URL Patterns): Cancel is not reachable by GET.
export const cancelVerb = check('rest/cancel-verb', 'rest.cancel-verb')
  .given('task', openTask)
  .when('the client cancels an open task by GET', async ({ client, task }) => {
    const before = await client.call('get', { id: task.id });
    const outcome = await client.call('cancel', { id: task.id }, { ...odd, native: withVerb('GET') });
    return { before, outcome, after: await client.call('get', { id: task.id }) };
  })
  .expects('not cancel it', ({ before, outcome, after }, { task }): Judgement => {
    if (before.kind !== 'result' || isTerminal(before.value.status.state))
      return inconclusive(`set behaviours.working to longer work: ${task.id} was no longer open`);
    if (after.kind === 'result' && after.value.status.state === 'canceled') return 'the task is canceled by a GET';
    const seen = refusedCleanly(outcome);
    return (
      seen ??
      (after.kind === 'result' ? undefined : inconclusive(`the agent did not show ${task.id}: ${describe(after)}`))
    );
  })
  .advice('Route :cancel for POST only. GET is safe (RFC 9110 §9.2.1): crawlers and caches send it.');

/** The last letter of the id that is not yet percent-encoded, encoded: it is the same id (RFC 3986 §6.2.2.2). */
const encodedId = (request: NativeRequest): NativeRequest =>
  withPath((path) => {
    let end = path.length;
    while (path[end - 3] === '%') end -= 3;
    const letter = path[end - 1] ?? '';
    if (letter === '/') return path;
    return `${path.slice(0, end - 1)}%${letter.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}${path.slice(end)}`;
  })(request);

// In our words (1.0, 11.5 Query Parameter Naming for Request Parameters): URL-encoded values are decoded.
export const decodes = check('rest/decodes', 'rest.decodes')
  .given('task', anyTask)
  .when('the client reads a task with a percent-encoded letter in its id', async ({ client, task }) => ({
    outcome: await client.call('get', { id: task.id }, { native: encodedId }),
    plain: await client.call('get', { id: task.id }),
  }))
  .expects('return that task', ({ outcome, plain }, { task }) => {
    if (outcome.kind === 'not-sent' || outcome.kind === 'denied' || outcome.kind === 'busy')
      return inconclusive(describe(outcome));
    if (plain.kind !== 'result') return inconclusive(`the agent no longer shows the task: ${describe(plain)}`);
    return outcome.kind === 'result' && outcome.value.id === task.id ? undefined : describe(outcome);
  })
  .advice('Decode each segment of the path once, after it was split off.');

// In our words (1.0, 11.3 URL Patterns): A malformed percent-escape is refused cleanly.
export const badEscape = check('rest/bad-escape', 'rest.bad-escape')
  .given('plain', plainCall)
  .when('the client reads /tasks/%zz', ({ client, uuid }) =>
    client.call('get', { id: uuid() }, { ...odd, native: withId('%zz') }),
  )
  .expects('refuse it', refusedCleanly)
  .advice('Catch what the decoder of paths throws, and answer 400.');

/** Ids that look like another path once they are decoded. */
const reserved = ['x%2Fy', '..%2Ftasks', 'a%3Acancel', '%2E%2E%2Ftasks'];

// In our words (1.0, 11.3.2 Task Operations): Ids with reserved characters do not reach other routes.
export const reservedInId = check('rest/reserved-in-id', 'rest.reserved-in-id')
  .when('a task id has encoded slashes, dots and colons', async ({ client, uuid }) => {
    const read = (id: string) => client.call('get', { id: uuid() }, { ...odd, native: withId(id) });
    const [first = '', ...rest] = reserved;
    const seen: Outcome<unknown>[] = [];
    for (const id of rest) seen.push(await read(id));
    return telling([await read(first), ...seen], refusedCleanly);
  })
  .expects('find no task, and do nothing else', refusedCleanly)
  .advice(
    'Find the operation by the path as it came, and decode the id after that: an encoded slash or colon belongs to the id.',
  );

/** A redirect to the right spelling is an answer too. */
const answeredCleanly = (outcome: Outcome<unknown>): Judgement => {
  const status = statusOf(outcome);
  if (outcome.kind === 'not-sent') return inconclusive(outcome.reason);
  return status !== undefined && status < 500 ? undefined : describe(outcome);
};

// In our words (1.0, 11.3 URL Patterns): A trailing slash or doubled slash is answered cleanly.
export const slashes = check('rest/slashes', 'rest.slashes')
  .when('the path of a task has an extra slash', async (scene) => {
    const behind = await ask(scene, { ...odd, native: withPath((path) => `${path}/`) });
    const twice = await ask(scene, {
      ...odd,
      native: withPath((path) => path.replace(lastOf(path), `/${lastOf(path)}`)),
    });
    return telling([behind, twice], answeredCleanly);
  })
  .expects('answer without an error of its own', answeredCleanly)
  .advice('Answer 404, or redirect to the right path: empty segments must not reach code that expects an id.');

// In our words (0.3, 3.2.3 HTTP+JSON/REST Transport): Not found maps to HTTP 404.
export const notFound = check('rest/not-found', 'rest.not-found')
  .when('the client reads a task that does not exist', (scene) => scene.use(plainCall))
  .expects('refuse it with 404', (outcome) => {
    const other = refusedCleanly(outcome);
    const status = statusOf(outcome);
    if (other !== undefined || status === 404) return other;
    return inconclusive(`the agent refused the request with HTTP ${status}, not with 404`);
  })
  .advice('Answer 404 with an error in JSON where the store finds nothing, and make no task up for the id.');
