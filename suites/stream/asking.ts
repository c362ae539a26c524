import {
  check,
  describe,
  Inconclusive,
  ifMet,
  inconclusive,
  type Judgement,
  type Outcome,
  openStream,
  PreconditionUnmet,
  promptTo,
  type Scene,
  type StreamEvent,
  source,
  stateIn,
  streamByChance,
  type Task,
  untilTask,
  worst,
} from '../../src/kit/index.js';
import { type Ending, known, stateOf, watchWithTask } from './endings.js';
import { asAllDo, asCalled, endedAtWork } from './stopped.js';
import { plain } from './streams.js';

// A2A 1.0 §3.1.2, §3.5.2; 0.3 §7.2 with its proto and the streaming guide: a stream notifies the client when the agent
// asks for input.

async function ask(scene: Scene): Promise<Ending> {
  const opened = await openStream(scene, 'stream', { message: await promptTo(scene, 'input-required') });
  if (opened.kind !== 'stream') throw new PreconditionUnmet(`the agent answered without a stream: ${describe(opened)}`);
  const taskId = await untilTask(opened);
  if (taskId !== undefined) return watchWithTask(scene, opened, taskId);
  opened.close();
  await opened.ended;
  throw new PreconditionUnmet('the stream named no task');
}

const asks = 'input-required';
const shows = ({ watched }: Ending): boolean => watched.events.some((event) => stateIn(event) === asks);

/** The prompt that made the agent ask before. */
const asked = source('a prompt that makes the agent ask for input', async (scene) => {
  const seen = await ask(scene).catch((error): Ending => {
    const watched = streamByChance(scene, asks, error);
    const read: Outcome<Task> = { kind: 'not-sent', reason: 'another prompt brought its task there' };
    return { watched, halfway: undefined, atOnce: read, after: read };
  });
  // The task may have asked for input between the end of the stream and the read, so one such case proves nothing.
  return shows(seen) || stateOf(known(seen)) !== asks ? seen : ask(scene);
});

// In our words (1.0, 3.1.2 Send Streaming Message): A stream shows that its task asks for input: updates are real-time,
//   events go to all streams of a task.
export const showsWaiting = check('stream/asks-for-input', 'stream.shows-waiting')
  .given('seen', asked)
  .when('the client streams a prompt that needs more input', async ({ seen }) => seen)
  .expects('stream that the task asks for input', async (seen, scene): Promise<Judgement> => {
    if (shows(seen)) return undefined;
    const state = stateOf(known(seen));
    if (state !== asks) return inconclusive(`the task of this stream was ${state ?? 'not shown'}`);
    const { watched } = seen;
    const text = `the task asks for input, and the stream ${watched.end === 'ended' ? 'ended' : 'stayed'} without an event about it`;
    const called = asCalled(text, watched);
    return called ?? (endedAtWork(watched) ? await asAllDo(text, scene) : undefined) ?? text;
  })
  .advice('Send the status update with which the task begins to wait before the stream ends.');

/** Compares the message of the last status of a stream with that of the same status, read. */
function lastMessage(events: readonly StreamEvent[], read: Outcome<Task> | undefined): Judgement {
  if (read?.kind !== 'result') return inconclusive('the agent did not show the task of the stream');
  const { state, timestamp, message } = read.value.status;
  if (message === undefined || message.parts.length === 0)
    return inconclusive('set behaviours.input-required: the status of the task has no message');
  const same = events.findLast((event) => stateIn(event) === state);
  const { status } = same?.type === 'status' ? same : {};
  // What a later status says does not belong to this one.
  if (status === undefined || status.timestamp !== timestamp)
    return inconclusive(`the stream did not show the status ${state} that the task has`);
  return status.message === undefined
    ? `the task is ${state} with a message, and the stream showed that status without it`
    : undefined;
}

// In our words (1.0, 4.2.1 TaskStatusUpdateEvent): A status update carries the new status, with its message.
export const wholeStatus = check('stream/status-message', 'stream.status-message')
  .when('a status of a streamed task has a message', async ({ use }) => {
    const seen = await ifMet(use(asked));
    const watched = await ifMet(use(plain));
    return [
      ...(seen === undefined ? [] : [{ events: seen.watched.events, read: known(seen) }]),
      ...(watched?.watched === undefined ? [] : [{ events: watched.watched.events, read: watched.late }]),
    ];
  })
  .expects('stream that message with the status', (all): Judgement => {
    if (all.length === 0) return inconclusive('no stream came to its end');
    const judgements = all.map(({ events, read }) => lastMessage(events, read));
    // A stream without such a message shows nothing, and takes nothing from what another one shows.
    const shown = judgements.filter((judgement) => !(judgement instanceof Inconclusive));
    return worst(shown.length > 0 ? shown : judgements);
  })
  .advice('Send the status that is stored, with its message: a question without its words cannot be answered.');
