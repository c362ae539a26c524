import {
  accepted,
  check,
  continuation,
  describe,
  ifMet,
  inconclusive,
  isInterrupted,
  isSettled,
  type Judgement,
  lastState,
  type Scene,
  type StreamEvent,
  type Task,
  taskIdIn,
  worst,
} from '../../src/kit/index.js';
import { otherContext } from '../message/sends.js';
import { closed } from './closed.js';
import { readDuring, stateOf } from './endings.js';
import { answered, answeredByTaskAlone, type FollowUp, interrupted } from './follow-ups.js';
import { stoppedEarly, tellsTheEnd } from './stopped.js';

// A2A 0.3 §7.2 ("to initiate/continue a task AND subscribes the client"), 1.0 §3.1.2, §3.4.3: streams of messages to
// existing tasks.

const answering = 'the client streams an answer to a waiting task';

/** Judges a stream without any event. */
function silent({ task, opened, watched, halfway }: FollowUp): Judgement {
  if (watched?.end === 'ended') return 'the stream ended without an event';
  const stream = watched?.exchange ?? (opened.kind === 'invalid-response' ? opened.exchange : undefined);
  const then = stateOf(stream === undefined ? halfway : readDuring(stream, halfway));
  const has = then !== undefined && isSettled(then) && then !== task.status.state;
  const waited = opened.kind === 'stream' ? 'the stream stayed open' : 'no stream came';
  return has
    ? `the task was ${then}, and ${waited} without an event about it`
    : inconclusive(
        `raise --timeout: ${waited} passed without an event, and the task did not end in time (${then ?? 'no state'})`,
      );
}

/** Judges whether the stream showed the result of the task. */
async function tells(seen: FollowUp, scene: Scene): Promise<Judgement> {
  const { opened, watched, after } = seen;
  if (watched === undefined) {
    if (opened.kind === 'invalid-response' && opened.fault === 'timeout') return silent(seen);
    if (opened.kind === 'stream') return inconclusive('the kit did not read the stream');
    return opened.kind === 'result'
      ? inconclusive('the agent answered with one result, without a stream')
      : accepted(opened);
  }
  if (watched.seen.length === 0) return silent(seen);
  const { events } = watched;
  if (events[0]?.type === 'message') return inconclusive('the agent answered with a message');
  const shown = lastState(events);
  const asksAgain = shown !== undefined && isInterrupted(shown) && stateOf(after) === shown;
  return asksAgain ? undefined : tellsTheEnd({ ...seen, watched }, scene);
}

// In our words (1.0, 3.1.2 Send Streaming Message): A streamed message to a task that is there brings the updates of
//   that task, and its end.
export const followUp = check('stream/follow-up', 'stream.follow-up')
  .given('seen', answered)
  .when(answering, async ({ seen }) => seen)
  .expects('stream the updates of the task', async (seen, scene): Promise<Judgement> => {
    const { opened } = seen;
    if (opened.kind !== 'refusal') return tells(seen, scene);
    const { outcome } = (await ifMet(scene.use(continuation))) ?? {};
    return outcome?.kind === 'result'
      ? `without a stream such an answer is accepted; streamed: ${describe(opened)}`
      : inconclusive(`the agent does not accept such an answer without a stream either: ${describe(opened)}`);
  })
  .advice('Attach the stream to the task before its work continues, and begin with the current task.');

// In our words (1.0, 3.1.2 Send Streaming Message): A streamed message to a task that is there brings the updates of
//   that task, and its end.
export const atWork = check('stream/follow-up-at-work', 'stream.follow-up')
  .given('seen', interrupted)
  .when('the client streams a message to a task at work, and cancels it', async ({ seen }) => seen)
  .expects('stream the updates of the task', async (seen, scene): Promise<Judgement> => {
    // 1.0 §3.3.3: an agent may accept messages to a task at work, but need not.
    const { opened, watched } = seen;
    if (opened.kind === 'refusal') return inconclusive(`the agent accepts no message: ${describe(opened)}`);
    // An agent that only stores the message may have streamed all that there was.
    const toldSome = watched !== undefined && watched.events.length > 0 && stoppedEarly(watched);
    return toldSome ? inconclusive('the stream ended before the client canceled the task') : tells(seen, scene);
  })
  .advice(
    'Attach the stream to the task that is there, so that it also brings what other calls do to it, such as a cancel.',
  );

/** The ids that the events name. */
function named(seen: FollowUp, read: 'taskId' | 'contextId'): readonly string[] {
  const ids = (seen.watched?.events ?? []).map((event) => {
    if (event.type === 'message') return undefined;
    if (read === 'taskId') return taskIdIn(event);
    return event.type === 'task' ? event.task.contextId : event.contextId;
  });
  return ids.flatMap((id) => id || []);
}
function sameAs(sent: string | undefined, given: readonly string[], what: string): Judgement {
  if (sent === undefined || given.length === 0) return inconclusive(`the stream named no ${what}`);
  const other = given.find((id) => id !== sent);
  return other && `the message was for the ${what} ${sent}, and the stream is of ${other}`;
}

// In our words (1.0, 3.4.3 Multi-Turn Conversation Patterns): A streamed message with the taskId of an open task
//   continues that task.
export const sameTask = check('stream/follow-up-task', 'stream.continues-task')
  .given('seen', answered)
  .when(answering, async ({ seen }) => seen)
  .expects('stream that task', (seen) => sameAs(seen.task.id, named(seen, 'taskId'), 'task'))
  .advice('Look up the taskId of the message before a task is made: a message to an open task continues that task.');

// In our words (1.0, 3.4.3 Multi-Turn Conversation Patterns): With taskId only, a stream takes the contextId from the
//   task.
export const sameContext = check('stream/follow-up-context', 'stream.keeps-context')
  .given('seen', answered)
  .when(answering, async ({ seen }) => seen)
  .expects('keep the context of the task', (seen) => sameAs(seen.task.contextId, named(seen, 'contextId'), 'context'))
  .advice('Take the contextId of the events from the stored task: the message need not name it.');

/** What an event shows of the task, as far as it names contexts. */
function shownIn(event: StreamEvent, before: Task): Task | undefined {
  if (event.type === 'task') return event.task;
  if (event.type === 'message') return undefined;
  const { taskId: id, contextId } = event;
  const status = event.type === 'status' ? event.status : before.status;
  return { id, status, ...(contextId === undefined ? {} : { contextId }) };
}

// In our words (1.0, 3.4.3 Multi-Turn Conversation Patterns): With taskId only, a stream takes the contextId from the
//   task.
export const inferred = check('stream/context-inferred', 'stream.keeps-context')
  .given('seen', answeredByTaskAlone)
  .when('the client streams an answer to a waiting task without a contextId', async ({ seen }) => seen)
  .expects('take the contextId from the task', ({ task, message, watched, opened, after }): Judgement => {
    if (task.contextId === undefined) return inconclusive('the task had no contextId');
    const events = watched?.events ?? [];
    if (events.length === 0) return inconclusive(opened.kind === 'stream' ? 'no event came' : describe(opened));
    const shown = [
      ...events.flatMap((event) => shownIn(event, task) ?? []),
      ...(after.kind === 'result' ? [after.value] : []),
    ];
    return worst(shown.map((shownTask) => otherContext(shownTask, task, message)));
  })
  .advice(
    'Infer the context before the work begins, by the same code for streams and plain calls: events, status and the stored message all name it.',
  );

// In our words (1.0, 3.1.2 Send Streaming Message): The stream closes when the task reaches a terminal state.
export const closes = check('stream/follow-up-closes', 'stream.closes')
  .given('seen', answered)
  .when(answering, async ({ seen }) => seen)
  .expects('end the stream with the task', ({ watched, opened }) =>
    watched === undefined
      ? inconclusive(opened.kind === 'stream' ? 'the kit did not read the stream' : describe(opened))
      : closed(watched),
  )
  .advice(
    'End the response when the task ends, by the same code for streams of new tasks and of tasks that were there.',
  );
