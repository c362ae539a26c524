import {
  check,
  describe,
  difference,
  eachPair,
  inconclusive,
  isSameInstant,
  isServerError,
  type Judgement,
  type ListQuery,
  type Outcome,
  type Pair,
  type Side,
  type Task,
  type TaskPage,
  worst,
} from '../../src/kit/index.js';
import { crowd, otherThan } from '../list/crowd.js';
import { asJudged, interfaces, readAlike } from './sides.js';

// A2A 1.0 §3.1.4, §5.1: the tasks of one context listed over two bindings.

const listing =
  (query: ListQuery) =>
  ({ client }: Side): Promise<Outcome<TaskPage>> =>
    client.call('list', query);

/**
 * Two tasks that stand in one order here and in the other there. Tasks whose status has one time have no order
 * (AMB10-14).
 */
function swapped(own: readonly Task[], there: readonly Task[]): readonly [Task, Task] | undefined {
  const places = new Map(there.map((task, place) => [task.id, { task, place }]));
  const isTie = ({ status: { timestamp: a } }: Task, { status: { timestamp: b } }: Task): boolean =>
    a === undefined || b === undefined || isSameInstant(a, b);
  for (const [index, first] of own.entries()) {
    for (const second of own.slice(index + 1)) {
      const [left, other] = [places.get(first.id), places.get(second.id)];
      if (left === undefined || other === undefined || left.place < other.place) continue;
      if (!isTie(first, second) && !isTie(left.task, other.task)) return [first, second];
    }
  }
  return undefined;
}

const apart = (pair: Pair, what: string, own: readonly string[], there: readonly string[]): string | undefined => {
  const deviation = difference(own, there);
  if (deviation === undefined) return undefined;
  const count = (ids: readonly string[]): string => `${ids.length} ${ids.length === 1 ? 'task' : 'tasks'}`;
  return `${what}: ${count(own)} over ${pair.own.title}, ${count(there)} over ${pair.peer.title}, which differ at ${deviation.path}: ${deviation.left ?? 'none'} and ${deviation.right ?? 'none'}`;
};

const idsOf = ({ tasks }: TaskPage): readonly string[] => tasks.map(({ id }) => id).sort();

// In our words (1.0, 3.1.4 List Tasks): ListTasks of one context gives the same ids in the same order.
export const list = check('equivalence/list', 'equivalence.list')
  .given('interfaces', interfaces)
  .given('crowd', crowd)
  .when('the client lists a context over each interface', async ({ interfaces, crowd: { contextId } }) =>
    eachPair(interfaces, (pair) =>
      readAlike(pair, listing({ contextId }), (own, there) => {
        const missing = apart(pair, 'the context', idsOf(own), idsOf(there));
        const [first, second] = swapped(own.tasks, there.tasks) ?? [];
        if (missing !== undefined || first === undefined || second === undefined) return missing;
        return `${first.id} comes before ${second.id} over ${pair.own.title}, and after it over ${pair.peer.title}`;
      }),
    ),
  )
  .expects('list the same tasks in the same order', asJudged)
  .advice('Sort the tasks once, behind all bindings: newest status first.');

const withArtifacts = ({ tasks }: TaskPage): readonly string[] =>
  tasks.filter(({ artifacts = [] }) => artifacts.length > 0).map(({ id }) => id);

// In our words (1.0, 3.1.4 List Tasks): status, includeArtifacts and statusTimestampAfter filter alike.
export const filters = check('equivalence/list-filters', 'equivalence.list-filters')
  .given('interfaces', interfaces)
  .given('crowd', crowd)
  .when('the client filters a list over each interface', async (scene) => {
    const { contextId, tasks } = scene.crowd;
    const times = tasks.flatMap(({ status }) => status.timestamp ?? []).sort();
    const updatedAfter = times.at(-1);
    const asked: readonly (readonly [string, ListQuery, (page: TaskPage) => readonly string[]])[] = [
      ['status', { contextId, state: otherThan(scene.crowd) }, idsOf],
      ...(updatedAfter === undefined ? [] : [['statusTimestampAfter', { contextId, updatedAfter }, idsOf] as const]),
      ['includeArtifacts', { contextId, includeArtifacts: true }, withArtifacts],
    ];
    return eachPair(scene.interfaces, async (pair) => {
      const judgements: Judgement[] = [];
      for (const [what, query, of] of asked) {
        judgements.push(await readAlike(pair, listing(query), (own, there) => apart(pair, what, of(own), of(there))));
      }
      return worst(judgements);
    });
  })
  .expects('find the same tasks', asJudged)
  .advice('Read each filter in every binding: a query has texts, JSON has values, and gRPC has fields with defaults.');

// In our words (1.0, 3.1.4 List Tasks): totalSize and pageSize agree.
export const sizes = check('equivalence/list-sizes', 'equivalence.list-sizes')
  .given('interfaces', interfaces)
  .given('crowd', crowd)
  .when('the client lists one task of a context over each interface', async ({ interfaces, crowd: { contextId } }) =>
    eachPair(interfaces, (pair) =>
      readAlike(pair, listing({ contextId, pageSize: 1 }), (own, there) => {
        for (const name of ['totalSize', 'pageSize'] as const) {
          const [ownCount = 0, other = 0] = [own[name], there[name]];
          if (ownCount !== other)
            return `${name} is ${ownCount} over ${pair.own.title}, and ${other} over ${pair.peer.title}`;
        }
        return undefined;
      }),
    ),
  )
  .expects('count the tasks and the page alike', asJudged)
  .advice('Count in one place, behind all bindings: totalSize is of all that match, not of the page.');

// In our words (1.0, 3.1.4 List Tasks): A page token of one binding may work on another.
export const pageTokens = check('equivalence/page-tokens', 'equivalence.page-tokens')
  .given('interfaces', interfaces)
  .given('crowd', crowd)
  .when('the client sends the page token of one interface over another', async ({ interfaces, crowd: { contextId } }) =>
    eachPair(interfaces, async (pair) => {
      const judgements: Judgement[] = [];
      for (const [from, to] of [
        [pair.own, pair.peer],
        [pair.peer, pair.own],
      ] as const) {
        const first = await listing({ contextId, pageSize: 1 })(from);
        const pageToken = first.kind === 'result' ? first.value.nextPageToken : undefined;
        if (!pageToken) {
          judgements.push(inconclusive(`no page token came over ${from.title}`));
          continue;
        }
        const outcome = await listing({ contextId, pageSize: 1, pageToken })(to);
        const isUnread = outcome.kind === 'invalid-response' && outcome.fault !== 'timeout';
        if (isUnread || isServerError(outcome))
          judgements.push(`a page token of ${from.title} over ${to.title}: ${describe(outcome)}`);
      }
      return worst(judgements);
    }),
  )
  .expects('continue, or refuse the token as invalid', asJudged)
  .advice(
    'Make and read page tokens in one place, behind all bindings, and refuse those that you cannot read as invalid params.',
  );
