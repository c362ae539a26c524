import { check, describe, type Judgement, type StreamEvent, unproven } from '../../src/kit/index.js';
import { type Dropped, dropped, several } from './open-tasks.js';
import { plain, watchedOf } from './streams.js';

// A2A 0.3 §7.2, §7.3, §7.9; 1.0 §3.1.3, §3.5.2: a streamed task is a task like any other.

export const readable = check('stream/task-readable', 'stream.task-readable')
  .given('told', plain)
  .when('the client reads its task', async ({ told }) => told.early?.outcome ?? told.opened)
  .expects('be given the task', (_, { told }): Judgement => {
    watchedOf(told);
    const { early, late, taskId } = told;
    if (early === undefined || late === undefined) return unproven('the agent answered with a message, without a task');
    const outcome = early.outcome.kind === 'result' ? early.outcome : late;
    if (outcome.kind === 'result') {
      return outcome.value.id === taskId ? undefined : `asked for ${taskId}, given ${describe(outcome)}`;
    }
    if (outcome.kind !== 'refusal') return unproven(describe(outcome));
    // 0.3 §8.2: a finished task may be gone; one at work may not.
    const mayBeGone = outcome.error === 'TaskNotFound' && early.wasOver;
    return mayBeGone
      ? unproven('the finished task is already gone, which the specification allows')
      : describe(outcome);
  })
  .killedBy('stream-keeps-no-task', 'stream-reads-as-another-task');

const artifactsIn = (events: readonly StreamEvent[]): number =>
  events.reduce((sum, event) => {
    if (event.type === 'artifact') return sum + 1;
    return event.type === 'task' ? sum + (event.task.artifacts?.length ?? 0) : sum;
  }, 0);

/** What became of a task whose stream was dropped, as far as it tells by itself. */
function wentOn({ before, after }: Dropped): Judgement {
  if (after.kind !== 'result') return unproven(describe(after));
  const { state } = after.value.status;
  if (state === 'canceled') return 'the task was canceled when its stream was dropped';
  if (state === 'completed' || state === 'input-required' || state === 'auth-required') return undefined;
  if (state !== 'failed' && (after.value.artifacts?.length ?? 0) > artifactsIn(before)) return undefined;
  return unproven(`the task is ${state}`);
}

export const dropHarmless = check('stream/drop-harmless', 'stream.drop-harmless')
  .given('seen', dropped)
  .when('the client reads the task later', async ({ seen }) => seen.after)
  .expects('have gone on with it', async (after, scene): Promise<Judgement> => {
    const isGone = after.kind === 'refusal' && after.error === 'TaskNotFound';
    const hasFailed = after.kind === 'result' && after.value.status.state === 'failed';
    if (!isGone && !hasFailed) return wentOn(scene.seen);
    // It may have failed for reasons of its own, and finished tasks may be purged: what becomes of the same prompt while
    // somebody listens?
    const { after: other } = await scene.use(several);
    const completes = other.kind === 'result' && other.value.status.state === 'completed';
    if (!completes) return unproven(`a task whose stream is not dropped fares no better: ${describe(other)}`);
    return isGone ? 'the task is gone since its stream was dropped' : 'the task failed when its stream was dropped';
  })
  .advice('The work belongs to the task, not to the connection: do not tie it to the signal that ends the request.')
  .killedBy('stream-drop-cancels-task', 'stream-drop-fails-task', 'stream-drop-forgets-task');
