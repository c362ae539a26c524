import { type Exchange, isUnsent as isUnsentExchange, mediaType } from '../../../wire/index.js';
import { showing } from '../../confirm/showing.js';
import type { Sent, Trace } from '../../execute/trace.js';
import type { Symptom } from '../../oracles/oracle.js';
import type { Attempt } from '../../schedule/campaign-settings.js';
import { flat, patternOf } from './pattern.js';
import {
  contradiction,
  excess,
  leafed,
  lostId,
  lostMessage,
  movedContext,
  notFinal,
  otherContext,
  type Relation,
  reopened,
  severalTasks,
} from './relations.js';

/** What the script looks for, in the answer to one request or in all of them together. */
export type Sign =
  | Relation
  /** Not even a harmless request is answered afterwards. */
  | { readonly kind: 'dead' }
  | { readonly kind: 'no-answer'; readonly place: string }
  /** No answer came in time, while others were answered. */
  | { readonly kind: 'silent'; readonly place: string }
  | { readonly kind: 'slow'; readonly place: string; readonly ms: number }
  | { readonly kind: 'large'; readonly place: string; readonly bytes: number }
  | { readonly kind: 'like'; readonly place: string; readonly status: number; readonly pattern: string }
  /** One of the looks of a wait matches the pattern. */
  | { readonly kind: 'polled'; readonly place: string; readonly pattern: string };

/** The name of a request in a script: `3`, or `3-2` for the second of those sent together. */
export const nameOf = ({ place: [at, among] }: Sent, { case: { steps } }: Trace): string =>
  steps[at]?.step === 'together' ? `${at + 1}-${(among ?? 0) + 1}` : `${at + 1}`;

/** The last exchange at each place: the number of earlier looks of a wait differs between runs. */
export const lastAt = (trace: Trace): ReadonlyMap<string, Sent> =>
  new Map(trace.sent.map((one) => [nameOf(one, trace), one]));

/** A look of a wait that others followed. */
const isPassed = (sent: Sent, trace: Trace): boolean => lastAt(trace).get(nameOf(sent, trace)) !== sent;

/** Symptoms that one answer shows by itself; most laws judge single answers, a few compare. */
const ofOneAnswer = ({ oracle, bucket }: Symptom): boolean =>
  /^life-cycle\/(?:config|history-length|list-)/.test(bucket) ||
  (/^(alive|error-class|leaks?|cost|law)$/.test(oracle) && !/legal-moves|status-order/.test(bucket));

/** The same request in one run after the other. */
interface Seen {
  readonly sent: Sent;
  readonly trace: Trace;
}

const isStream = ({ exchange }: Sent): boolean => mediaType(exchange.response?.headers ?? []) === 'text/event-stream';

/** Its answer may be a stream, which takes longer. */
export const isStreaming = ({ step: { operation } }: Sent): boolean =>
  operation === 'stream' || operation === 'subscribe';

/** The kit ended a stream that went on. */
export const isDropped = (sent: Sent): boolean => sent.exchange.failure?.kind === 'aborted' && isStream(sent);

/** The connection gave no whole answer. A stream that the kit itself ended counts as whole. */
const isLost = ({ sent }: Seen): boolean => {
  const { failure, response } = sent.exchange;
  return failure !== undefined && failure.kind !== 'too-large' && (response === undefined || !isStream(sent));
};

/** The kit itself did not send it, or gave up. */
const isUnsent = ({ sent: { exchange } }: Seen): boolean =>
  exchange.response === undefined && isUnsentExchange(exchange.failure);

/** The beginning that the request ids of this run have in common, and no other run's. */
const labelOf = ({ sent }: Trace): string | undefined =>
  sent
    .map(({ exchange }) => exchange.call?.rpcId)
    .find((id): id is string => typeof id === 'string' && /^f[0-9a-z]{10}$/.test(id))
    ?.slice(0, 7);

type Redact = (exchange: Exchange) => Exchange;

/** The id of the request, where each look of a wait has another one. */
const ownId = ({ exchange }: Sent): string | undefined => {
  const id = exchange.call?.rpcId;
  return typeof id === 'string' && /^f[0-9a-z]{10}$/.test(id) ? id : undefined;
};

/** The body of an answer without secrets, with the ids of the first run, from which the script is made. */
function bodyIn({ sent, trace }: Seen, first: Trace, redact: Redact): string {
  const body = flat(redact(sent.exchange).response?.body ?? new Uint8Array());
  const [own, label] = [labelOf(trace), labelOf(first)];
  const last = lastAt(first).get(nameOf(sent, trace));
  const [from, to] = [ownId(sent), last && ownId(last)];
  const answered = from === undefined || to === undefined ? body : body.replaceAll(from, to);
  return own === undefined || label === undefined ? answered : answered.replaceAll(own, label);
}

const idsIn = ({ begun }: Trace): readonly string[] =>
  [...begun.values()].flatMap((one) => Object.values(one)).filter((id) => typeof id === 'string' && id.length >= 4);

function likeSign(place: string, seen: readonly Seen[], redact: Redact): Sign | undefined {
  const [first] = seen;
  if (first === undefined || seen.some(isUnsent)) return undefined;
  if (seen.some(isLost)) {
    if (!seen.every(isLost)) return undefined;
    const isSilent = seen.every(({ sent }) => sent.exchange.failure?.kind === 'timeout');
    return { kind: isSilent ? 'silent' : 'no-answer', place };
  }
  const status = first.sent.exchange.response?.status ?? 0;
  if (!seen.every(({ sent }) => sent.exchange.response?.status === status)) return undefined;
  const bodies = seen.map((one) => bodyIn(one, first.trace, redact));
  const asked = first.trace.sent.map((sent) => `${flat(sent.body)}\n${sent.text ?? ''}`).join('\n');
  return { kind: 'like', place, status, pattern: patternOf(bodies, idsIn(first.trace), asked) };
}

/** The same for looks of a wait that were not the last: the script finds it among all of them. */
function polledSign(place: string, seen: readonly Seen[], redact: Redact): Sign | undefined {
  const sign = likeSign(place, seen, redact);
  return sign?.kind === 'like' ? { kind: 'polled', place, pattern: sign.pattern } : undefined;
}

function costSign(place: string, seen: readonly Seen[]): Sign {
  const bytes = Math.min(...seen.map(({ sent }) => sent.exchange.response?.body.length ?? 0));
  const asked = Math.max(...seen.map(({ sent: { body, exchange } }) => body.length + exchange.request.url.length));
  if (bytes > 20 * asked) return { kind: 'large', place, bytes: bytes >> 1 };
  const took = Math.min(...seen.map(({ sent }) => sent.exchange.durationMs));
  return { kind: 'slow', place, ms: Math.round(took / 2) };
}

/** The request that took longest: the trace lacks what an oracle measured outside of the case. */
const slowest = (trace: Trace): Sent | undefined =>
  trace.sent.toSorted((a, b) => b.exchange.durationMs - a.exchange.durationMs)[0];

/** The request that shows the symptom in one run, if it is one of that run. */
function shownBy(symptom: Symptom, trace: Trace): Sent | undefined {
  if (symptom.sent !== undefined && trace.sent.includes(symptom.sent)) return symptom.sent;
  return symptom.oracle === 'cost' ? slowest(trace) : undefined;
}

/**
 * Whether the answers that a script compares show the symptom. Where a probe of an oracle showed it, or an earlier look
 * of a wait, these answers are what every agent says.
 */
function isCovered({ oracle, sent, case: probe }: Symptom, trace: Trace): boolean {
  if (sent === undefined) return probe === undefined;
  if (!trace.sent.includes(sent) || isPassed(sent, trace)) return false;
  if (oracle !== 'unchanged') return true;
  // The symptom names the refused request; the next look shows the change.
  const next = trace.sent.find((one) => one.sentAt > sent.endedAt && one.step.operation === 'get');
  return next === undefined || !isPassed(next, trace);
}

/** What all answers have in common, request by request. */
function allSigns(traces: readonly Trace[], redact: Redact): readonly Sign[] {
  const tables = traces.map((trace) => ({ trace, table: lastAt(trace) }));
  return [...(tables[0]?.table.keys() ?? [])].flatMap((name) => {
    const seen = tables.flatMap(({ trace, table }) => {
      const sent = table.get(name);
      return sent === undefined ? [] : [{ sent, trace }];
    });
    return seen.length === tables.length ? (likeSign(name, seen, redact) ?? []) : [];
  });
}

/** Whether any answer matches it, as long as there is one. */
const isVague = (sign: Sign): boolean =>
  (sign.kind === 'polled' && sign.pattern === '') ||
  (sign.kind === 'like' && sign.pattern === '' && sign.status >= 200 && sign.status < 300);

/** The signs of a symptom; none where any answer would match them, so that a reader must decide. */
export function signsOf(symptom: Symptom, shown: readonly Attempt[], redact: Redact): readonly Sign[] {
  const signs = commonSigns(symptom, shown, redact);
  return signs.every(isVague) ? [] : signs;
}

/**
 * What all runs that showed a symptom have in common, as far as a shell can see it: for a symptom of one answer, that
 * answer; for others, all answers together. Empty: nothing is the same, or what is the same shows nothing.
 */
function commonSigns(symptom: Symptom, shown: readonly Attempt[], redact: Redact): readonly Sign[] {
  const { bucket, oracle } = symptom;
  const traces = shown.map(({ trace }) => trace);
  const [first] = traces;
  if (first === undefined) return [];
  const seen = shown.flatMap((attempt): readonly Seen[] => {
    const own = showing(bucket, attempt);
    const sent = own && shownBy(own, attempt.trace);
    return sent === undefined ? [] : [{ sent, trace: attempt.trace }];
  });
  const place = seen[0] && nameOf(seen[0].sent, first);
  if (oracle === 'alive' && (place === undefined || /\bdead\b/.test(bucket))) return [{ kind: 'dead' }];
  if (place !== undefined && seen.length === shown.length) {
    if (oracle === 'cost') return [costSign(place, seen)];
    const answers = seen.map(({ sent }) => sent);
    const single = ofOneAnswer(symptom);
    const passed = seen.some(({ sent, trace }) => isPassed(sent, trace));
    const relation = passed
      ? undefined
      : (lostId(place, symptom, answers, lastAt(first)) ??
        otherContext(place, symptom, traces.map(lastAt)) ??
        notFinal(place, symptom, answers) ??
        excess(place, symptom, answers) ??
        leafed(place, symptom, lastAt(first)) ??
        (single ? severalTasks(place, answers) : undefined));
    const like = passed ? polledSign : likeSign;
    const sign = relation ?? (single ? like(place, seen, redact) : undefined);
    if (sign !== undefined) return [sign];
  }
  const tables = traces.map(lastAt);
  const related = [
    ...lostMessage(symptom, tables),
    ...contradiction(symptom, tables),
    ...movedContext(symptom, tables),
  ];
  if (related.length > 0) return related;
  const opened = reopened(symptom, traces, lastAt(first));
  if (opened.length > 0) return opened;
  const isShown = shown.every((attempt) => {
    const own = showing(bucket, attempt);
    return own !== undefined && isCovered(own, attempt.trace);
  });
  return isShown ? allSigns(traces, redact) : [];
}
