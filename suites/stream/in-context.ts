import {
  describe,
  type LiveStream,
  openStream,
  PreconditionUnmet,
  promptFor,
  type Source,
  type StreamEvent,
  source,
  untilTask,
} from '../../src/kit/index.js';
import { type Ending, watchWithTask } from './endings.js';
import { underWay } from './open-tasks.js';

// Two streams at once. No rules: index.ts does not collect this file.

/** One of two tasks of a context that are at work at the same time, and its stream. */
export interface Side extends Ending {
  readonly taskId: string;
}

const contextIn = (event: StreamEvent): string | undefined => {
  if (event.type === 'message') return event.message.contextId;
  return event.type === 'task' ? event.task.contextId : event.contextId;
};
const contextOf = ({ seen }: LiveStream): string | undefined =>
  seen.map(({ event }) => event && contextIn(event)).find((id) => id !== undefined && id !== '');

export const sides: Source<readonly [Side, Side]> = source('two tasks at work in one context', async (scene) => {
  const { stream, taskId } = await underWay(scene, 'long-running');
  const side = watchWithTask(scene, stream, taskId);
  const giveUp = async (streams: readonly LiveStream[], why: string): Promise<never> => {
    for (const open of streams) open.close();
    await side;
    throw new PreconditionUnmet(why);
  };
  const contextId = contextOf(stream);
  if (contextId === undefined) return giveUp([stream], 'the stream named no context');
  const message = { ...promptFor(scene, 'long-running'), contextId };
  const other = await openStream(scene, 'stream', { message });
  if (other.kind !== 'stream') return giveUp([stream], `no other stream in this context: ${describe(other)}`);
  const otherId = await untilTask(other);
  if (otherId === undefined || otherId === taskId) {
    return giveUp([stream, other], 'another message in this context became no task of its own');
  }
  const two = watchWithTask(scene, other, otherId);
  return [
    { taskId, ...(await side) },
    { taskId: otherId, ...(await two) },
  ];
});
