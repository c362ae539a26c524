import {
  accepted,
  brief,
  check,
  codeIs,
  describe,
  ifMet,
  inconclusive,
  isTerminal,
  type Judgement,
  refused,
  refusedAs,
  source,
} from '../../src/kit/index.js';
import { plainCall } from '../rpc/calls.js';
import { artifactsKept, difference } from '../shared/kept.js';
import { eachOf, isGone, metadataTaken, methodKnown, ofTask, sameState } from './answers.js';
import { type LeftAlone, leftAlone, type Read } from './at-work.js';
import { finishedRead, finishedReadAgain, knownRead, readKnown } from './finished.js';

// A2A 0.3 §7.3 tasks/get, §8.2 TaskNotFound, §11.1.2.

/** An agent that keeps no tasks has the method as well, and answers TaskNotFound. */
const anyRead = source('a task', async (scene) => (await ifMet(scene.use(knownRead)))?.outcome ?? scene.use(plainCall));

// In our words (1.0, 3.1.3 Get Task): GetTask is implemented.
export const implemented = check('task/get-implemented', 'get.implemented')
  .given('outcome', anyRead)
  .when('the client reads a task', async ({ outcome }) => outcome)
  .expects('have the method', methodKnown)
  .advice(
    'Register the method: tasks/get, in 1.0 GetTask, in Terminal Bench task.get. Over HTTP+JSON it is GET /tasks/{id}, in 0.3 GET /v1/tasks/{id}.',
  );

// In our words (1.0, 3.1.3 Get Task): GetTask returns the Task itself, unwrapped.
export const sameTask = check('task/get-same-task', 'get.same-task')
  .given('read', knownRead)
  .when('the client reads a task', async ({ read }) => read.outcome)
  .expects('return that task', (outcome, { read: { task } }) => {
    if (isGone(outcome)) {
      return isTerminal(task.status.state)
        ? inconclusive('the agent no longer has the ended task, which the specification allows')
        : `${describe(outcome)}, though the task was ${task.status.state} a moment before`;
    }
    if (outcome.kind !== 'result') return accepted(outcome);
    return outcome.value.id === task.id
      ? undefined
      : `the client asked for ${task.id}, and the agent answered with ${brief(outcome.wire, 160)}`;
  })
  .advice('The result is the task itself, not an object around it, and its id is the one that was asked for.');

/**
 * A read that did not find the task, before a read that did: the task was there all the time. A read between two that
 * found it shows more.
 */
function forgotten({ reads }: LeftAlone): Read | undefined {
  const first = reads.findIndex(({ outcome }) => outcome.kind === 'result');
  const last = reads.findLastIndex(({ outcome }) => outcome.kind === 'result');
  const lost = reads.filter(({ outcome }, at) => at < last && isGone(outcome));
  return lost.find((read) => reads.indexOf(read) > first) ?? lost[0];
}

// In our words (1.0, 3.1.3 Get Task): A task whose id was given out is found from then on, also while it is at work.
export const knownAtWork = check('task/get-known-at-work', 'get.known-at-work')
  .given('work', leftAlone)
  .when('the client reads a task from its first id to its end', async ({ work }) => {
    const [first] = work.reads;
    return (forgotten(work) ?? first)?.outcome ?? work.outcome;
  })
  .expects('return it each time', (_, { work }): Judgement => {
    const { outcome, reads } = work;
    const lost = forgotten(work);
    const found = reads.find(
      ({ outcome: answer, atMs }) => answer.kind === 'result' && (lost === undefined || atMs > lost.atMs),
    );
    const isBetween =
      lost !== undefined && reads.some(({ outcome: answer, atMs }) => answer.kind === 'result' && atMs < lost.atMs);
    if (lost !== undefined && isBetween) {
      return `${describe(lost.outcome)}, ${Math.round(lost.atMs)} ms after the send; before and after that the task is found, as where several processes answer and each has a store of its own`;
    }
    if (lost !== undefined) {
      return `${describe(lost.outcome)}, ${Math.round(lost.atMs)} ms after the send; ${Math.round(found?.atMs ?? 0)} ms after it the task is found`;
    }
    if (reads.length === 0)
      return inconclusive(`set behaviours.long-running: no task was at work: ${describe(outcome)}`);
    return found === undefined
      ? inconclusive(`the agent never showed the task: ${describe(reads[0]?.outcome ?? outcome)}`)
      : undefined;
  })
  .advice(
    'Store a task before its id is given out, and keep it where all readers look while it is at work: several processes share one store.',
  );

// In our words (1.0, 3.1.3 Get Task): GetTask never shows an older state than one already reported.
export const stateNotOlder = check('task/get-state-not-older', 'get.state-not-older')
  .given('read', finishedRead)
  .when('the client reads an ended task', async ({ read }) => read.outcome)
  .expects(
    'show the state that was reported',
    ofTask((task, { read }) => sameState(read.task.status.state, task.status.state)),
  )
  .advice('Store the new state of a task before you report it.');

// In our words (1.0, 3.1.3 Get Task): GetTask includes the artifacts of the task.
export const artifactsStay = check('task/get-artifacts-kept', 'get.artifacts-kept')
  .given('read', finishedRead)
  .when('the client reads an ended task', async ({ read }) => read.outcome)
  .expects(
    'show the artifacts that were reported',
    ofTask((task, { read }) => artifactsKept(read.task, task)),
  )
  .advice(
    'Store artifacts with their ids, and answer every reading from there: artifacts that are made anew get new ids.',
  );

// In our words (1.0, 3.3.1 Idempotency): Repeated GetTask calls have no effect on the task.
export const stable = check('task/get-stable', 'get.stable')
  .given('read', finishedReadAgain)
  .when('the client reads an ended task twice', async ({ read }) => read.again)
  .expects(
    'show the same status, artifacts and ids',
    ofTask((again, { read }) =>
      read.outcome.kind === 'result' ? difference(read.outcome.value, again) : inconclusive(describe(read.outcome)),
    ),
  )
  .advice('Answer from what is stored: make ids and timestamps at the event, not at the read.');

const unknownTask = source('an unknown task id', (scene) => scene.use(plainCall));

/** A task, and the outcome of a read under its id with another last letter. */
const misspelt = source('the id of a task with another last letter', async (scene) => {
  const { task } = (await ifMet(scene.use(knownRead))) ?? {};
  if (task === undefined) return undefined;
  const letters = [...task.id];
  const at = letters.findLastIndex((letter) => /[a-z0-9]/i.test(letter));
  if (at < 0) return undefined;
  const id = letters.with(at, letters[at] === '0' ? '1' : '0').join('');
  return { task, id, outcome: await scene.client.call('get', { id }) };
});

// In our words (1.0, 3.1.3 Get Task): GetTask for an unknown task id is refused.
export const unknownRefused = check('task/get-unknown-refused', 'get.unknown-refused')
  .given('outcome', unknownTask)
  .given('near', misspelt)
  .when('the client reads an unknown task', async ({ outcome }) => outcome)
  .expects('refuse the call', refused)
  .expects(
    'refuse it for an id that resembles one',
    (_, { near }): Judgement =>
      // Where ids are numbers, another task may have this one.
      near?.outcome.kind === 'result' && near.outcome.value.id === near.task.id
        ? `the client asked for ${near.id}, and the agent answered with the task ${near.task.id}`
        : undefined,
    ({ near, outcome }) => near?.outcome ?? outcome,
  )
  .butAccepts('the id of a task that exists', readKnown)
  .advice(
    'Where the store finds nothing, answer with an error (TaskNotFound, -32001): no null, no empty task, no error page.',
  );

// In our words (1.0, 3.1.3 Get Task): The error of GetTask for an unknown task is TaskNotFoundError.
export const unknownCode = check('task/get-unknown-code', 'get.unknown-code')
  .given('outcome', unknownTask)
  .when('the client reads an unknown task', async ({ outcome }) => outcome)
  .expects('refuse the call as TaskNotFound', codeIs('TaskNotFound'))
  .butAccepts('the id of a task that exists', readKnown)
  .advice(
    'Answer TaskNotFound (-32001, 404, NOT_FOUND) where the store finds nothing: what it throws must not become -32603.',
  );

const withoutId = source('a request without a task id', (scene) => scene.client.call('get', {}, { invalid: true }));

// In our words (1.0, 3.3.2 Error Handling): GetTask without `id` is refused.
export const idRequired = check('task/get-id-required', 'get.id-required')
  .given('outcome', withoutId)
  .when('the client reads a task without its id', async ({ outcome }) => outcome)
  .expects('refuse the call', refused)
  .butAccepts('the id of a task that exists', readKnown)
  .advice(
    'Check for the id before the look-up, and answer -32602: a query without an id must not return the newest task.',
  );

// In our words (1.0, 3.3.2 Error Handling): The error of GetTask without `id` is invalid params.
export const idRequiredCode = check('task/get-id-required-code', 'get.id-required-code')
  .given('outcome', withoutId)
  .when('the client reads a task without its id', async ({ outcome }) => outcome)
  .expects('refuse the call as InvalidParams', codeIs('InvalidParams', 'InvalidRequest'))
  .butAccepts('the id of a task that exists', readKnown)
  .advice('Check for the id first, and answer -32602: a look-up without an id finds nothing and answers -32001.');

// In our words (1.0, 3.3.2 Error Handling): GetTask with an `id` of the wrong type is refused as invalid.
export const idType = check('task/get-id-type', 'get.id-type')
  .when('the client reads a task by the id 7 and by the id null', async ({ client }) => [
    await client.call('get', { id: 7 }, { invalid: true }),
    await client.call('get', { id: null }, { invalid: true }),
  ])
  .expects('refuse each call as InvalidParams', (outcomes) =>
    // An agent that looks up the id before it validates its type answers TaskNotFound, which is tolerated.
    eachOf(outcomes, refusedAs('InvalidParams', 'InvalidRequest', 'TaskNotFound')),
  )
  .butAccepts('the id of a task that exists', readKnown)
  .advice('Check that the id is a text before the look-up, and answer -32602: do not convert it.');

// In our words (0.3, 7.3.1 TaskQueryParams Object): `metadata` in the query params is accepted.
export const metadataAccepted = check('task/get-metadata-accepted', 'get.metadata-accepted')
  .given('read', knownRead)
  .when('the client reads a task and sends metadata', ({ client, read }) =>
    client.call('get', { id: read.task.id, metadata: { kit: 1 } }),
  )
  .expects('accept the metadata', (outcome, { read }) => metadataTaken(read.outcome, outcome))
  .advice('Let the validator take metadata in the params of tasks/get, and leave alone what you do not know.');
