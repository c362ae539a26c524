import {
  type CollectedStream,
  check,
  collectStream,
  describe,
  ifMet,
  inconclusive,
  isEnd,
  isSettled,
  type Judgement,
  lastState,
  openStream,
  PreconditionUnmet,
  promptTo,
  readSettled,
  type Scene,
  source,
  streamByChance,
} from '../../src/kit/index.js';
import { closed } from './closed.js';
import { stateOf } from './endings.js';
import { answered } from './follow-ups.js';
import { dropped } from './open-tasks.js';
import { endedAtWork } from './stopped.js';
import { configured, plain, type StreamedMessage, watchedOf } from './streams.js';

// A2A 0.3 §7.2.2 with the streaming guide (AMB03-09), 1.0 §3.1.2, §3.1.6: streams end when no more updates can follow.

// In our words (1.0, 3.1.2 Send Streaming Message): The stream closes when the task reaches a terminal state.
export const closes = check('stream/closes', 'stream.closes')
  .given('streamed', plain)
  .when('a streamed task ends', async ({ streamed }) => watchedOf(streamed))
  .expects('end the stream as well', closed)
  .advice('End the response after the last update: clients wait for it.');

const ending = (about: string, state: 'failed' | 'rejected') =>
  source(about, async (scene): Promise<CollectedStream> => {
    try {
      const opened = await openStream(scene, 'stream', { message: await promptTo(scene, state) });
      if (opened.kind === 'stream') return await collectStream(scene, opened);
      throw new PreconditionUnmet(`the agent answered without a stream: ${describe(opened)}`);
    } catch (error) {
      return streamByChance(scene, state, error);
    }
  });

// In our words (1.0, 3.1.2 Send Streaming Message): The stream closes when the task reaches a terminal state.
export const closesOnFailure = check('stream/closes-on-failure', 'stream.closes')
  .given('watched', ending('a streamed message about which the work fails', 'failed'))
  .when('a streamed task fails', async ({ watched }) => watched)
  .expects('end the stream as well', closed)
  .advice('Work that fails ends its task as any other end does: send the status, and end the response.');

// In our words (1.0, 3.1.2 Send Streaming Message): The stream closes when the task reaches a terminal state.
export const closesOnRejection = check('stream/closes-on-rejection', 'stream.closes')
  .given('watched', ending('a streamed message that the agent rejects', 'rejected'))
  .when('the agent rejects a streamed task', async ({ watched }) => watched)
  .expects('end the stream as well', closed)
  .advice('A rejected task has ended: send the status, and end the response.');

/** Streams that were read to the end of their tasks, however they began. */
const readToTheEnd = source('streams of tasks that end', async (scene): Promise<readonly CollectedStream[]> => {
  const streamed = await scene.use(plain);
  const followed = await ifMet(scene.use(answered));
  const resumed = await ifMet(scene.use(dropped));
  return [streamed.watched, followed?.watched, resumed?.watched].flatMap((watched) => watched ?? []);
});

// In our words (0.3, 7.2 message/stream): A stream does not stay open when its task has ended: updates are streamed
//   until then.
export const noHang = check('stream/no-hang', 'stream.no-hang')
  .given('all', readToTheEnd)
  .when('streamed tasks end', async ({ all }) => all)
  .expects('not keep a stream open forever', (all): Judgement => {
    const ended = all.filter(({ events }) => events.some(isEnd));
    const judgements = ended.map(closed);
    const hang = judgements.find((judgement) => typeof judgement === 'string');
    return hang ?? (judgements.includes(undefined) ? undefined : inconclusive('no stream showed the end of its task'));
  })
  .advice('End the response after the last update: clients wait for it.');

/** Compares the state of the task when it was read with the last state of its stream. */
async function matches(scene: Scene, streamed: StreamedMessage): Promise<Judgement> {
  const watched = watchedOf(streamed);
  const { events, end } = watched;
  const shown = lastState(events);
  if (endedAtWork(watched) && streamed.late !== undefined && streamed.taskId !== undefined) {
    const now = stateOf(await readSettled(scene, streamed.taskId, streamed.late));
    const isDone = now !== undefined && isSettled(now);
    return isDone
      ? `the stream ended after ${shown ?? 'no state'}, and the task is ${now}`
      : inconclusive(
          `raise --timeout: the stream ended after ${shown ?? 'no state'}, and the task did not end in time`,
        );
  }
  if (shown === undefined || !isSettled(shown) || end === 'unfinished' || end === 'lost') {
    return inconclusive(`the stream did not show the end of its task (${shown ?? 'no state'}, ${end})`);
  }
  const state = stateOf(streamed.late);
  if (state === undefined) {
    return inconclusive(
      `the agent did not show the task: ${streamed.late === undefined ? 'no id' : describe(streamed.late)}`,
    );
  }
  if (state === shown) return undefined;
  // A task that waits for a sign-in elsewhere may have got it meanwhile.
  if (state === 'unknown' || shown === 'auth-required')
    return inconclusive(`the stream ended with ${shown}, and the task is ${state}`);
  return `the stream ended with ${shown}, the task is ${state}`;
}

// In our words (1.0, 3.1.3 Get Task): The final streamed state equals GetTask.
export const stateMatches = check('stream/state-matches-get', 'stream.state-matches-get')
  .given('streamed', plain)
  .when('the client reads a task after its stream', async ({ streamed }) => streamed.late)
  .expects('show the state in which the stream ended', async (_, scene): Promise<Judgement> => {
    const judgement = await matches(scene, scene.streamed);
    if (typeof judgement !== 'string') return judgement;
    // The order of the read and the agent's write to its store may be accidental: another stream must show the same.
    const other = await ifMet(scene.use(configured));
    const again = other?.watched === undefined ? judgement : await matches(scene, other);
    return again === undefined ? inconclusive(`${judgement}; the agent did not do so in another stream`) : judgement;
  })
  .advice(
    'Store each state before you send it, send what was stored, and relay each update up to the one with which the task ends.',
  );
