import {
  check,
  codeIs,
  collectStream,
  inconclusive,
  type Judgement,
  type Outcome,
  outcomeOf,
  refused,
  type Scene,
  source,
  stateIn,
} from '../../src/kit/index.js';
import { telling } from '../rpc/calls.js';
import { endedIn } from '../task/canceling.js';
import { overTask, streamPlain } from './streams.js';

// A2A 0.3 §7.9, §8.2; 1.0 §3.1.6: errors instead of a stream, as JSON or as the only event (AMB03-19).

const broken = { invalid: true } as const;

/** Without the method the answer has no error code to judge; stream/subscribe-implemented reports that. */
const inMethod =
  (judge: (outcome: Outcome<unknown>) => Judgement) =>
  (outcome: Outcome<unknown>): Judgement =>
    outcome.kind === 'refusal' && outcome.error === 'MethodNotFound'
      ? inconclusive('the agent has no such method')
      : judge(outcome);

const unknownSubscribed = source('a task that does not exist', async (scene: Scene) =>
  outcomeOf(await scene.client.open('subscribe', { id: scene.uuid() })),
);

// In our words (1.0, 3.1.6 Subscribe to Task): Subscribing to an unknown task is refused.
export const subscribeUnknown = check('stream/subscribe-unknown', 'sub.unknown-refused')
  .given('outcome', unknownSubscribed)
  .when('the client subscribes to an unknown task', async ({ outcome }) => outcome)
  .expects('refuse the subscription', refused)
  .butAccepts('a stream of a message', streamPlain)
  .advice(
    'Look the task up before the stream begins, and answer TaskNotFound (-32001): a listener for an unknown id waits forever.',
  );

// In our words (1.0, 3.1.6 Subscribe to Task): The error of subscribing to an unknown task is TaskNotFoundError.
export const subscribeUnknownCode = check('stream/subscribe-unknown-code', 'sub.unknown-code')
  .given('outcome', unknownSubscribed)
  .when('the client subscribes to an unknown task', async ({ outcome }) => outcome)
  .expects('refuse the subscription as TaskNotFound', inMethod(codeIs('TaskNotFound')))
  .advice(
    'Answer as for the reading of an unknown task (-32001, 404, NOT_FOUND): what the store throws must not become -32603.',
  );

const idless = source('a request without a task id', async (scene: Scene) =>
  outcomeOf(await scene.client.open('subscribe', {}, broken)),
);

// In our words (1.0, 3.3.2 Error Handling): SubscribeToTask without `id` is refused as invalid.
export const subscribeWithoutId = check('stream/subscribe-id-required', 'sub.id-required')
  .given('outcome', idless)
  .when('the client subscribes without the id of a task', async ({ outcome }) => outcome)
  .expects('refuse it', refused)
  .butAccepts('a stream of a message', streamPlain)
  .advice('Check for the id before the stream begins, and answer -32602: do not take the newest task in its place.');

// In our words (1.0, 9.5 Error Handling): The error code of SubscribeToTask without `id` is -32602.
export const subscribeWithoutIdCode = check('stream/subscribe-id-required-code', 'sub.id-required-code')
  .given('outcome', idless)
  .when('the client subscribes without the id of a task', async ({ outcome }) => outcome)
  .expects('refuse it as InvalidParams', inMethod(codeIs('InvalidParams', 'InvalidRequest')))
  .advice('Check for the id first, and answer -32602: a look-up without an id finds nothing and answers -32001.');

const overSubscribed = source(overTask.about, async (scene) => {
  const { id } = await scene.use(overTask);
  const opened = await scene.client.open('subscribe', { id }, broken);
  const watched = opened.kind === 'stream' ? await collectStream(scene, opened) : undefined;
  const outcome = await outcomeOf(opened);
  const isUnknown = outcome.kind === 'refusal' && outcome.error === 'TaskNotFound';
  return { outcome, watched, after: isUnknown ? await scene.client.call('get', { id }) : undefined };
});

/** Tasks that ended in other states, where the agent can be brought to them. */
const otherEnds = source('tasks that have ended in other ways', async (scene) => {
  const seen: Outcome<unknown>[] = [];
  const known = await scene.use(overTask);
  for (const state of ['failed', 'canceled'] as const) {
    const task = state === known.status.state ? undefined : await endedIn(scene, state);
    if (task !== undefined) seen.push(await outcomeOf(await scene.client.open('subscribe', { id: task.id }, broken)));
  }
  return seen;
});

// In our words (0.3, 7.9 tasks/resubscribe): Resubscribing to a finished task may return the task and close, or an
//   error.
export const subscribeTerminal = check('stream/subscribe-terminal', 'sub.terminal')
  .given('seen', overSubscribed)
  .when('the client subscribes to an ended task', async ({ seen }) => seen.outcome)
  // AMB03-10.
  .expects('refuse, or show the task in a stream that ends', (outcome, { seen }): Judgement => {
    const { watched } = seen;
    if (watched === undefined) return refused(outcome);
    if (watched.end === 'lost') return inconclusive('the connection broke');
    if (watched.end !== 'ended') return 'the stream stays open, although nothing more can follow';
    const states = watched.events.flatMap((event) => stateIn(event) ?? []);
    return states.length > 0 ? undefined : inconclusive('the stream ended without a task');
  })
  .advice('Check the state first: answer with an error, or send the task once and end the stream.');

// In our words (1.0, 3.1.6 Subscribe to Task): Subscribing to a terminal task is refused.
export const subscribeTerminalRefused = check('stream/subscribe-terminal-refused', 'sub.terminal-refused')
  .given('seen', overSubscribed)
  .given('others', otherEnds)
  .when('the client subscribes to ended tasks', async ({ seen, others }) => telling([seen.outcome, ...others], refused))
  .expects('refuse each subscription', refused)
  .butAccepts('a stream of a message', streamPlain)
  .advice(
    'Check the state before the stream begins, and answer UnsupportedOperation (-32004): clients read an ended task with GetTask.',
  );

// In our words (1.0, 3.1.6 Subscribe to Task): The error of subscribing to a terminal task is
//   UnsupportedOperationError.
export const subscribeTerminalCode = check('stream/subscribe-terminal-code', 'sub.terminal-code')
  .given('seen', overSubscribed)
  .when('the client subscribes to an ended task', async ({ seen }) => seen.outcome)
  .expects('refuse the subscription as UnsupportedOperation', (outcome, { seen: { after } }): Judgement => {
    if (after !== undefined && after.kind !== 'result')
      return inconclusive('the agent no longer has the finished task');
    return inMethod(codeIs('UnsupportedOperation'))(outcome);
  })
  .advice('Distinguish an ended task from an unknown one: answer -32004 (reason UNSUPPORTED_OPERATION), not -32001.');
