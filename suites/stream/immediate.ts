import {
  type CollectedStream,
  check,
  collectStream,
  describe,
  ifMet,
  inconclusive,
  isSettled,
  type Judgement,
  openStream,
  PreconditionUnmet,
  promptFor,
  type Scene,
  sendQuick,
  sleep,
  source,
  untilTask,
} from '../../src/kit/index.js';
import { stateOf } from './endings.js';
import { several } from './open-tasks.js';

// A2A 1.0 §3.1.2 ("immediate feedback"), §3.5.1 ("as they occur"); 0.3 §7.2 ("real-time updates"). No sentence names a
// time: an update is late only where the agent itself shows it earlier without a stream.

/** Time of the first event, and time from the first to the last event, ms. */
interface Pace {
  readonly firstMs: number;
  readonly spanMs: number;
}
function paceOf({ seen }: CollectedStream): Pace {
  const [first, last] = [seen[0]?.atMs ?? 0, seen.at(-1)?.atMs ?? 0];
  return { firstMs: first, spanMs: last - first };
}
/** Events came during most of the stream. */
const goesAlong = ({ firstMs, spanMs }: Pace): boolean => spanMs > firstMs;

/** The same prompt without a stream: when its task was first and last shown at work, ms after the send. */
interface AtWork {
  readonly fromMs: number;
  readonly toMs: number;
}
async function atWork(scene: Scene): Promise<AtWork | undefined> {
  const { clock, client, patienceMs } = scene;
  const sentAt = clock.now();
  const since = () => clock.now() - sentAt;
  const sent = await sendQuick(scene, promptFor(scene, 'long-running'));
  if (sent.kind !== 'result' || sent.value.type !== 'task' || isSettled(sent.value.task.status.state)) return undefined;
  const { id } = sent.value.task;
  const fromMs = since();
  let toMs = fromMs;
  for (let pause = 50; since() < patienceMs; pause = Math.min(2 * pause, 1000)) {
    await sleep(clock, pause);
    const askedMs = since();
    const state = stateOf(await client.call('get', { id }));
    if (state === undefined || isSettled(state)) break;
    toMs = askedMs;
  }
  return { fromMs, toMs };
}

/** `late` describes the delay; undefined where none can be shown. */
async function lateness(scene: Scene): Promise<{ readonly pace: Pace; readonly late: string | undefined }> {
  const opened = await openStream(scene, 'stream', { message: promptFor(scene, 'long-running') });
  if (opened.kind !== 'stream') throw new PreconditionUnmet(`the agent answered without a stream: ${describe(opened)}`);
  const id = await untilTask(opened);
  const atFirst = id === undefined ? undefined : stateOf(await scene.client.call('get', { id }));
  const pace = paceOf(await collectStream(scene, opened));
  if (goesAlong(pace) || atFirst === undefined || !isSettled(atFirst)) return { pace, late: undefined };
  const plain = await atWork(scene);
  // The same work may be done sooner at times.
  const isLate =
    plain !== undefined && 2 * pace.firstMs > plain.toMs && Math.min(pace.firstMs, plain.toMs) > 2 * plain.fromMs;
  if (!isLate) return { pace, late: undefined };
  const shown = `without a stream it is shown at work from ${Math.round(plain.fromMs)} ms to ${Math.round(plain.toMs)} ms after the send`;
  return {
    pace,
    late: `the first event came after ${Math.round(pace.firstMs)} ms, when the task was ${atFirst}; ${shown}`,
  };
}

type Found = 'in time' | 'open' | { readonly late: string };

const paced = source('a task that takes its time', async (scene): Promise<Found> => {
  const seen = await ifMet(scene.use(several));
  if (seen !== undefined && goesAlong(paceOf(seen.first))) return 'in time';
  const once = await lateness(scene);
  if (once.late === undefined) return goesAlong(once.pace) ? 'in time' : 'open';
  const again = await lateness(scene);
  return again.late === undefined ? 'open' : { late: again.late };
});

// In our words (1.0, 3.1.2 Send Streaming Message): The agent gives immediate feedback on progress.
export const immediate = check('stream/immediate', 'stream.immediate')
  .given('found', paced)
  .when('the client streams a long prompt', async ({ found }) => found)
  .expects('stream updates during the work', (found): Judgement => {
    if (found === 'in time') return undefined;
    return found === 'open'
      ? inconclusive('set behaviours.long-running: the work is too short to compare times')
      : found.late;
  })
  .advice('Flush each event when it happens: a proxy or a compression that buffers makes a stream useless.');
