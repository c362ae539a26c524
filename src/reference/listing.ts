import type { ListQuery, Task, TaskPage } from '../model/index.js';
import { RpcFailure } from './failure.js';

/** 1.0 §3.1.4 */
const defaultSize = 50;

/** Where a task stands in the list: newest status first, and in one order where times are equal. */
type Place = readonly [time: number, id: string];
const placeOf = ({ id, status }: Task): Place => [Date.parse(status.timestamp ?? '') || 0, id];
const compare = ([time, id]: Place, [otherTime, otherId]: Place): number =>
  otherTime - time || (id < otherId ? 1 : id > otherId ? -1 : 0);

/** A cursor: the place of the last task that was shown. */
const tokenOf = (place: Place): string => Buffer.from(JSON.stringify(place)).toString('base64url');

function placeAt(token: string): Place {
  try {
    const place: unknown = JSON.parse(Buffer.from(token, 'base64url').toString('utf8'));
    if (Array.isArray(place) && typeof place[0] === 'number' && typeof place[1] === 'string') {
      if (tokenOf([place[0], place[1]]) === token) return [place[0], place[1]];
    }
  } catch {
    // Not a token of this agent, like everything else that comes here.
  }
  throw new RpcFailure('InvalidParams', 'pageToken is not from this agent', 'pageToken');
}

/** One page of the tasks, pure. `view` shows a task as it was asked for. */
export function pageOf(tasks: readonly Task[], query: ListQuery, view: (task: Task) => Task): TaskPage {
  const { contextId, state, updatedAfter, pageToken, pageSize = defaultSize, includeArtifacts = false } = query;
  const since = updatedAfter === undefined ? Number.NEGATIVE_INFINITY : Date.parse(updatedAfter);
  const matching = tasks
    .filter(
      (task) =>
        (!contextId || task.contextId === contextId) &&
        // The state `unknown` filters nothing.
        (state === undefined || state === 'unknown' || task.status.state === state) &&
        placeOf(task)[0] >= since,
    )
    .sort((a, b) => compare(placeOf(a), placeOf(b)));
  const after = pageToken ? placeAt(pageToken) : undefined;
  const rest = after === undefined ? matching : matching.filter((task) => compare(placeOf(task), after) > 0);
  const page = rest.slice(0, pageSize);
  const last = page.at(-1);
  return {
    tasks: page.map((task) => {
      const { artifacts = [], ...bare } = view(task);
      return includeArtifacts ? { ...bare, artifacts } : bare;
    }),
    nextPageToken: last !== undefined && rest.length > page.length ? tokenOf(placeOf(last)) : '',
    pageSize,
    totalSize: matching.length,
  };
}
