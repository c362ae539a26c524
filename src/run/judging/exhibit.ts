import { describe, type Outcome } from '../../kit/index.js';
import { bodyText, curlOf, type Exchange, type Redactor } from '../../wire/index.js';

// Chooses the exchange that shows a failure: the one that the failure was read from, so that its curl line repeats it.

/** The command that sends the request again, without secrets. The answer, which may have megabytes, is not looked at. */
export const curlFor = ({ response: _, ...sent }: Exchange, redactor: Redactor): string =>
  curlOf(redactor.redactExchange(sent));

type Answered = Exclude<Outcome<unknown>, { kind: 'not-sent' }>;

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

export const isOutcome = (value: unknown): value is Outcome<unknown> =>
  isObject(value) && 'kind' in value && ('exchange' in value || value['kind'] === 'not-sent');

const isAnswered = (value: unknown): value is Answered => isOutcome(value) && value.kind !== 'not-sent';

const isExchange = (value: unknown): value is Exchange =>
  isObject(value) && 'request' in value && 'startedAt' in value && 'id' in value;

/** A part of a check's result that has an exchange. */
interface Candidate {
  readonly exchange: Exchange;
  /** Its description in a reason: that it was accepted, or how it was refused. */
  readonly shown: string | undefined;
  /** The name of the part that it belongs to, where the parts have names. */
  readonly about: string | undefined;
}

/** A check returns few parts; their contents (tasks, cards) are not searched. */
const deepest = 4;
const mostParts = 400;

/** Outcomes and exchanges in the result of a check, in order; the `exhibit` of a part comes before its outcome. */
function candidatesIn(seen: unknown): readonly Candidate[] {
  const found: Candidate[] = [];
  let parts = 0;
  function look(value: unknown, depth: number, about: string | undefined): void {
    if (!isObject(value) || parts++ > mostParts) return;
    if (isAnswered(value)) found.push({ exchange: value.exchange, shown: describe(value), about });
    else if (isExchange(value)) found.push({ exchange: value, shown: undefined, about });
    else if (depth < deepest && !isOutcome(value)) {
      const named = typeof value['about'] === 'string' && value['about'] !== '' ? value['about'] : about;
      if ('exhibit' in value) look(value['exhibit'], depth + 1, named);
      for (const [name, part] of Object.entries(value)) if (name !== 'exhibit') look(part, depth + 1, named);
    }
  }
  look(seen, 0, undefined);
  return found;
}

const mostWords = 24;
/** Bytes of each body that are searched. */
const mostText = 64 * 1024;
const mostCandidates = 60;

/** Ids, names of members, codes and numbers in a reason: its exchange should contain them too. */
const wordsOf = (reason: string): readonly string[] =>
  [...new Set(reason.slice(0, 2000).match(/[\w.:/-]{4,}|-?\d{2,}/g) ?? [])].slice(0, mostWords);

/** How many words of a reason an exchange contains: those in the answer count double. */
function score({ request, response }: Exchange, words: readonly string[]): number {
  const came = bodyText(response?.body.subarray(0, mostText));
  const sent = `${request.url} ${bodyText(request.body?.subarray(0, mostText))}`;
  return words.reduce((sum, word) => sum + (came.includes(word) ? 2 : 0) + (sent.includes(word) ? 1 : 0), 0);
}

/** The first exchange with the highest score. */
function bestOf(exchanges: readonly Exchange[], reason: string): Exchange | undefined {
  const words = wordsOf(reason);
  let best: { readonly exchange: Exchange; readonly points: number } | undefined;
  for (const exchange of exchanges.slice(0, mostCandidates)) {
    const points = score(exchange, words);
    if (best === undefined || points > best.points) best = { exchange, points };
  }
  return best?.exchange;
}

/** The reader cannot repeat what the agent sent to a webhook. */
const isRepeatable = ({ toWebhook, id }: Exchange): boolean => toWebhook !== true && id !== 'unsent';

/**
 * The exchange that a judgement was read from. `seen`: the value that the check returned; `sent`: all exchanges that it
 * sent or relied on, in order, for checks whose value has no exchange.
 */
export function exhibitOf(reason: string, seen: unknown, sent: readonly Exchange[]): Exchange | undefined {
  if (isOutcome(seen)) return seen.kind === 'not-sent' ? undefined : seen.exchange;
  if (isObject(seen) && isExchange(seen['exhibit'])) return seen['exhibit'];
  const all = candidatesIn(seen);
  const named = all.filter(({ about }) => about !== undefined && reason.includes(about));
  const candidates = named.length > 0 ? named : all;
  const shown = candidates.find((candidate) => candidate.shown !== undefined && reason.includes(candidate.shown));
  if (shown !== undefined) return shown.exchange;
  if (named.length > 0) return named[0]?.exchange;
  const own = candidates.map(({ exchange }) => exchange);
  return bestOf(own.filter(isRepeatable), reason) ?? bestOf([...sent].reverse().filter(isRepeatable), reason);
}
