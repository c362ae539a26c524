import { isDeepStrictEqual } from 'node:util';
import type { RequirementKey } from '../../ledger/index.js';
import { isSettled, isTerminal, type ListQuery, type TaskPage, writingOperations } from '../../model/index.js';
import type { Sent, Trace } from '../execute/trace.js';
import type { Oracle, OracleContext, Symptom } from './oracle.js';
import { demanded, symptomOf } from './symptom.js';
import { type Account, accountOf, isBefore, mayTakeEffect } from './task-observations.js';

// A walk through the pages of a context in which nothing happens shows each of its tasks exactly once (1.0 §3.1.4).

interface Page {
  readonly sent: Sent;
  readonly query: ListQuery;
  readonly shown: TaskPage;
}

/** Consecutive pages: the first was asked for without a token, each later one with the token of the page before. */
type Walk = readonly [first: Page, ...later: Page[]];

function pagesIn({ sent: all }: Trace, { asked }: Account): readonly Page[] {
  return all.flatMap((sent): readonly Page[] => {
    const { outcome } = sent.reading;
    if (sent.step.operation !== 'list' || outcome.kind !== 'result') return [];
    const wanted = asked(sent);
    return wanted?.operation === 'list' ? [{ sent, query: wanted.params, shown: outcome.value as TaskPage }] : [];
  });
}

const filters = ({ pageToken: _, ...query }: ListQuery): Omit<ListQuery, 'pageToken'> => query;

/** The walk that ends with a page; undefined: the page before it is unknown. */
function walkTo(page: Page, all: readonly Page[]): Walk | undefined {
  const token = page.query.pageToken;
  if (!token) return [page];
  const before = all.find(
    (item) =>
      item.shown.nextPageToken === token &&
      isBefore(item.sent, page.sent) &&
      isDeepStrictEqual(filters(item.query), filters(page.query)),
  );
  const way = before && walkTo(before, all);
  return way && [...way, page];
}

/** Whether the agent made the context for a task that this case began: no other client puts tasks there. */
function isOwn(contextId: string, { sightings, asked }: Account): boolean {
  const first = sightings.find((sighting) => sighting.contextId === contextId)?.sent;
  const wanted = first && asked(first);
  return (wanted?.operation === 'send' || wanted?.operation === 'stream') && !wanted.params.message.contextId;
}

/** Whether all known tasks of the context had settled before, and no request may have changed a task meanwhile. */
function isQuiet(walk: Walk, contextId: string, { sightings }: Account, { sent: all }: Trace): boolean {
  const [first] = walk;
  const last = walk.at(-1) ?? first;
  const settled = new Map<string, boolean>();
  for (const { sent, id, status, contextId: own, isNow } of sightings) {
    if (own !== contextId) continue;
    // A sighting that may show the past is certain about an end only.
    const isCalm = status !== undefined && (isNow ? isSettled : isTerminal)(status.state);
    if (isBefore(sent, first.sent)) settled.set(id, isCalm);
    else if (status !== undefined && !isSettled(status.state)) return false;
  }
  const isBusy = all.some(
    (request) =>
      writingOperations.has(request.step.operation) &&
      !isBefore(request, first.sent) &&
      !isBefore(last.sent, request) &&
      mayTakeEffect(request),
  );
  return !isBusy && [...settled.values()].every(Boolean);
}

const symptom = (bucket: string, title: string, detail: string, keys: readonly RequirementKey[], sent: Sent): Symptom =>
  symptomOf('life-cycle', `life-cycle/${bucket}`, title, sent, keys, detail);

const tasksOf = (walk: readonly Page[]) => walk.flatMap(({ shown }) => shown.tasks);

/** A task on two pages with the same status: it has not moved in the listing. */
function repeated(walk: Walk, page: Page, oracleContext: OracleContext): Symptom | undefined {
  const keys = demanded(oracleContext, 'list.paging');
  const before = tasksOf(walk.slice(0, -1));
  const twice = page.shown.tasks.find(({ id, status }) =>
    before.some((task) => task.id === id && isDeepStrictEqual(task.status, status)),
  );
  if (twice === undefined || keys.length === 0) return undefined;
  const detail = `the task ${twice.id} is on two of ${walk.length} pages`;
  return symptom('page-repeats', 'A task is on two pages of one listing', detail, keys, page.sent);
}

/** Pages say how many tasks match; by the last page all of them must have been shown. */
function lost(
  walk: Walk,
  page: Page,
  contextId: string,
  account: Account,
  oracleContext: OracleContext,
): Symptom | undefined {
  const [start] = walk;
  const total = start.shown.totalSize;
  if (total === undefined || page.shown.nextPageToken !== '') return undefined;
  if (page.query.state !== undefined || page.query.updatedAfter !== undefined) return undefined;
  // An agent that has purged tasks meanwhile counts fewer of them (§3.3.2).
  if (walk.some(({ shown }) => shown.totalSize !== total)) return undefined;
  const shown = new Set(tasksOf(walk).map(({ id }) => id));
  if (shown.size >= total) return undefined;
  const known = account.sightings.find(
    (sighting) => sighting.contextId === contextId && isBefore(sighting.sent, start.sent) && !shown.has(sighting.id),
  );
  const keys = demanded(oracleContext, known === undefined ? 'list.total-size' : 'list.paging');
  if (keys.length === 0) return undefined;
  const detail = `totalSize is ${total}, and ${walk.length} pages show ${shown.size}${known === undefined ? '' : `: not the task ${known.id}`}`;
  return symptom('pages-lose', 'The pages of a listing show fewer tasks than it counts', detail, keys, page.sent);
}

export const pages: Oracle = (trace, oracleContext) => {
  if (!trace.sent.some(({ step }) => step.operation === 'list')) return [];
  const account = accountOf(trace, oracleContext.dialect);
  const all = pagesIn(trace, account);
  return all.flatMap((page): readonly Symptom[] => {
    const { contextId } = page.query;
    const walk = contextId && page.query.pageToken ? walkTo(page, all) : undefined;
    if (walk === undefined || !contextId || !isOwn(contextId, account)) return [];
    if (!isQuiet(walk, contextId, account, trace)) return [];
    return [repeated(walk, page, oracleContext) ?? lost(walk, page, contextId, account, oracleContext)].filter(
      (symptom) => symptom !== undefined,
    );
  });
};
