import { check, isSettled, type Judgement, stateIn, unproven } from '../../src/kit/index.js';
import { closed } from './closed.js';
import { plain, watchedOf } from './streams.js';

// A2A 0.3 §7.2.2 with the streaming guide (AMB03-09), 1.0 §3.1.2, §3.1.6: streams end when nothing more can follow.

export const closes = check('stream/closes', 'stream.closes')
  .given('told', plain)
  .when('the client reads it to the end of its task', async ({ told }) => watchedOf(told))
  .expects('end as well', closed)
  .advice('End the response after the last update: clients wait for it.')
  .killedBy('stream-stays-open', 'stream-keeps-alive-for-ever');

export const stateMatches = check('stream/state-matches-get', 'stream.state-matches-get')
  .given('told', plain)
  .when('the client reads the task when the stream has ended', async ({ told }) => told.late)
  .expects('show the state in which the stream ended', (late, { told }): Judgement => {
    const { events, end } = watchedOf(told);
    const shown = events.map(stateIn).findLast((state) => state !== undefined);
    if (shown === undefined || !isSettled(shown) || end === 'unfinished' || end === 'lost') {
      return unproven(`the stream did not come to an end of its task (${shown ?? 'no state'}, ${end})`);
    }
    if (late?.kind !== 'result') return unproven('the task could not be read');
    const { state } = late.value.status;
    if (state === shown) return undefined;
    // Who waits for a sign-in elsewhere may have got it meanwhile.
    if (state === 'unknown' || shown === 'auth-required') return unproven(`streamed as ${shown}, read as ${state}`);
    return `the stream ended with ${shown}, the task is ${state}`;
  })
  .killedBy('stream-reports-another-end', 'stream-ends-before-the-store-knows');
