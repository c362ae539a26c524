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
  type Outcome,
  refused,
  refusedAs,
  source,
  type Task,
  worst,
} from '../../src/kit/index.js';
import { isGone, metadataTaken, methodKnown, ofTask, sameState, saysMissing } from './answers.js';
import { type CutShort, cutShort } from './at-work.js';
import {
  type Canceling,
  canceling,
  cancelingKnown,
  cancelingUnknown,
  cancelOpen,
  notCanceled,
  stateOf,
} from './canceling.js';
import { type Canceled, eachCanceled, finishedCanceled, finishedCanceledWithMetadata, readKnown } from './finished.js';

// A2A 0.3 §7.4 tasks/cancel, §8.2 TaskNotCancelable and TaskNotFound, §11.1.2.

// In our words (1.0, 3.1.5 Cancel Task): CancelTask is implemented.
export const implemented = check('task/cancel-implemented', 'cancel.implemented')
  .given('outcome', cancelingKnown)
  .when('the client cancels a task', async ({ outcome }) => outcome)
  .expects('have the method', methodKnown)
  .advice('An agent that can never cancel knows the method all the same, and answers that the task is not cancelable.');

// In our words (1.0, 3.1.5 Cancel Task): A successful cancel returns the updated Task, unwrapped.
export const returnsTask = check('task/cancel-returns-task', 'cancel.returns-task')
  .given('canceled', canceling)
  .when('the client cancels an open task', async ({ canceled }) => canceled.outcome)
  .expects('return that task', (outcome, { canceled: { task } }) => {
    if (outcome.kind === 'refusal') return notCanceled(outcome);
    if (outcome.kind !== 'result') return accepted(outcome);
    return outcome.value.id === task.id
      ? undefined
      : `the client asked for ${task.id}, and the agent answered with ${brief(outcome.wire, 160)}`;
  })
  .advice(
    'Return the task itself, read from the store by the id that was asked for: no object around it, and no null.',
  );

// In our words (1.0, 3.1.5 Cancel Task): After a successful cancel the state is TASK_STATE_CANCELED.
export const stateCanceled = check('task/cancel-state', 'cancel.state-canceled')
  .given('canceled', canceling)
  .when('the client cancels an open task', async ({ canceled }) => canceled.outcome)
  .expects('return a canceled task', (outcome, { canceled: { after } }) => {
    if (outcome.kind !== 'result') return notCanceled(outcome);
    const { state } = outcome.value.status;
    if (state === 'canceled') return undefined;
    const wasCanceled = stateOf(after) === 'canceled';
    // AMB03-25: where canceling takes time, the answer shows the current task, and a later read shows the result.
    if (!isTerminal(state)) return wasCanceled ? undefined : notCanceled(outcome);
    return wasCanceled
      ? `the task is ${state}, and canceled when it is read`
      : inconclusive(`set behaviours.working to longer work: the task was ${state} before the client canceled it`);
  })
  .advice('Answer with the stored task: canceled, or still at work where canceling takes its time.');

interface Stays {
  readonly long: CutShort | undefined;
  readonly short: Canceling | undefined;
}
/** Uses both when the agent offers both: an open task of any kind, and work of a known duration. */
const bothCanceled = source('an open task', async (scene): Promise<Stays> => {
  const short = await ifMet(scene.use(canceling));
  const long = await ifMet(scene.use(cutShort));
  if (short === undefined && long === undefined) await scene.use(canceling);
  return { long, short };
});

const still = (outcome: Outcome<Task>): Judgement =>
  isGone(outcome)
    ? inconclusive(`the agent no longer has the canceled task, and may purge ended tasks: ${describe(outcome)}`)
    : ofTask((task) => sameState('canceled', task.status.state))(outcome, undefined);

function judgeShort({ outcome, after, later }: Canceling): Judgement {
  if (later === undefined) return notCanceled(outcome);
  const wasCanceled = stateOf(outcome) === 'canceled';
  return worst([...(wasCanceled ? [after] : []), later].map(still));
}

function judgeLong({ outcome, later, watchedMs, lastedMs }: CutShort): Judgement {
  if (later === undefined) return notCanceled(outcome);
  const moved = still(later);
  if (typeof moved !== 'string') return moved;
  const alone = lastedMs === undefined ? '' : `; left alone the same work takes ${Math.round(lastedMs)} ms`;
  return `${moved}, ${Math.round(watchedMs)} ms after it was canceled${alone}`;
}

const judgeBoth = ({ long, short }: Stays): readonly (readonly [Outcome<Task>, Judgement])[] => [
  ...(short === undefined ? [] : [[short.later ?? short.after, judgeShort(short)] as const]),
  ...(long === undefined ? [] : [[long.later ?? long.after, judgeLong(long)] as const]),
];

// In our words (1.0, 3.3.1 Idempotency): A repeated cancel leaves the task canceled.
export const staysCanceled = check('task/cancel-stays', 'cancel.stays-canceled')
  .given('canceled', bothCanceled)
  .when('the client cancels an open task and reads it until its work would have ended', async ({ canceled }) => {
    const judged = judgeBoth(canceled);
    return (judged.find(([, judgement]) => typeof judgement === 'string') ?? judged[0])?.[0];
  })
  .expects('keep it canceled', (_, { canceled }): Judgement => {
    const judged = judgeBoth(canceled).map(([, judgement]) => judgement);
    const broken = judged.find((judgement) => typeof judgement === 'string');
    return broken ?? (judged.includes(undefined) ? undefined : judged[0]);
  })
  .advice('Stop the work of a canceled task, and drop what it still reports.');

// In our words (1.0, 3.1.5 Cancel Task): A task that exists is known to cancel: TaskNotFound is for tasks that do not.
export const known = check('task/cancel-knows', 'cancel.known')
  .given('cut', cutShort)
  .when('the client cancels a task as soon as it is at work', async ({ cut }) => cut.outcome)
  .expects('find the task', (outcome, { cut: { task, after } }): Judgement => {
    // Without the method, no task is known or unknown to it.
    const isSaid = outcome.kind === 'result' || (outcome.kind === 'refusal' && !saysMissing(outcome));
    if (!isGone(outcome)) return isSaid ? undefined : inconclusive(describe(outcome));
    // An ended task may have been purged (1.0 §3.3.2): only a task that can still be read was there.
    return after.kind === 'result'
      ? `${describe(outcome)}, though a reading shows the task ${task.id}, which is ${after.value.status.state}`
      : inconclusive('the agent does not show the task to a read either');
  })
  .advice(
    'Store a task before its id is given out, and let cancel look where reading looks: tasks at work are found there as well.',
  );

// In our words (1.0, 3.1.5 Cancel Task): Cancellation may not be possible at the current stage.
export const openMayRefuse = check('task/cancel-open-refusal', 'cancel.may-refuse')
  .given('canceled', canceling)
  .when('the client cancels an open task', async ({ canceled }) => canceled.outcome)
  .expects('return the task, or refuse the call as TaskNotCancelable or UnsupportedOperation', (outcome) => {
    if (isGone(outcome)) return inconclusive('the agent no longer has the ended task, which the specification allows');
    return outcome.kind === 'refusal'
      ? refusedAs('TaskNotCancelable', 'UnsupportedOperation')(outcome)
      : accepted(outcome);
  })
  .advice('Answer TaskNotCancelable (-32002) where the work cannot be stopped: that is not an internal error.');

// In our words (1.0, 3.3.1 Idempotency): Cancelling a canceled task again may return the task, -32002 or -32001.
export const again = check('task/cancel-again', 'cancel.again')
  .given('canceled', canceling)
  .when('the client cancels an open task twice', async ({ canceled }) => canceled.again ?? canceled.outcome)
  .expects(
    'refuse the second call as TaskNotCancelable, or return the task',
    (_, { canceled: { task, outcome, again } }) => {
      if (again === undefined) return notCanceled(outcome);
      if (isGone(again))
        return inconclusive('the agent no longer has the canceled task, which the specification allows');
      if (again.kind !== 'result') return refusedAs('TaskNotCancelable', 'UnsupportedOperation')(again);
      return again.value.id === task.id ? sameState('canceled', again.value.status.state) : describe(again);
    },
  )
  .advice(
    'Answer TaskNotCancelable (-32002), or return the canceled task: a change of state that is not allowed must not become -32603.',
  );

/** The cancel was not refused, although the task was not canceled. Another row judges the error code. */
const notCanceling = (outcome: Outcome<Task>): Judgement => {
  if (outcome.kind !== 'result') return refused(outcome);
  if (stateOf(outcome) === 'canceled') return describe(outcome);
  return inconclusive(`the agent answered with the task as it was: ${describe(outcome)}`);
};

const leftAlone = ({ task, after }: Canceled): Judgement =>
  after.kind === 'result' ? sameState(task.status.state, after.value.status.state) : undefined;

/** The cancel that shows a failure; else one that is unproven; else the first. */
const telling = (ends: readonly [Canceled, ...Canceled[]]): Canceled =>
  ends.find((end) => [notCanceling(end.outcome), leftAlone(end)].some((judgement) => typeof judgement === 'string')) ??
  ends.find(({ outcome }) => notCanceling(outcome) !== undefined) ??
  ends[0];

// In our words (1.0, 3.1.5 Cancel Task): Cancelling a completed, failed or rejected task is refused.
export const terminalRefused = check('task/cancel-terminal-refused', 'cancel.terminal-refused')
  .given('ends', eachCanceled)
  .when('the client cancels a completed, failed or rejected task', async ({ ends }) => telling(ends).outcome)
  .expects('refuse the call', notCanceling)
  .expects('leave the task unchanged', (_, { ends }) => leftAlone(telling(ends)))
  .butAccepts('the same request for an open task', cancelOpen)
  .advice('Look at the state before canceling: an ended task keeps its state, whichever it is.');

// In our words (1.0, 3.1.5 Cancel Task): The error for a task that cannot be canceled is TaskNotCancelableError.
export const terminalCode = check('task/cancel-terminal-code', 'cancel.terminal-code')
  .given('canceled', finishedCanceled)
  .when('the client cancels a completed, failed or rejected task', async ({ canceled }) => canceled.outcome)
  .expects('refuse the call as TaskNotCancelable', (outcome) => {
    if (isGone(outcome)) return inconclusive('the agent no longer has the task, which the specification allows');
    return stateOf(outcome) === 'canceled' ? codeIs()(outcome) : refusedAs('TaskNotCancelable')(outcome);
  })
  .advice(
    'Check the state first, and answer TaskNotCancelable (-32002, reason TASK_NOT_CANCELABLE): the agent has no internal error, and canceled nothing.',
  );

// The control is a read: few agents offer a task that can be canceled, and this row is about the id alone.
// In our words (1.0, 3.1.5 Cancel Task): CancelTask for an unknown task id is refused.
export const unknownRefused = check('task/cancel-unknown-refused', 'cancel.unknown-refused')
  .given('outcome', cancelingUnknown)
  .when('the client cancels an unknown task', async ({ outcome }) => outcome)
  .expects('refuse the call', refused)
  .butAccepts('reading a task that exists', readKnown)
  .advice(
    'Look the task up first, and answer TaskNotFound (-32001) where there is none: no null, and no task that is made up.',
  );

// In our words (1.0, 3.1.5 Cancel Task): The error of CancelTask for an unknown task is TaskNotFoundError.
export const unknownCode = check('task/cancel-unknown-code', 'cancel.unknown-code')
  .given('outcome', cancelingUnknown)
  .when('the client cancels an unknown task', async ({ outcome }) => outcome)
  .expects('refuse the call as TaskNotFound', codeIs('TaskNotFound'))
  .advice(
    'Look the task up first: TaskNotCancelable (-32002) is for tasks that have ended, TaskNotFound (-32001) for those that are not there.',
  );

const withoutId = source('a request without a task id', (scene) => scene.client.call('cancel', {}, { invalid: true }));

// In our words (1.0, 3.3.2 Error Handling): CancelTask without `id` is refused.
export const idRequired = check('task/cancel-id-required', 'cancel.id-required')
  .given('outcome', withoutId)
  .when('the client cancels a task without its id', async ({ outcome }) => outcome)
  .expects('refuse the call', refused)
  .butAccepts('reading a task that exists', readKnown)
  .advice(
    'Check for the id before anything is canceled, and answer -32602: a default such as the newest task stops the wrong work.',
  );

// In our words (1.0, 3.3.2 Error Handling): The error of CancelTask without `id` is invalid params.
export const idRequiredCode = check('task/cancel-id-required-code', 'cancel.id-required-code')
  .given('outcome', withoutId)
  .when('the client cancels a task without its id', async ({ outcome }) => outcome)
  .expects('refuse the call as InvalidParams', codeIs('InvalidParams', 'InvalidRequest'))
  .advice('Check for the id first, and answer -32602: a look-up without an id finds nothing and answers -32001.');

// In our words (1.0, 3.1.5 Cancel Task): CancelTask accepts `metadata`.
export const metadataAccepted = check('task/cancel-metadata-accepted', 'cancel.metadata-accepted')
  .given('canceled', finishedCanceledWithMetadata)
  .when('the client cancels an ended task and sends metadata', async ({ canceled }) => canceled.outcome)
  .expects('answer as it does without metadata', (outcome, { canceled: { plain } }) => metadataTaken(plain, outcome))
  .advice('Let the validator take metadata in the params of a cancel, and leave alone what you do not know.');
