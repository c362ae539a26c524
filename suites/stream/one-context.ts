import { check, type Judgement, taskIdIn, worst } from '../../src/kit/index.js';
import { type Side, sides } from './in-context.js';
import { tellsTheEnd } from './stopped.js';

// A2A 0.3 §7.2, 1.0 §3.1.2, §3.5.2: a stream is about one task, whatever other tasks its context has.

const artifactsOf = ({ after }: Side): ReadonlySet<string> =>
  new Set(after.kind === 'result' ? after.value.artifacts?.map(({ artifactId }) => artifactId) : []);

/** Finds events of the other task: by its taskId, or by an artifact that only the other task has. */
function strayed(own: Side, other: Side): Judgement {
  const [mine, theirs] = [artifactsOf(own), artifactsOf(other)];
  for (const [at, event] of own.watched.events.entries()) {
    const where = `event ${at + 1} of the stream of ${own.taskId}`;
    if (taskIdIn(event) === other.taskId) return `${where} is about the task ${other.taskId}`;
    if (event.type !== 'artifact') continue;
    const { artifactId } = event.artifact;
    if (theirs.has(artifactId) && !mine.has(artifactId)) return `${where} is an artifact of the task ${other.taskId}`;
  }
  return undefined;
}

// In our words (1.0, 3.1.2 Send Streaming Message): Streams of two tasks in one context bring the updates of their own
//   task each.
export const oneContext = check('stream/one-context', 'stream.in-one-context')
  .given('both', sides)
  .when('two tasks of one context stream at the same time', async ({ both }) => both)
  .expects('send on each stream the updates of its own task', async (both, scene): Promise<Judgement> => {
    const [side, two] = both;
    const stray = strayed(side, two) ?? strayed(two, side);
    if (stray !== undefined) return stray;
    return worst([await tellsTheEnd(side, scene), await tellsTheEnd(two, scene)]);
  })
  .advice('Keep the streams by task, not by context: each has updates of its own.');
