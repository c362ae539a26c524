import { isObject, isString, member, type Operation } from '../../model/index.js';
import type { Symptom } from '../oracle.js';
import type { Sent } from '../trace.js';
import { flat } from './pattern.js';

// Some symptoms are no text that comes but a relation: an id that is missing, two where one should be. What stands beside
// it may be different each time.

export type Relation =
  /** The first text of that member is another one in an earlier answer. */
  | { readonly kind: 'differs'; readonly place: string; readonly from: string; readonly member: string }
  /** It was answered with a result. */
  | { readonly kind: 'accepted'; readonly place: string }
  | { readonly kind: 'several'; readonly place: string; readonly member: string }
  | { readonly kind: 'lacks'; readonly place: string; readonly texts: readonly string[] };

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

/** No answer carries the id of its request. `first`: that whose id the script sends. */
export function lostId(place: string, { bucket }: Symptom, seen: readonly Sent[]): Relation | undefined {
  const [first] = seen;
  if (first === undefined || !/\bid-echoed\b/.test(bucket)) return undefined;
  const text = ({ exchange }: Sent): string => JSON.stringify(exchange.call?.rpcId) ?? '';
  const isLost = seen.every((sent) => text(sent) !== '' && !bodyOf(sent).includes(text(sent)));
  return isLost ? { kind: 'lacks', place, texts: [text(first)] } : undefined;
}

/** A task that is in another context than it was: the answer before it in which it was in the first one. */
export function otherContext(
  place: string,
  { bucket }: Symptom,
  runs: readonly ReadonlyMap<string, Sent>[],
): Relation | undefined {
  if (!/\bother-context\b/.test(bucket)) return undefined;
  const contextIn = (run: ReadonlyMap<string, Sent>, name: string): string | undefined => {
    const sent = run.get(name);
    return sent === undefined ? undefined : /"contextId"[ \t]*:[ \t]*"([^"]*)"/.exec(bodyOf(sent))?.[1];
  };
  const from = [...(runs[0]?.keys() ?? [])].find((name) =>
    runs.every((run) => {
      const [before, now] = [contextIn(run, name), contextIn(run, place)];
      return before !== undefined && now !== undefined && before !== now;
    }),
  );
  return from === undefined ? undefined : { kind: 'differs', place, from, member: 'contextId' };
}

const messageId = ({ request }: Sent): string | undefined => {
  const id = member(member(member(request, 'params'), 'message'), 'messageId');
  return isString(id) && /^[\w.:-]{4,}$/.test(id) ? id : undefined;
};

/**
 * A message that was accepted is not in the last view of its task: one of several, not always the same.
 * `runs`: the requests of each run, by name.
 */
export function lostMessage({ bucket }: Symptom, runs: readonly ReadonlyMap<string, Sent>[]): readonly Relation[] {
  const [first] = runs;
  if (first === undefined || !/\blost\b/.test(bucket)) return [];
  const places = [...first.keys()];
  const last = places.findLast((place) => first.get(place)?.step.operation === 'get');
  if (last === undefined) return [];
  // Those that were sent at once with others.
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
