import {
  accepted,
  anyTask,
  aTask,
  check,
  describe,
  inconclusive,
  type Judgement,
  type Outcome,
  PreconditionUnmet,
  plural,
  type Scene,
  type SendReply,
  sendQuick,
  settle,
  source,
  type Task,
  type TaskPage,
} from '../../src/kit/index.js';

// OpenClaw design, Design Decisions 2: tasks of one context are all accepted and run one after the other; waiting tasks
// are `submitted` and visible in tasks/list.

interface Line {
  readonly second: Outcome<SendReply>;
  /** The first and second task, read in this order, while the first was at work (confirmed by a later read). */
  readonly waiting: Task | undefined;
  readonly busy: boolean;
  readonly listed: Outcome<TaskPage>;
  /** The second task, some time after the first was canceled. */
  readonly end: Task | undefined;
  readonly canceled: boolean;
}

const isAtWork = (outcome: Outcome<Task>): boolean =>
  outcome.kind === 'result' && ['working', 'submitted'].includes(outcome.value.status.state);

/** Shared: a task at work and a second one queued behind it; then the first is canceled. */
const line = source('a task at work', async (scene: Scene): Promise<Line> => {
  const { client } = scene;
  const first = await scene.use(aTask('working'));
  const { contextId } = first;
  if (contextId === undefined) throw new PreconditionUnmet('the task has no contextId');
  const second = await sendQuick(scene, { ...scene.say(), contextId });
  const task = second.kind === 'result' && second.value.type === 'task' ? second.value.task : undefined;
  const read = task && (await client.call('get', { id: task.id }));
  const listed = await client.call('list', { contextId });
  // If the first task is still at work now, it was at work when the second was read.
  const busy = isAtWork(await client.call('get', { id: first.id }));
  const canceled = await client.call('cancel', { id: first.id });
  const end = task && (await settle(scene, task));
  // The answer to a cancel may still show the state from before (AMB03-25), and may change nothing (AMB10-67).
  const isOver = !isAtWork(await client.call('get', { id: first.id }));
  return {
    second,
    waiting: read?.kind === 'result' ? read.value : undefined,
    busy,
    listed,
    canceled: canceled.kind === 'result' && isOver,
    end,
  };
});

const behind = 'the client sends a message in the context of a task at work';

// In our words (OpenClaw, Design Decisions (Confirmed)): A task that waits in the queue of its context is in submitted.
export const queued = check('dialect/queue-accepts', 'send.queued')
  .given('line', line)
  .when(behind, async ({ line: { second } }) => second)
  .expects('accept the message', accepted)
  .advice('Do not refuse a task because another is at work: put it in the queue of its context, as submitted.');

// In our words (OpenClaw, Design Decisions (Confirmed)): Tasks of one context are worked on one after the other; the
//   next one is in submitted meanwhile.
export const oneAtATime = check('dialect/queue-one-at-a-time', 'send.one-at-a-time')
  .given('line', line)
  .when(behind, async ({ line: { second } }) => second)
  .expects('keep the second task submitted meanwhile', (second, { line: { waiting, busy } }): Judgement => {
    if (waiting === undefined) return inconclusive(`the agent did not show the second task: ${describe(second)}`);
    if (!busy) return inconclusive('set behaviours.working to longer work: the first task ended before the second one');
    return waiting.status.state === 'submitted' ? undefined : `the second is ${waiting.status.state} already`;
  })
  .advice('Keep one queue for each context, and begin a task only when the one before it has ended.');

// In our words (OpenClaw, Design Decisions (Confirmed)): Queued tasks are visible in tasks/list.
export const listedWhileWaiting = check('dialect/queue-listed', 'list.has-queued')
  .given('line', line)
  .when('the client lists a context while a task waits behind another', async ({ line: { listed } }) => listed)
  .expects('show the task that waits', (listed, { line: { waiting, busy } }): Judgement => {
    if (waiting === undefined || !busy) return inconclusive('set behaviours.working: no task waited');
    if (listed.kind !== 'result') return inconclusive(`the agent gave no list: ${describe(listed)}`);
    const { tasks, nextPageToken } = listed.value;
    if (tasks.some(({ id }) => id === waiting.id)) return undefined;
    return nextPageToken
      ? inconclusive('the list has another page')
      : `${plural(tasks.length, 'task is', 'tasks are')} listed, and not ${waiting.id}`;
  })
  .advice('Store a task when it is put into the queue, as submitted: listings then show it.');

// In our words (OpenClaw, Design Decisions (Confirmed)): When a task ends, the next one of its context begins.
export const movesOn = check('dialect/queue-moves-on', 'send.queue-moves-on')
  .given('line', line)
  .when('the client cancels the first of two tasks in one context', async ({ line: { end } }) => end)
  .expects('work on the second', async (end, { use, line: { canceled, busy } }): Promise<Judgement> => {
    if (end === undefined) return inconclusive('the second message made no task');
    if (!busy || !canceled)
      return inconclusive(
        'set behaviours.working to work that can be canceled: the agent did not cancel the first task while it was at work',
      );
    if (end.status.state !== 'submitted') return undefined;
    const alone = await use(anyTask);
    return alone.status.state === 'submitted'
      ? inconclusive('raise --timeout: a task with no other before it did not begin in time either')
      : 'the second task is still submitted';
  })
  .advice('Whatever ends a task, cancellation too, lets the next one of its context begin.');
