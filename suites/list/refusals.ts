import {
  answered,
  check,
  codeIs,
  describe,
  type Judgement,
  type Outcome,
  type Scene,
  source,
  type TaskPage,
  worst,
} from '../../src/kit/index.js';
import { everything } from './crowd.js';

// A2A 1.0 §3.1.4 ListTasksRequest: invalid page sizes, tokens, states and history lengths.

const listWhole = async (scene: Scene): Promise<Outcome<TaskPage>> => scene.use(everything);

// In our words (1.0, 3.1.4 List Tasks): An unknown pageToken is refused as invalid.
export const unknownToken = check('list/unknown-token', 'list.unknown-token')
  .when('the client lists with an invented pageToken', ({ client }) =>
    client.call('list', { pageToken: 'kit-bogus' }, { invalid: true }),
  )
  .expects('refuse the call as InvalidParams', codeOrResult)
  .butAccepts('a listing without a token', listWhole)
  .advice(
    'Check that you gave the token out, and answer invalid params (-32602, 400, INVALID_ARGUMENT): the first page again makes clients loop.',
  );

/** For rows that require a refusal with InvalidParams: a result fails. */
function codeOrResult(outcome: Outcome<unknown>): Judgement {
  return outcome.kind === 'result' ? describe(outcome) : codeIs('InvalidParams', 'InvalidRequest')(outcome);
}

// In our words (1.0, 3.1.4 List Tasks): An unknown status value is refused as invalid.
export const unknownState = check('list/unknown-state', 'list.unknown-state')
  .when('the client lists tasks of a state that does not exist', ({ client }) =>
    client.call('list', { state: 'TASK_STATE_RUNNING' }, { invalid: true }),
  )
  .expects('refuse the call as InvalidParams', codeOrResult)
  .butAccepts('a listing of all states', listWhole)
  .advice(
    'Compare status with the names of the states, and answer invalid params (-32602 or 400): do not drop the filter.',
  );

// In our words (1.0, 3.1.4 List Tasks): A negative historyLength is refused as invalid.
export const historyInvalid = check('list/history-invalid', 'list.history-invalid')
  .when('the client lists with historyLength -5', ({ client }) =>
    client.call('list', { historyLength: -5 }, { invalid: true }),
  )
  .expects('refuse the call as InvalidParams', codeOrResult)
  .butAccepts('a listing without a length', listWhole)
  .advice('Check that historyLength is 0 or more, and answer invalid params (-32602, 400, INVALID_ARGUMENT).');

const oddSizes = source('listings with odd page sizes', async ({ client }: Scene) => {
  const pages: Outcome<TaskPage>[] = [];
  for (const pageSize of [0, -1, 101]) pages.push(await client.call('list', { pageSize }, { invalid: true }));
  return pages;
});

function inRange(outcome: Outcome<TaskPage>): Judgement {
  if (outcome.kind !== 'result') return answered(outcome);
  const { tasks, pageSize = 0 } = outcome.value;
  if (tasks.length > 100) return `${tasks.length} tasks came in one page`;
  return pageSize <= 100 ? undefined : `a page size of ${pageSize} was used`;
}

// In our words (1.0, 3.1.4 List Tasks): pageSize outside 1..100 is not honoured.
export const sizeRange = check('list/page-size-range', 'list.page-size-range')
  .when('the client lists in pages of 0, of -1 and of 101', ({ use }) => use(oddSizes))
  .expects('refuse each, or show 100 tasks at most', (pages): Judgement => worst(pages.map(inRange)))
  .advice(
    'Limit pageSize to 100, or refuse what is not in 1 to 100 as invalid params (-32602, 400, INVALID_ARGUMENT), before the store is asked.',
  );
