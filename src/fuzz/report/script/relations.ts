import { isObject, isString, member, type Operation } from '../../../model/index.js';
import type { Sent, Trace } from '../../execute/trace.js';
import type { Symptom } from '../../oracles/oracle.js';
import { flat } from './pattern.js';

// Some symptoms are not a text in an answer but a relation: a missing id, or two ids where one should be. The text
// around it may be different each time.

export type Relation =
  /** The first text of that member differs from that in an earlier answer. */
  | { readonly kind: 'differs'; readonly place: string; readonly from: string; readonly member: string }
  /** It was answered with a result. */
  | { readonly kind: 'accepted'; readonly place: string }
  | { readonly kind: 'several'; readonly place: string; readonly member: string }
  | { readonly kind: 'lacks'; readonly place: string; readonly texts: readonly string[] }
  /** It has null for an id. */
  | { readonly kind: 'nulled'; readonly place: string }
  /** One of several answers lacks its text; which one is not always the same. */
  | { readonly kind: 'one-lacks'; readonly place: string; readonly each: readonly Lack[] }
  /** It is a stream that came to its end, and its last status update is not final. */
  | { readonly kind: 'unfinal'; readonly place: string }
  /** It shows a task in this state. */
  | { readonly kind: 'ended'; readonly place: string; readonly state: string }
  /** They show a task ended, and later in another state; all looks of a wait count. */
  | { readonly kind: 'reopened'; readonly task: string; readonly places: readonly string[] }
  /** It has at least so many members of this name. */
  | { readonly kind: 'counts'; readonly place: string; readonly member: string; readonly least: number }
  /** The text of a member `id` is also in an earlier answer. */
  | { readonly kind: 'repeats'; readonly place: string; readonly places: readonly string[] }
  /** It is the last of these pages, and together they show fewer tasks than the first one counts. */
  | { readonly kind: 'misses'; readonly place: string; readonly places: readonly string[] };

interface Lack {
  readonly place: string;
  readonly text: string;
}

/** The requests of a run, by name. */
type Table = ReadonlyMap<string, Sent>;

const bodyOf = ({ exchange }: Sent): string => flat(exchange.response?.body ?? new Uint8Array());

/** These answers are about one task. */
const ofOneTask: ReadonlySet<Operation> = new Set(['send', 'stream', 'get', 'cancel', 'subscribe']);

const valuesOf = (body: string, name: string): ReadonlySet<string> =>
  new Set([...body.matchAll(new RegExp(`"${name}"[ \\t]*:[ \\t]*"([^"]*)"`, 'g'))].map(([, value = '']) => value));

/** Each answer to a request about one task names several. */
export function severalTasks(place: string, seen: readonly Sent[]): Relation | undefined {
  if (!seen.every(({ step }) => ofOneTask.has(step.operation))) return undefined;
  const name = ['taskId', 'contextId'].find((one) => seen.every((sent) => valuesOf(bodyOf(sent), one).size > 1));
  return name === undefined ? undefined : { kind: 'several', place, member: name };
}

const countOf = (name: string, sent: Sent): number =>
  [...bodyOf(sent).matchAll(new RegExp(`"${name}"[ \\t]*:`, 'g'))].length;

/** By symptom: the name of a member that each surplus item has. */
const tellsOf: Readonly<Record<string, string>> = {
  'history-length get': 'messageId',
  'history-length send': 'messageId',
  'list-size': 'status',
  'list-artifacts': 'artifacts',
};

/** The relation where each answer shows more than was asked for; an agent that keeps to the request shows less. */
export function excess(place: string, { bucket }: Symptom, seen: readonly Sent[]): Relation | undefined {
  const what = bucket.replace(/^life-cycle\//, '');
  if (what === 'list-context') {
    if (seen.every((sent) => valuesOf(bodyOf(sent), 'contextId').size > 1)) {
      return { kind: 'several', place, member: 'contextId' };
    }
    // An unknown context has nothing to show.
    const isKnown = seen.some(({ step }) => JSON.stringify(step.params ?? null).includes('$ref'));
    return isKnown ? undefined : { kind: 'counts', place, member: 'contextId', least: 1 };
  }
  if (what === 'list-state') {
    const wrong = (sent: Sent) =>
      [...valuesOf(bodyOf(sent), 'state')].filter(
        (state) => !flat(sent.body).includes(`"${state}"`) && !sent.text?.includes(`=${state}`),
      );
    const state = seen[0] && wrong(seen[0]).find((one) => seen.every((sent) => wrong(sent).includes(one)));
    return state === undefined ? undefined : { kind: 'ended', place, state };
  }
  const name = Object.hasOwn(tellsOf, what) ? tellsOf[what] : undefined;
  if (name === undefined) return undefined;
  const least = name === 'artifacts' ? 1 : Math.min(...seen.map((sent) => countOf(name, sent)));
  return { kind: 'counts', place, member: name, least };
}

/** The page whose token was sent to get this page. */
function pageBefore(place: string, table: Table): string | undefined {
  const name = /"\$ref":"([^"]*)\.token"/.exec(JSON.stringify(table.get(place)?.step.params ?? null))?.[1];
  return name === undefined ? undefined : [...table.keys()].find((one) => table.get(one)?.step.as === name);
}

/** The pages that led to this one, token by token, the first one first. A stored case may lead in a circle. */
function pagesBefore(place: string, table: Table): readonly string[] {
  const places: string[] = [];
  let page = pageBefore(place, table);
  while (page !== undefined && !places.includes(page)) {
    places.unshift(page);
    page = pageBefore(page, table);
  }
  return places;
}

/** What pages of one walk show together. */
export function leafed(place: string, { bucket }: Symptom, table: Table): Relation | undefined {
  const repeats = bucket === 'life-cycle/page-repeats';
  if (!repeats && bucket !== 'life-cycle/pages-lose') return undefined;
  const kind = repeats ? 'repeats' : 'misses';
  const before = pagesBefore(place, table);
  return before.length === 0 ? undefined : { kind, place, places: kind === 'repeats' ? before : [...before, place] };
}

const idText = ({ exchange }: Sent): string => JSON.stringify(exchange.call?.rpcId) ?? '';

/** The requests that were sent at once with this one, and itself. */
const besides = (place: string, table: Table): readonly string[] => {
  const [step] = place.split('-');
  return place === step ? [place] : [...table.keys()].filter((name) => name.startsWith(`${step}-`));
};

const nullId = /"id"[ \t]*:[ \t]*null/;

/** No answer carries the id of its request. `table`: of the run whose ids the script sends. */
export function lostId(place: string, { bucket }: Symptom, seen: readonly Sent[], table: Table): Relation | undefined {
  if (!/\bid-echoed\b/.test(bucket)) return undefined;
  const isLost = seen.every((sent) => idText(sent) !== '' && !bodyOf(sent).includes(idText(sent)));
  if (!isLost) {
    // A short id stands somewhere in most answers.
    const isNull = seen.every((sent) => idText(sent) !== 'null' && nullId.test(bodyOf(sent)));
    return isNull ? { kind: 'nulled', place } : undefined;
  }
  const each = besides(place, table).flatMap((name): readonly Lack[] => {
    const sent = table.get(name);
    const tells = sent !== undefined && (name === place || sent.demand === 'valid') && idText(sent) !== '';
    return tells ? [{ place: name, text: idText(sent) }] : [];
  });
  const [only] = each;
  if (each.length === 1 && only !== undefined) return { kind: 'lacks', place, texts: [only.text] };
  return { kind: 'one-lacks', place, each };
}

const status = /^data:.*"kind"[ \t]*:[ \t]*"status-update".*$/gm;
const isFinal = /"final"[ \t]*:[ \t]*true/;

/** The relation of a stream whose last status update is not final, whatever came before. */
export function notFinal(place: string, { bucket }: Symptom, seen: readonly Sent[]): Relation | undefined {
  if (!/\/final-flag\b/.test(bucket)) return undefined;
  const shows = seen.every(({ exchange: { failure, response } }) => {
    const last = Buffer.from(response?.body ?? [])
      .toString('latin1')
      .match(status)
      ?.at(-1);
    return failure === undefined && last !== undefined && !isFinal.test(last);
  });
  return shows ? { kind: 'unfinal', place } : undefined;
}

const ends = /"state"[ \t]*:[ \t]*"((?:TASK_STATE_)?(?:completed|canceled|failed|rejected))"/gi;
const endsIn = (sent: Sent | undefined): readonly string[] =>
  sent !== undefined && ofOneTask.has(sent.step.operation)
    ? [...bodyOf(sent).matchAll(ends)].map(([, state = '']) => state)
    : [];
const tasksIn = (sent: Sent): ReadonlySet<string> =>
  new Set([...valuesOf(bodyOf(sent), 'id'), ...valuesOf(bodyOf(sent), 'taskId')]);

const areOfOneTask = (one: Sent | undefined, other: Sent | undefined): boolean =>
  one !== undefined && other !== undefined && [...tasksIn(one)].some((id) => tasksIn(other).has(id));

/** Ends that each run showed at the same places. */
const endsOfAll = (runs: readonly Table[]) =>
  [...(runs[0]?.keys() ?? [])].flatMap((place) =>
    [...new Set(endsIn(runs[0]?.get(place)))]
      .filter((state) => runs.every((run) => endsIn(run.get(place)).includes(state)))
      .map((state) => ({ kind: 'ended', place, state }) as const),
  );

/** Two answers that contradict each other: different ends of one task. */
export function contradiction({ bucket }: Symptom, runs: readonly Table[]): readonly Relation[] {
  if (!/\btwo-ends\b/.test(bucket)) return [];
  const found = endsOfAll(runs);
  for (const [at, one] of found.entries()) {
    const other = found
      .slice(at + 1)
      .find(
        ({ place, state }) =>
          place !== one.place &&
          state !== one.state &&
          runs.every((run) => areOfOneTask(run.get(one.place), run.get(place))),
      );
    if (other !== undefined) return [one, other];
  }
  return [];
}

/** Operations whose answers show the present state of a task. */
const ofNow: ReadonlySet<Operation> = new Set(['send', 'get', 'cancel']);
/** Operations whose events may show the past of a task; an end stays true. */
const ofEvents: ReadonlySet<Operation> = new Set(['stream', 'subscribe']);

const states = 'submitted|working|input[-_]required|auth[-_]required';
const ended = 'completed|canceled|failed|rejected';
const statusIn = new RegExp(
  `"status"[ \\t]*:[ \\t]*\\{[^{}]*"state"[ \\t]*:[ \\t]*"((?:task_state_)?(?:${states}|${ended}))"`,
  'i',
);
const isEnd = new RegExp(`^(?:task_state_)?(?:${ended})$`, 'i');

/** A state of a task, as an answer or an event of it shows it. */
interface Look {
  readonly sent: Sent;
  readonly state: string;
  readonly ids: ReadonlySet<string>;
}

function looksIn(sent: Sent): readonly Look[] {
  const { operation } = sent.step;
  const isNow = ofNow.has(operation);
  const texts = isNow ? [bodyOf(sent)] : ofEvents.has(operation) ? bodyOf(sent).split('data:') : [];
  return texts.flatMap((text): readonly Look[] => {
    const state = statusIn.exec(text)?.[1];
    if (state === undefined) return [];
    return [{ sent, state, ids: new Set([...valuesOf(text, 'id'), ...(isNow ? [] : valuesOf(text, 'taskId'))]) }];
  });
}

/**
 * A task that was shown ended and then in another state. A request must name it: from there the script knows its id.
 */
function reopenedIn(all: readonly Sent[]): string | undefined {
  const looks = all.flatMap(looksIn);
  for (const later of looks) {
    if (!ofNow.has(later.sent.step.operation)) continue;
    for (const { sent, state, ids } of looks) {
      if (!isEnd.test(state) || later.state === state || sent.endedAt > later.sent.sentAt) continue;
      const task = [...ids].find(
        (id) => /^[\w.:-]{4,}$/.test(id) && later.ids.has(id) && flat(later.sent.body).includes(id),
      );
      if (task !== undefined) return task;
    }
  }
  return undefined;
}

/** Each run showed a task ended, and later in another state, whichever looks those were. */
export function reopened({ bucket }: Symptom, runs: readonly Trace[], table: Table): readonly Relation[] {
  if (!/\blegal-moves\b|^life-cycle\/(?:revived|stale|two-ends)\b|^unchanged\/state\b/.test(bucket)) return [];
  const tasks = runs.map(({ sent }) => reopenedIn(sent));
  const [task] = tasks;
  if (task === undefined || tasks.includes(undefined)) return [];
  const shows = ({ step: { operation } }: Sent): boolean => ofNow.has(operation) || ofEvents.has(operation);
  const places = [...table].filter(([, sent]) => shows(sent)).map(([place]) => place);
  return [{ kind: 'reopened', task, places }];
}

const contextIn = (sent: Sent | undefined): string | undefined =>
  sent === undefined ? undefined : /"contextId"[ \t]*:[ \t]*"([^"]*)"/.exec(bodyOf(sent))?.[1];

/** Whether each run showed two different contexts at these places. */
const differ = (runs: readonly Table[], from: string, place: string): boolean =>
  runs.every((run) => {
    const [before, now] = [contextIn(run.get(from)), contextIn(run.get(place))];
    return before !== undefined && now !== undefined && before !== now;
  });

/** A task that moved to another context, and an earlier answer that shows the first one. */
export function otherContext(place: string, { bucket }: Symptom, runs: readonly Table[]): Relation | undefined {
  if (!/\bother-context\b/.test(bucket)) return undefined;
  const from = [...(runs[0]?.keys() ?? [])].find((name) => differ(runs, name, place));
  return from === undefined ? undefined : { kind: 'differs', place, from, member: 'contextId' };
}

/** The same where the request that moved the task is known, and not the answer that shows it. */
export function movedContext({ bucket }: Symptom, runs: readonly Table[]): readonly Relation[] {
  if (!/^unchanged\/context\b/.test(bucket)) return [];
  const places = [...(runs[0]?.keys() ?? [])];
  for (const [at, place] of places.entries()) {
    const from = places
      .slice(0, at)
      .find((name) => differ(runs, name, place) && runs.every((run) => areOfOneTask(run.get(name), run.get(place))));
    if (from !== undefined) return [{ kind: 'differs', place, from, member: 'contextId' }];
  }
  return [];
}

const messageId = ({ request }: Sent): string | undefined => {
  const id = member(member(member(request, 'params'), 'message'), 'messageId');
  return isString(id) && /^[\w.:-]{4,}$/.test(id) ? id : undefined;
};

/**
 * An accepted message is missing from the last view of its task: one of several, not always the same. `runs`: the
 * requests of each run, by name.
 */
export function lostMessage({ bucket }: Symptom, runs: readonly Table[]): readonly Relation[] {
  const [first] = runs;
  if (first === undefined || !/\blost\b/.test(bucket)) return [];
  const places = [...first.keys()];
  const last = places.findLast((place) => first.get(place)?.step.operation === 'get');
  if (last === undefined) return [];
  // Messages that were sent at once with others.
  const accepted = places.filter(
    (place) =>
      place.includes('-') &&
      runs.every((run) => {
        const sent = run.get(place);
        const isSend = sent?.step.operation === 'send' || sent?.step.operation === 'stream';
        return isSend && sent?.reading.outcome.kind === 'result' && isObject(sent.request);
      }),
  );
  const texts = accepted.flatMap((place) => {
    const sent = first.get(place);
    return sent === undefined ? [] : (messageId(sent) ?? []);
  });
  const isLost = runs.every((run) => {
    const view = run.get(last);
    return view !== undefined && texts.some((text) => !bodyOf(view).includes(text));
  });
  if (!isLost) return [];
  return [...accepted.map((place) => ({ kind: 'accepted', place }) as const), { kind: 'lacks', place: last, texts }];
}
