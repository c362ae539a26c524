import {
  check,
  describe,
  inconclusive,
  type Judgement,
  openStream,
  PreconditionUnmet,
  promptTo,
  type Scene,
  source,
  stateIn,
  untilTask,
} from '../../src/kit/index.js';
import { type Ending, known, stateOf, watchWithTask } from './endings.js';
import { asAllDo, asCalled, endedAtWork } from './stopped.js';

// A2A 1.0 §3.1.2, §3.5.2; 0.3 §7.2 with its proto and the streaming guide: a stream tells the client when the agent
// asks for input.

async function ask(scene: Scene): Promise<Ending> {
  const opened = await openStream(scene, 'stream', { message: await promptTo(scene, 'input-required') });
  if (opened.kind !== 'stream') throw new PreconditionUnmet(`no stream came: ${describe(opened)}`);
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
  const seen = await ask(scene);
  // The task may have asked for input between the end of the stream and the read, so one such case proves nothing.
  return shows(seen) || stateOf(known(seen)) !== asks ? seen : ask(scene);
});

export const showsWaiting = check('stream/asks-for-input', 'stream.shows-waiting')
  .given('seen', asked)
  .when('the client streams it', async ({ seen }) => seen)
  .expects('show that the task asks for input', async (seen, scene): Promise<Judgement> => {
    if (shows(seen)) return undefined;
    const state = stateOf(known(seen));
    if (state !== asks) return inconclusive(`this time the task was ${state ?? 'not to be read'}`);
    const { watched } = seen;
    const told = `the task asks for input, and the stream ${watched.end === 'ended' ? 'ended' : 'stayed'} without an event about it`;
    const called = asCalled(told, watched);
    return called ?? (endedAtWork(watched) ? await asAllDo(told, scene) : undefined) ?? told;
  })
  .advice('Send the status update with which the task begins to wait before the stream ends.');
