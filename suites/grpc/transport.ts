import {
  anyTask,
  check,
  describe,
  inconclusive,
  type Judgement,
  modes,
  type Outcome,
  plural,
  promptFor,
  rpcCodes,
} from '../../src/kit/index.js';
import { ask, wellFormed } from '../rpc/calls.js';
import { underWay } from '../stream/open-tasks.js';
import { eachOf, endure, refusedSomehow, tookText, wasReset, worksAfter } from './calls.js';

// grpc/doc/PROTOCOL-HTTP2.md under A2A 1.0 §10.1 and 0.3 §3.2.2: deadlines, sizes, several calls on one connection.

/** The deadline that is asked for, ms. */
const deadlineMs = 300;
/** How much later a result, and the end of the call, may come, ms, besides the time that a plain call takes. */
const resultMarginMs = 500;
const endMarginMs = 3000;

// In our words (1.0, 10.1 Protocol Requirements): grpc-timeout is honoured.
export const deadline = check('grpc/deadline', 'grpc.deadline')
  .when(`the client sends a message that takes long, with a grpc-timeout of ${deadlineMs} ms`, async (scene) => {
    const plain = await ask(scene);
    const outcome = await scene.client.call(
      'send',
      { message: promptFor(scene, 'long-running'), configuration: { ...modes(scene), blocking: true } },
      { headers: [['grpc-timeout', `${deadlineMs}m`]], invalid: true },
    );
    return { plain, outcome, exhibit: outcome.kind === 'not-sent' ? undefined : outcome.exchange };
  })
  .expects('end the call at about that time', ({ plain, outcome }): Judgement => {
    if (outcome.kind === 'not-sent' || plain.kind === 'not-sent') return inconclusive(describe(outcome));
    const { durationMs } = outcome.exchange;
    const usual = deadlineMs + plain.exchange.durationMs;
    const isLate = durationMs > usual + endMarginMs;
    if (outcome.kind === 'result')
      return durationMs > usual + resultMarginMs
        ? `the agent answered after ${tookText(outcome.exchange)}`
        : inconclusive(
            `set behaviours.long-running to longer work: the work ended within ${tookText(outcome.exchange)}`,
          );
    const isEnded =
      wasReset(outcome) || (outcome.kind === 'refusal' && outcome.code === rpcCodes.indexOf('DEADLINE_EXCEEDED'));
    if (isEnded) return isLate ? `the call ended only after ${tookText(outcome.exchange)}` : undefined;
    // Some libraries end it so; they do not choose whether a client gets its deadline or a cancel.
    if (outcome.kind === 'refusal' && outcome.code === rpcCodes.indexOf('CANCELLED') && !isLate)
      return inconclusive(
        `the call ended after ${tookText(outcome.exchange)}, at its deadline, with CANCELLED: ${describe(outcome)}`,
      );
    return outcome.kind === 'invalid-response' && outcome.fault === 'timeout'
      ? describe(outcome)
      : inconclusive(`the agent did not accept the call: ${describe(outcome)}`);
  })
  .advice('Read grpc-timeout, and end the call with DEADLINE_EXCEEDED when it is over, whatever the work does.');

/** More than the 4 MiB that most libraries of gRPC take. */
const largeBytes = 5 * 1024 * 1024;

// In our words (1.0, 10.1 Protocol Requirements): A large message may be refused with RESOURCE_EXHAUSTED.
export const largeMessage = check('grpc/large-message', 'grpc.large-message')
  .last()
  .when('the client sends a text of 5 MiB', (scene) =>
    endure(scene, {
      'a text of 5 MiB': () =>
        scene.client.call('send', { message: scene.say('a'.repeat(largeBytes)) }, { invalid: true, impatient: true }),
    }),
  )
  .expects(
    'accept or refuse it',
    eachOf(
      (outcome): Judgement =>
        outcome.kind === 'result' || outcome.kind === 'busy' ? undefined : refusedSomehow(outcome),
    ),
  )
  .expects('answer the next call', worksAfter)
  .butAccepts('a well-formed call', wellFormed)
  .advice('Set a limit for messages, and answer RESOURCE_EXHAUSTED above it: read the rest, or reset the stream.');

const callsAtOnce = 10;

// In our words (1.0, 10.1 Protocol Requirements): Calls on one connection are independent.
export const parallelCalls = check('grpc/parallel-calls', 'grpc.parallel-calls')
  .given('task', anyTask)
  .when(`the client reads a task ${callsAtOnce} times at once while a stream is open`, async (scene) => {
    const { client, task } = scene;
    const { stream } = await underWay(scene, 'long-running');
    const seen = await Promise.all(
      Array.from({ length: callsAtOnce }, (): Promise<Outcome<unknown>> => client.call('get', { id: task.id })),
    );
    stream.close();
    await stream.ended;
    return { seen, alone: await client.call('get', { id: task.id }) };
  })
  .expects('answer each', ({ seen, alone }): Judgement => {
    if (alone.kind !== 'result')
      return inconclusive(`the agent did not answer one such call either: ${describe(alone)}`);
    const broken = seen.filter(({ kind }) => kind !== 'result');
    const [first] = broken;
    if (first?.kind === 'busy') return inconclusive(describe(first));
    return first === undefined
      ? undefined
      : `${plural(broken.length, 'call')} of ${seen.length} failed: ${describe(first)}`;
  })
  .advice(
    'Handle each stream of the connection for itself: a call that is open must not hold a lock that others need.',
  );
