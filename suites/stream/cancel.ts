import { check, inconclusive, type Judgement, stateIn } from '../../src/kit/index.js';
import { canceled } from './open-tasks.js';

// A2A 0.3 §7.4 tasks/cancel, 1.0 §3.1.2: what a stream shows about a canceled task.

// In our words (0.3, 7.4 tasks/cancel): No further work events follow a successful cancel.
export const noLaterEvents = check('stream/cancel-ends-work', 'cancel.no-later-events')
  .given('seen', canceled)
  .when('the client cancels a streamed task', async ({ seen }) => seen.watched)
  .expects('stream no further work', ({ events, end }): Judgement => {
    const at = events.findIndex((event) => stateIn(event) === 'canceled');
    // Earlier updates may still arrive after the cancel, until the stream shows the state canceled.
    const later = (at < 0 ? [] : events.slice(at + 1)).find(
      (event) => event.type === 'artifact' || (stateIn(event) ?? 'canceled') !== 'canceled',
    );
    if (later !== undefined) {
      return `after canceled came ${later.type === 'artifact' ? 'an artifact' : stateIn(later)}`;
    }
    const other = events.map(stateIn).findLast((state) => state === 'completed' || state === 'failed');
    if (at < 0 && other !== undefined) return `the task was canceled, and the stream says ${other}`;
    if (at < 0 && end !== 'ended') return inconclusive('the stream did not say that the task was canceled');
    return undefined;
  })
  .advice('Stop the work when the task is canceled, and send nothing that it still reports.');

// In our words (1.0, 3.1.2 Send Streaming Message): Open streams of a canceled task end.
export const streamEnds = check('stream/cancel-closes', 'cancel.stream-ends')
  .given('seen', canceled)
  .when('the client cancels a streamed task', async ({ seen }) => seen.watched)
  .expects('end the stream', ({ end }): Judgement => {
    if (end === 'ended') return undefined;
    return end === 'lost' ? inconclusive('the connection broke') : 'the stream stayed open after the task was canceled';
  })
  .advice(
    'Report a cancel to the streams of the task like every other end: the canceled status, then the end of the response.',
  );
