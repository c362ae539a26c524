import {
  brief,
  check,
  describe,
  endedTask,
  ifMet,
  inconclusive,
  type Judgement,
  type Outcome,
  type Scene,
  type StreamEvent,
  seconds,
  sleep,
  type Task,
} from '../../src/kit/index.js';
import { isGone } from '../task/answers.js';
import { stateOf } from './endings.js';
import { alone, type Kept, type Left, lateFactor } from './left.js';
import { plain, watchedOf } from './streams.js';

// A2A 0.3 §7.2, §7.3, §7.9; 1.0 §3.1.3, §3.5.2: a streamed task can be used like any other.

/** How long a task that was not streamed has to be there after its end, ms, to show that the agent keeps such tasks. */
const keptMs = 1000;

async function keepsOthers(scene: Scene): Promise<boolean> {
  const { id } = (await ifMet(scene.use(endedTask))) ?? {};
  if (id === undefined) return false;
  await sleep(scene.clock, keptMs);
  return (await scene.client.call('get', { id })).kind === 'result';
}

// In our words (1.0, 3.1.3 Get Task): A streamed task can be read by GetTask.
export const readable = check('stream/task-readable', 'stream.task-readable')
  .given('streamed', plain)
  .when('the client reads the task of a stream', async ({ streamed: { early, late, opened } }) =>
    late !== undefined && isGone(late) ? late : (early?.outcome ?? opened),
  )
  .expects('return the task', async (_, scene): Promise<Judgement> => {
    const { streamed } = scene;
    watchedOf(streamed);
    const { early, late, taskId } = streamed;
    if (early === undefined || late === undefined)
      return inconclusive(
        'set behaviours.completed to a prompt that becomes a task: the agent answered with a message',
      );
    const wasFound = early.outcome.kind === 'result';
    const outcome = wasFound && !isGone(late) ? early.outcome : late;
    if (outcome.kind === 'result') {
      return outcome.value.id === taskId
        ? undefined
        : `the client asked for ${taskId}, and the agent answered with ${brief(outcome.wire, 160)}`;
    }
    if (outcome.kind !== 'refusal') return inconclusive(describe(outcome));
    // 0.3 §8.2: a finished task may be purged; a task at work must not be.
    const mayBeGone = isGone(outcome) && (early.wasOver || wasFound);
    if (!mayBeGone) return describe(outcome);
    return (await keepsOthers(scene))
      ? `${describe(outcome)}, as soon as its stream has ended; a task that was not streamed is kept`
      : inconclusive('the agent no longer has the finished task, which the specification allows');
  })
  .advice('Store the task under the id that the events name, before the first event is sent.');

const artifactsIn = (events: readonly StreamEvent[]): number =>
  events.reduce((sum, event) => {
    if (event.type === 'artifact') return sum + 1;
    return event.type === 'task' ? sum + (event.task.artifacts?.length ?? 0) : sum;
  }, 0);

const readText = (outcome: Outcome<Task>): string =>
  outcome.kind === 'result' ? `the task is ${outcome.value.status.state}` : describe(outcome);
const artifactsOf = (outcome: Outcome<Task>): number =>
  outcome.kind === 'result' ? (outcome.value.artifacts?.length ?? 0) : 0;

/** Compares a task whose only stream was dropped with one whose stream was read to the end. */
function wentOn({ stream, before, after, forMs }: Left, kept: Kept | undefined): Judgement {
  const state = stateOf(after);
  if (state === 'canceled') return `the task was canceled when its ${stream} was dropped`;
  if (state === 'completed' || state === 'input-required' || state === 'auth-required') return undefined;
  if (state === undefined || state === 'failed') {
    if (state === undefined && !isGone(after)) return inconclusive(describe(after));
    // It may have failed for other reasons, and finished tasks may be purged.
    if (state === undefined && kept?.isPurged === true)
      return inconclusive(
        'the agent no longer has the task, nor one whose stream the client did not drop: it purges ended tasks',
      );
    if (stateOf(kept?.after) === 'completed')
      return `the task ${state === undefined ? 'is gone' : 'failed'} since its ${stream} was dropped`;
    return inconclusive(
      `a task whose stream the client does not drop ends no better: ${kept === undefined ? 'none ended' : readText(kept.after)}`,
    );
  }
  if (kept !== undefined && forMs >= lateFactor * kept.tookMs) {
    return `the task is still ${state} ${seconds(forMs)} after its ${stream} was dropped; with a stream it took ${seconds(kept.tookMs)}`;
  }
  if (artifactsOf(after) > artifactsIn(before)) return undefined;
  return inconclusive(
    `raise --timeout: the task is ${state}${kept === undefined ? '' : `, and with a stream it took ${seconds(kept.tookMs)}`}`,
  );
}

// In our words (1.0, 3.5.2 Streaming Event Delivery): The task goes on when its stream is dropped.
export const dropHarmless = check('stream/drop-harmless', 'stream.drop-harmless')
  .given('seen', alone)
  .when('the client drops a stream and only reads the task', async ({ seen }) => seen)
  .expects('finish the task, and keep its artifacts', ({ left, kept }): Judgement => {
    const judgements = left.map((left) => wentOn(left, kept));
    const fault = judgements.find((judgement) => typeof judgement === 'string');
    if (fault !== undefined) return fault;
    const areBare = left.every(({ after }) => stateOf(after) === 'completed' && artifactsOf(after) === 0);
    if (kept !== undefined && artifactsOf(kept.after) > 0 && left.length > 1 && areBare) {
      return 'tasks whose stream was dropped have no artifact, and those with a stream have';
    }
    return judgements.find((judgement) => judgement !== undefined);
  })
  .advice('The work belongs to the task, not to the connection: do not tie it to the signal that ends the request.');
