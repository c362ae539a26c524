import type { CheckResult } from '../src/report/index.js';
import { type Exchanges, exhibitOf, operationOf } from './operation.js';

// A title says given, when, and what the subject must do. A failure shows the two halves apart: what came instead, and
// what was expected.

const turn = /^(.*?, )?(the agent|the client|the card|the extended card|every [a-z -]{1,40}?) (must|should|may) /is;

const articles: Readonly<Record<string, string>> = {
  array: 'an array',
  object: 'an object',
  integer: 'an integer',
  string: 'a string',
  number: 'a number',
  boolean: 'a boolean',
  'string or null': 'a string or null',
};
const named = (type: string): string => articles[type] ?? type;

/** What a finding of a schema says: the place, the rule, and the value that is there. */
const broken = /^((?:error of )?\S+) must (be .+?|match .+?|have .+?|NOT .+?)(?:, is ([^:]+))?: (.*)$/s;

/** "`card/skills` is missing" for "card/skills must be present, is missing: nothing". */
function placeClause(fact: string): string | undefined {
  // Further places of the same fault.
  const end = fact.search(/; (?:also|and \d+ more)|(?: \(and in \d+ more )/);
  const found = broken.exec(end < 0 ? fact : fact.slice(0, end));
  if (found === null) return undefined;
  const clause = firstPlace(found);
  return end < 0 ? clause : `${clause}${fact.slice(end)}`;
}

function firstPlace([, place = '', rule = '', kind, seen = '']: RegExpExecArray): string {
  if (rule === 'be present') return `\`${place}\` is ${kind ?? 'missing'}`;
  if (rule.startsWith('be left out')) return `\`${place}\` is null; a member without a value is left out`;
  const expected = rule.replace(/^be /, '');
  if (kind !== undefined) return `\`${place}\` is ${named(kind)}, not ${named(expected)}: ${seen}`;
  if (rule.startsWith('be one of ')) return `\`${place}\` is ${seen}, not ${expected}`;
  return `\`${place}\` must ${rule}, and is ${seen}`;
}

/** Facts that do not form a sentence by themselves are what the agent answered. */
const isAnswer = /^(error (-?\d|HTTP|[A-Z_]+[ :])|HTTP \d|an authentication error)/;

function clauseOf(fact: string): string {
  // What it answered stands in `actual`.
  if (/^it was accepted(?:, with the result |$)/.test(fact)) return 'the agent accepts it';
  return isAnswer.test(fact) ? `the agent answers with ${fact}` : (placeClause(fact) ?? fact);
}

/** A place in the card keeps its spelling. */
const capital = (text: string): string =>
  text.startsWith('card/') ? text : text.charAt(0).toUpperCase() + text.slice(1);
const sentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);

/** What came, without what was done for it: "The agent answers with error -32603." */
export const factOf = (check: CheckResult): string => sentence(capital(clauseOf(check.reason)));

/**
 * What is wrong, in one sentence: "When the client cancels it, the agent answers with error -32603." Errors of the kit
 * and entries of the baseline have no story, and keep their reason.
 */
export function problemOf({ title, reason, verdict, baseline }: CheckResult): string {
  if (reason === '' || verdict === 'error' || baseline === 'stale') return reason;
  return sentence(capital(`${turn.exec(title)?.[1] ?? ''}${clauseOf(reason)}`));
}

/** What was expected, in one sentence: "The agent must return a canceled task." */
export function expectationOf({ title, expected }: CheckResult): string {
  const found = turn.exec(title);
  return sentence(capital(found === null ? expected || title : title.slice(found[1]?.length ?? 0)));
}

/** A failure that stands alone: what was sent, what came, what was wanted. Contains text of the agent. */
export interface FailureText {
  /** The request alone: `SendMessage (exchange x12)`; undefined: none shows it. */
  readonly request: string | undefined;
  readonly sent: string;
  readonly actual: string;
  readonly expected: string;
}

/** What the story does before its turn: "Given a task, when the client cancels it". */
const doing = (title: string): string => (turn.exec(title)?.[1] ?? '').replace(/, $/, '');

/** The three halves of a failure. The request is the one that shows it; without one, the story says what was done. */
export function failureTextOf(check: CheckResult, exchanges: Exchanges): FailureText {
  const exhibit = exhibitOf(check, exchanges);
  const request = exhibit === undefined ? undefined : `${operationOf(exhibit)} (exchange ${exhibit.id})`;
  const done = doing(check.title);
  const sent = [...(request === undefined ? [] : [request]), ...(done === '' ? [] : [capital(done)])];
  const count = check.exchanges.length;
  // A reason of a few words leaves out what came, which stands beside it.
  const actual = /^it was accepted, with the result /.test(check.reason)
    ? `The agent accepts it: ${check.reason.replace(/^it was accepted, with the result /, '')}`
    : factOf(check);
  return {
    request,
    sent:
      sent.length > 0
        ? sent.join(': ')
        : count > 0
          ? `${count} requests, for ${check.id}`
          : 'nothing for it alone: it is read from what other checks sent',
    actual,
    expected: expectationOf(check),
  };
}
