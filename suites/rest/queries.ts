import { anyTask, check, describe, inconclusive, type Judgement } from '../../src/kit/index.js';
import { refusedCleanly, withQueryText } from './calls.js';

// A2A 1.0 §11.5 Query Parameter Naming, §3.1.4 List Tasks.

// In our words (1.0, 11.5 Query Parameters): A bad timestamp is refused.
export const badTimestamp = check('rest/bad-timestamp', 'rest.bad-timestamp')
  .when('the client lists the tasks after "yesterday"', ({ client }) =>
    client.call('list', { pageSize: 1 }, { invalid: true, native: withQueryText('statusTimestampAfter=yesterday') }),
  )
  .expects('refuse it', refusedCleanly)
  .butAccepts('the same without a time', ({ client }) => client.call('list', { pageSize: 1 }))
  .advice('Check statusTimestampAfter as an ISO 8601 time before the store is asked, and answer 400.');

// In our words (1.0, 11.5 Query Parameters): Unknown query parameters are ignored.
export const unknownQuery = check('rest/unknown-query', 'rest.unknown-query')
  .given('task', anyTask)
  .when('the client reads a task with an unknown query parameter', async ({ client, task }) => ({
    plain: await client.call('get', { id: task.id }),
    outcome: await client.call('get', { id: task.id }, { native: withQueryText('tckUnknown=1') }),
  }))
  .expects('answer as it does without', ({ plain, outcome }): Judgement => {
    if (plain.kind !== 'result')
      return inconclusive(`the same request without it has no result either: ${describe(plain)}`);
    return outcome.kind === 'result' ? undefined : describe(outcome);
  })
  .advice('Read the parameters that you know, and leave the others alone.');
