import {
  type CollectedStream,
  check,
  describe,
  inconclusive,
  isInterrupted,
  isTerminal,
  type Judgement,
  lacksOperation,
  lastState,
  mayFollow,
  type Opened,
  type Part,
  stateIn,
  type Task,
  taskIdIn,
  worst,
} from '../../src/kit/index.js';
import { isLeftOut, leftOut } from '../push/offered.js';
import { assemble, textOf } from './artifacts.js';
import { closed } from './closed.js';
import { isOver, readEnd, stateOf } from './endings.js';
import { type Dropped, dropped, several, waitingSubscribed } from './open-tasks.js';
import { stoppedEarly, tellsTheEnd } from './stopped.js';
import { isPaused } from './streams.js';

// A2A 0.3 §7.9 tasks/resubscribe, 1.0 §3.1.6 Subscribe to Task.

const subscribing = 'the client subscribes to a task';

const hasEnded = ({ after }: Dropped): boolean => isOver(after);

// In our words (1.0, 3.1.6 Subscribe to Task): With streaming true, SubscribeToTask works for a task at work.
export const implemented = check('stream/subscribe-implemented', 'sub.implemented')
  .given('seen', dropped)
  .when(subscribing, async ({ seen }) => seen.opened)
  .expects('answer with a stream', (opened: Opened, scene): Judgement => {
    const { seen } = scene;
    if (opened.kind === 'stream') return undefined;
    if (opened.kind !== 'refusal') return inconclusive(describe(opened));
    if (isLeftOut(opened, scene)) return inconclusive(leftOut);
    const isUnknown = lacksOperation(opened);
    const { atOnce } = seen;
    const wasOpen = atOnce.kind === 'result' && !isTerminal(atOnce.value.status.state);
    return isUnknown || wasOpen ? describe(opened) : inconclusive(`the task may have ended: ${describe(opened)}`);
  })
  .advice(
    'Serve SubscribeToTask (before 1.0 tasks/resubscribe, over HTTP+JSON :subscribe) for tasks at work, or declare capabilities.streaming false.',
  );

/** Judges the stream of the subscription, if the task was still open when it began. */
function under<Found>(seen: Dropped, judge: (watched: CollectedStream) => Found): Found | Judgement {
  const { opened, watched } = seen;
  if (watched === undefined) {
    return inconclusive(
      opened.kind === 'stream'
        ? 'the kit did not read the stream'
        : `the agent answered without a stream: ${describe(opened)}`,
    );
  }
  const state = stateIn(watched.events[0]);
  if (state !== undefined && isTerminal(state))
    return inconclusive(
      `set behaviours.long-running to longer work: the task was ${state} when the subscription began`,
    );
  return judge(watched);
}

/** The same, if the stream did not stop before the end of the task. */
const toItsEnd = (seen: Dropped, judge: (watched: CollectedStream) => Judgement): Judgement =>
  under(seen, (watched) => {
    if (isPaused(watched)) return inconclusive('the stream stopped where the task waited for authorization');
    return stoppedEarly(watched) ? inconclusive('the stream stopped before its task ended') : judge(watched);
  });

// In our words (1.0, 3.1.6 Subscribe to Task): The first event of a subscription is the current Task.
export const firstEvent = check('stream/subscription-first-event', 'sub.first-event')
  .given('seen', dropped)
  .when(subscribing, async ({ seen }) => seen.opened)
  .expects('begin the stream with that task', (_, { seen }): Judgement => {
    const first = seen.watched?.seen[0];
    if (first === undefined) return under(seen, () => inconclusive('the stream brought no event'));
    if (first.event === undefined) return inconclusive('the kit cannot read the first event');
    if (first.event.type !== 'task') return `the first event is of the type ${first.event.type}`;
    const id = taskIdIn(first.event);
    return id === seen.taskId ? undefined : `subscribed to ${seen.taskId}, given ${id}`;
  })
  .advice('Send the current task: what happened before the subscription is not sent again.');

/** §3.1.6: compares a read with the first event of a later subscription, which must not show less. */
function behind(read: Task, first: Task): Judgement {
  const [before, state] = [read.status.state, first.status.state];
  if (!mayFollow(before, state))
    return `a read has shown the task ${before}, and the subscription begins with ${state}`;
  const shown = new Set(first.artifacts?.map(({ artifactId }) => artifactId));
  const lost = read.artifacts?.find(({ artifactId }) => !shown.has(artifactId));
  return lost && `a read has shown the artifact ${lost.artifactId}, and the subscription begins without it`;
}

// In our words (1.0, 3.1.6 Subscribe to Task): The first event of a subscription is the current Task.
export const currentTask = check('stream/subscription-current-task', 'sub.first-event')
  .given('seen', several)
  .when('the client subscribes to a task after an artifact has come', async ({ seen }) => seen.late)
  .expects('begin the stream with the current task', (late): Judgement => {
    if (late === undefined)
      return inconclusive('set behaviours.long-running: no artifact came while the task was at work');
    const { read, began } = late;
    if (read.kind !== 'result') return inconclusive(`the agent did not show the task: ${describe(read)}`);
    if (began.kind !== 'result') return inconclusive(`the agent answered without a stream: ${describe(began)}`);
    return began.value?.type === 'task'
      ? behind(read.value, began.value.task)
      : inconclusive('the subscription began with no task');
  })
  .advice('Begin with the current task, with its artifacts.');

// In our words (1.0, 3.1.6 Subscribe to Task): Updates produced after subscribing are delivered.
export const laterUpdates = check('stream/subscription-updates', 'sub.later-updates')
  .given('seen', dropped)
  .when(subscribing, async ({ seen }) => seen.opened)
  .expects(
    'stream how the task ends',
    async (_, scene): Promise<Judgement> =>
      under(scene.seen, (watched) => tellsTheEnd({ ...scene.seen, watched }, scene)),
  )
  .advice(
    'Add the subscriber to the listeners of the task, and end the stream only after the update with the last state was sent.',
  );

// In our words (1.0, 3.1.6 Subscribe to Task): A subscription ends when the task reaches a terminal state.
export const closes = check('stream/subscription-closes', 'sub.closes')
  .given('seen', dropped)
  .when(subscribing, async ({ seen }) => seen.opened)
  .expects('end the stream with the task', (_, { seen }) => under(seen, closed))
  .advice('When the task ends, end all its streams, not only the one that began it.');

/** The text equals the whole, except for one missing run of characters. */
function lacks(text: string, whole: string): boolean {
  if (text.length >= whole.length) return false;
  let same = 0;
  while (same < text.length && text[same] === whole[same]) same++;
  return whole.endsWith(text.slice(same));
}

function gap(streamed: ReadonlyMap<string, readonly Part[]>, id: string, kept: readonly Part[]): Judgement {
  const parts = streamed.get(id);
  if (parts === undefined) return `the artifact ${id} of the task was neither in the first task nor streamed`;
  const [text, whole] = [textOf(parts), textOf(kept)];
  if (text === whole) return undefined;
  return lacks(text, whole)
    ? `of the artifact ${id} only ${text.length} of ${whole.length} letters came`
    : inconclusive('the artifact of the task differs from the one that was streamed');
}

// In our words (1.0, 3.1.6 Subscribe to Task): No update between the snapshot and the stream is lost.
export const noGap = check('stream/subscription-no-gap', 'sub.no-gap')
  .given('seen', dropped)
  .when(subscribing, async ({ seen }) => seen.opened)
  .expects(
    'stream everything that the task shows in the end',
    (_, { seen }): Judgement =>
      toItsEnd(seen, ({ events, end }) => {
        const { after } = seen;
        if (end !== 'ended' || after.kind !== 'result' || !hasEnded(seen))
          return inconclusive('raise --timeout: the task did not end in time');
        const streamed = assemble(events);
        const judgements = (after.value.artifacts ?? []).map(({ artifactId, parts }) =>
          gap(streamed, artifactId, parts),
        );
        if (judgements.length === 0)
          return inconclusive('set behaviours.long-running: the task has no artifact to compare');
        return worst(judgements);
      }),
  )
  .advice(
    'Add the subscriber to the listeners before you copy the task for the first event: nothing is lost between the two.',
  );

// In our words (1.0, 3.1.6 Subscribe to Task): With streaming true, SubscribeToTask works for a task that waits for the
//   client.
export const waiting = check('stream/subscribe-waiting', 'sub.interrupted-task')
  .given('seen', waitingSubscribed)
  .when('the client subscribes to tasks that wait for input and authorization', async ({ seen }) => seen.outcome)
  .expects('answer with a stream', (outcome): Judgement => {
    if (outcome.kind === 'refusal') return describe(outcome);
    return outcome.kind === 'result' ? undefined : inconclusive(describe(outcome));
  })
  .advice(
    'A task in TASK_STATE_INPUT_REQUIRED or TASK_STATE_AUTH_REQUIRED has not ended: refuse only terminal states, and send what follows.',
  );

// In our words (1.0, 3.5.2 Streaming Event Delivery): All open streams of a task receive the same events in the same
//   order.
// In our words (1.0, 3.1.6 Subscribe to Task): With streaming true, SubscribeToTask works for a task that waits for the
//   client.
export const waitingUpdates = check('stream/subscription-of-waiting-task', 'stream.same-events', 'sub.interrupted-task')
  .given('seen', waitingSubscribed)
  .when('the client answers a task that waits, and a subscription of it is open', async ({ seen }) => seen.answered)
  .expects('stream how the task goes on', async (answered, scene): Promise<Judgement> => {
    if (answered === undefined)
      return inconclusive(
        'set behaviours.input-required: no subscription was open while the client answered a task that waits',
      );
    const { id, watched } = answered;
    const shown = lastState(watched.events);
    if (shown !== undefined && isTerminal(shown)) return undefined;
    const waits = shown !== undefined && isInterrupted(shown);
    // 1.0 §11.7: a stream may end where the task is interrupted.
    if (waits && watched.end === 'ended') return inconclusive(`the stream ended where the task was ${shown}`);
    const read = await readEnd(scene, id);
    const asksAgain = waits && watched.events.length > 1 && stateOf(read.after) === shown;
    return asksAgain ? undefined : tellsTheEnd({ ...answered, ...read }, scene);
  })
  .advice('Keep the listeners of a task while it waits: an answer that comes by another call continues the same task.');
