import { type MessagesSeen, sendsSilent } from '../../client/index.js';
import { type Dialect, methodOf } from '../../dialect/index.js';
import {
  type Clue,
  describe,
  errorOf,
  noteOf,
  type Operation,
  type Outcome,
  plural,
  type Reading,
  type Recorded,
  type Rule,
  type Scene,
  type Stuck,
  seconds,
  suiteOf,
  type Target,
} from '../../kit/index.js';
import type { Ledger } from '../../ledger/index.js';
import { canParseUrl, isTerminal, type Task } from '../../model/index.js';
import type { Cause, CheckResult } from '../../report/index.js';
import { bodyText, type Exchange, excerpt, header, type Redactor } from '../../wire/index.js';
import { describeRedirect, type Redirect } from '../detection/redirects.js';
import type { Planned } from '../planning/plan.js';
import type { Death } from '../schedule/guard.js';
import { isLost, isOfDrop } from '../schedule/guard.js';
import { raiseLimit } from './acceptance.js';
import { isOfCard } from './binding.js';
import { curlFor } from './exhibit.js';
import type { Queued } from './one-by-one.js';
import { credentialsAdvice, type FailedControl } from './sanity-controls.js';
import { foreignAnswers, unreadVersion } from './shared-answers.js';

// A cause is a fact about the whole agent, reported once. A check that cannot be judged because of it does not fail,
// but names the cause. If the cause itself breaks a sentence, one failure stays. Failures that are read from one and the
// same answer stay failures, and the report shows them as one.

/** Everything that is known after the last request. */
export interface Seen {
  readonly planned: readonly Planned[];
  /** By id of the check. */
  readonly results: ReadonlyMap<string, CheckResult>;
  readonly readings: readonly Reading[];
  readonly target: Target;
  readonly dialect: Dialect;
  readonly ledger: Ledger;
  readonly doubt: FailedControl | undefined;
  /** Tasks that were accepted and did not move, by id, and what was seen of each. */
  readonly stuck: ReadonlyMap<string, Stuck>;
  /** What of the agent kept checks from being judged, by their ids. */
  readonly clues: ReadonlyMap<string, Clue>;
  /** Calls that waited behind others, by id, where the agent answers one at a time. */
  readonly queued: ReadonlyMap<string, Queued> | undefined;
  readonly messages: MessagesSeen;
  /** Exchanges that show a task that waits while the agent works on others of the kit: how many, by id. */
  readonly waiting: ReadonlyMap<string, number>;
  readonly deaths: readonly Death[];
  /** Why the kit stopped sending; undefined: it did not. */
  readonly gone: string | undefined;
  readonly redirect: Redirect | undefined;
  /** Set if callers sign their requests. */
  readonly signing: Scene['signing'];
  /** The pack of payments, if they are judged. */
  readonly charging: string | undefined;
  readonly redactor: Redactor;
}

interface Known {
  readonly id: string;
  readonly fact: string;
  readonly advice: string;
  /** The exchanges that show it. */
  readonly shownBy: readonly Exchange[];
  /** Whether the cause explains this answer, or its absence, so that it says nothing about the request. */
  covers(recorded: Recorded): boolean;
  /** Keys of the rows about the cause itself: failures of their checks stay. */
  readonly owners?: readonly string[];
  /** Something is broken: if no owner fails, the first failure stays. */
  readonly isFault?: boolean;
  /** Laws of these suites have nothing to judge because of it. */
  readonly suites?: readonly string[];
  /** Whether an inconclusive result comes of it. */
  explains?(result: CheckResult, clue: Clue | undefined): boolean;
  /** No check that needs a call can be judged because of it. */
  readonly isOfAll?: boolean;
  /** Reported even if no check is affected. */
  readonly isTold?: true;
  /** Inconclusive results give it as their reason: what they would advise is of no use. */
  readonly isReason?: true;
  /** Failures that are read from such answers alone stay failures, and the report shows them as one. */
  shares?(recorded: Recorded): boolean;
}

/** Equal for answers that are the same for the same reason; undefined: not comparable. */
function signatureOf(outcome: Outcome<unknown>): string | undefined {
  switch (outcome.kind) {
    case 'refusal':
      return `refusal ${errorOf(outcome)} ${outcome.exchange.response?.status === 404 ? 404 : ''}`;
    case 'invalid-response':
      // Here only the form of the result is wrong.
      return outcome.fault === 'unreadable' || outcome.fault === 'no-envelope'
        ? undefined
        : `broken ${outcome.fault} ${outcome.exchange.response?.status}`;
    default:
      return undefined;
  }
}

interface Standing {
  readonly kind: Outcome<unknown>['kind'];
  readonly signature: string | undefined;
}
/** What causes compare of the outcomes of a run. */
export const standingOf = noteOf(({ outcome }): Standing => ({ kind: outcome.kind, signature: signatureOf(outcome) }));

const titleOf = ({ call, fetches, purpose }: Exchange): string => call?.operation ?? fetches ?? purpose;
/** "x57 (CancelTask, sent for task/cancel-returns-task)". */
const nameOf = (exchange: Exchange, { dialect }: Pick<Seen, 'dialect'>): string => {
  const operation = exchange.call?.operation;
  const title = (operation && methodOf(dialect, operation)) ?? titleOf(exchange);
  return `${exchange.id} (${title === exchange.purpose ? title : `${title}, sent for ${exchange.purpose}`})`;
};

const numberOf = (id: string): number => Number(id.slice(1));

function redirected({ redirect }: Seen): readonly Known[] {
  if (redirect === undefined) return [];
  const { exchange, status, stopped, to } = redirect;
  const whither = excerpt(to, 200);
  const advice = {
    'another origin': `--allow-origin ${canParseUrl(to) ? new URL(to).origin : to} lets the kit follow it; or name that URL in the card`,
    'not for a POST': 'clients do not repeat a POST after it: answer 307 or 308, or name the endpoint in the card',
    'a loop': 'let the endpoint answer without redirects',
    none: [301, 302].includes(status)
      ? 'the kit calls that URL by POST, which many clients do not do after it: answer 308, or name that URL in the card'
      : 'the kit calls that URL for the whole run; name it in the card, for not every client follows',
  }[stopped ?? 'none'];
  const fact =
    stopped === undefined
      ? `the endpoint redirects to ${whither} (HTTP ${status})`
      : `the endpoint cannot be called: ${describeRedirect(redirect)}`;
  const isAway = ({ exchange }: Recorded): boolean => {
    const found = exchange.response;
    return (
      stopped !== undefined &&
      found !== undefined &&
      found.status >= 300 &&
      found.status < 400 &&
      header(found.headers, 'location') !== undefined
    );
  };
  return [
    {
      id: 'redirect',
      fact,
      advice,
      shownBy: [exchange],
      covers: isAway,
      isTold: true,
      isOfAll: stopped !== undefined,
    },
  ];
}

function died(seen: Seen): readonly Known[] {
  const { deaths, gone } = seen;
  if (deaths.length === 0) return [];
  const [first] = deaths;
  const suspects = deaths.flatMap((death) => death.suspects);
  const names = (first?.suspects ?? []).slice(0, 4).map((exchange) => nameOf(exchange, seen));
  const isSeveral = (first?.suspects.length ?? 0) > 1;
  const wasAnswered = first?.suspects.every(({ failure }) => failure === undefined);
  const which = isSeveral
    ? `while these were under way: ${names.join(', ')}`
    : `${wasAnswered ? 'right after it answered' : 'of'} ${names[0] ?? 'a request'}`;
  const again = deaths.length > 1 ? `, and ${plural(deaths.length - 1, 'more time', 'more times')}` : '';
  const isBack = deaths.every((death) => death.isBack);
  const verb = first?.isSure === true ? 'died' : 'no longer answers';
  const fact =
    first?.isSure === true
      ? `the agent ${verb} ${which}${again}${isBack ? ', and came back' : ''}`
      : `the agent ${first?.status === undefined ? verb : `answers each request with HTTP ${first.status}`}, since ${names[0] ?? 'a request'}`;
  const lost = new Set(deaths.flatMap((death) => [...death.lost]));
  return [
    {
      id: 'died',
      fact,
      advice: `send ${isSeveral ? 'each of them' : 'that request'} to it again, alone, and look into its log`,
      shownBy: suspects,
      covers: ({ exchange }) => lost.has(exchange.id),
      // An agent that answers nothing gives no response.
      owners: first?.isSure === true ? [] : ['rpc.response-object'],
      isFault: first?.isSure === true,
      isTold: true,
      explains: ({ reason }) => gone !== undefined && reason.includes(gone),
    },
  ];
}

/** Whether a check ran both before and after the agent died and came back. */
const straddles = (result: CheckResult, deaths: readonly Death[]): boolean =>
  deaths.some(({ lost, isBack }) => {
    const at = Math.min(...[...lost].map(numberOf));
    const ids = result.exchanges.map(numberOf);
    return isBack && ids.some((id) => id < at) && ids.some((id) => id > at);
  });

/** One cause for each lost connection, however many checks rely on it. */
function dropped(seen: Seen): readonly Known[] {
  const { readings, deaths } = seen;
  const dead = new Set(deaths.flatMap(({ lost }) => [...lost]));
  return readings
    .filter(({ exchange }) => isLost(exchange) && exchange.response === undefined && !dead.has(exchange.id))
    .filter(({ exchange }) => !isOfDrop(exchange))
    .map(({ exchange }) => ({
      id: `dropped:${titleOf(exchange)}`,
      fact: `the agent dropped the connection of ${nameOf(exchange, seen)}`,
      advice: 'send that request to it again, alone, and look into its log',
      shownBy: [exchange],
      covers: (reading) => reading.exchange.id === exchange.id,
      isFault: true,
    }));
}

/** RFC 9113 §5.4.2: the end of one stream does not concern the others; no sentence of A2A says so. */
function ended(seen: Seen): readonly Known[] {
  const lost = seen.readings.filter(({ exchange }) => isOfDrop(exchange));
  const [first, ...more] = lost;
  if (first === undefined) return [];
  const others = more.length === 0 ? '' : ` and ${plural(more.length, 'other call')}`;
  return [
    {
      id: 'connection-ended',
      fact: `the server ends a connection of HTTP/2 when one call on it is dropped, which took ${nameOf(first.exchange, seen)}${others} with it`,
      advice:
        'let a stream that is canceled end alone (RFC 9113 §5.4.2): other calls of the same client share the connection',
      shownBy: lost.slice(0, 5).map(({ exchange }) => exchange),
      covers: ({ exchange }) => isOfDrop(exchange),
      isTold: true,
    },
  ];
}

function denied(seen: Seen): readonly Known[] {
  const { doubt, readings } = seen;
  const isAll = doubt?.cause.id === 'credentials';
  const isDenied = (recorded: Recorded): boolean => standingOf(recorded).kind === 'denied' && (isAll || recorded.valid);
  const found = readings.filter((reading) => isDenied(reading) && reading.exchange.purpose !== 'detection');
  const [first] = found;
  if (first === undefined) return [];
  const methods = new Set(found.flatMap(({ operation }) => (operation && methodOf(seen.dialect, operation)) ?? []));
  const verb = methods.size === 1 ? 'is' : 'are';
  const isOpen = !isAll && Object.keys(seen.target.card.securitySchemes).length === 0;
  const fact = isAll ? doubt.cause.fact : `${[...methods].join(', ')} ${verb} denied: ${describe(first.outcome)}`;
  return [
    {
      id: 'credentials',
      fact,
      advice: isOpen
        ? 'the card declares no security: let callers without credentials have it, or declare what it wants'
        : credentialsAdvice(seen),
      shownBy: [first.exchange],
      covers: isDenied,
      isOfAll: isAll,
    },
  ];
}

function overloaded({ doubt, readings, planned, signing }: Seen): readonly Known[] {
  const isAll = doubt?.cause.id === 'overloaded';
  const isBusy = (recorded: Recorded): boolean =>
    standingOf(recorded).kind === 'busy' || (isAll && recorded.exchange.response?.status === 503);
  const first = readings.find(isBusy);
  if (first === undefined) return [];
  const fact = isAll ? doubt.cause.fact : `the agent limits its callers: ${describe(first.outcome)}`;
  return [
    {
      id: 'overloaded',
      fact,
      advice: raiseLimit,
      shownBy: [first.exchange],
      covers: isBusy,
      // Checks of the rate limit judge this answer themselves.
      owners: planned.flatMap(({ rows }) =>
        rows.flatMap(({ key = '' }) => (key.startsWith(`${signing?.pack}.rate-`) ? [key] : [])),
      ),
      isOfAll: isAll,
    },
  ];
}

interface Family {
  readonly id: string;
  readonly operations: readonly Operation[];
  readonly owner: string;
  readonly suites?: readonly string[];
  /** Errors that say, in answer to a valid request, that the operation does not exist. */
  readonly missing: readonly string[];
  /** Left out: always. */
  isDue?(target: Target): boolean;
}

/** 0.3 §8.2, 1.0 §3.3.2. Not UnsupportedOperation for subscribe: the agent may mean the task, which has ended. */
const families: readonly Family[] = [
  {
    id: 'get',
    operations: ['get'],
    owner: 'get.implemented',
    missing: ['MethodNotFound', 'UnsupportedOperation'],
  },
  {
    id: 'cancel',
    operations: ['cancel'],
    owner: 'cancel.implemented',
    missing: ['MethodNotFound', 'UnsupportedOperation'],
  },
  {
    id: 'list',
    operations: ['list'],
    owner: 'list.implemented',
    suites: ['list'],
    missing: ['MethodNotFound', 'UnsupportedOperation'],
  },
  {
    id: 'stream',
    operations: ['stream', 'subscribe'],
    owner: 'stream.implemented',
    suites: ['stream'],
    missing: ['MethodNotFound', 'UnsupportedOperation'],
    isDue: ({ card }) => card.capabilities.streaming,
  },
  {
    id: 'subscribe',
    operations: ['subscribe'],
    owner: 'sub.implemented',
    missing: ['MethodNotFound'],
    isDue: ({ card }) => card.capabilities.streaming,
  },
  {
    id: 'push',
    operations: ['pushSet', 'pushGet', 'pushList', 'pushDelete'],
    owner: 'push.implemented',
    suites: ['push'],
    missing: ['MethodNotFound', 'UnsupportedOperation', 'PushNotificationNotSupported'],
    isDue: ({ card }) => card.capabilities.push,
  },
];

/** Operations that get the same wrong answer to every request: nothing else can be learned about them. */
function missing({ readings, target, dialect, ledger, doubt, deaths, redirect }: Seen): readonly Known[] {
  // Such a doubt is about the whole agent, not about one operation.
  if (doubt !== undefined && doubt.cause.id !== 'no-message' && doubt.cause.id !== 'not-sent') return [];
  if (redirect?.stopped !== undefined) return [];
  const dead = new Set(deaths.flatMap(({ lost }) => [...lost]));
  return families.flatMap((family): readonly Known[] => {
    const { id, operations, owner, suites = [] } = family;
    if (family.isDue?.(target) === false || ledger.row(owner as never) === undefined) return [];
    const asked = readings.filter(({ operation, exchange }) => {
      const counts = operation !== undefined && operations.includes(operation);
      return counts && exchange.purpose !== 'detection' && !dead.has(exchange.id);
    });
    const valid = asked.filter((reading) => reading.valid && standingOf(reading).kind !== 'not-sent');
    const first = valid.find(({ operation }) => operation === operations[0]) ?? valid[0];
    const signature = first && standingOf(first).signature;
    if (first === undefined || signature === undefined) return [];
    const error = first.outcome.kind === 'refusal' ? first.outcome.error : undefined;
    const isMissing = error !== undefined && family.missing.includes(error);
    // A single different answer shows that the agent handles the operation.
    if (!asked.every((reading) => standingOf(reading).signature === signature)) return [];
    if (!isMissing && (asked.length < 2 || (first.outcome.kind === 'refusal' && error !== 'InternalError'))) return [];
    const answer = describe(first.outcome);
    const method = first.operation && methodOf(dialect, first.operation);
    const what = id === 'stream' ? 'no stream ever opens' : `${method} is ${isMissing ? 'not there' : 'broken'}`;
    return [
      {
        id: `operation:${id}`,
        fact: `${what}: ${answer}`,
        advice: isMissing
          ? 'serve it, or do not declare it where it is optional'
          : 'call it by hand with the request shown here, and look into the log of the agent',
        shownBy: [first.exchange],
        covers: (recorded) =>
          recorded.operation !== undefined &&
          operations.includes(recorded.operation) &&
          standingOf(recorded).signature === signature,
        owners: [owner],
        isFault: !isMissing,
        suites,
      },
    ];
  });
}

function silent({ messages: { silent: second, streams }, dialect, doubt }: Seen): readonly Known[] {
  if (second === undefined) return [];
  const method = methodOf(dialect, 'send');
  const seconds = Math.round(second.exchange.durationMs / 100) / 10;
  const others = streams?.read === true ? '; messages that are streamed are answered' : '';
  return [
    {
      id: 'silent',
      fact: `${method} got no answer within ${seconds} s, two times, and was called no more${others}`,
      advice: 'call it by hand with the request shown here, or raise --timeout if the agent takes longer',
      shownBy: [second.exchange],
      covers: ({ operation, exchange }) => operation === 'send' && exchange.failure?.kind === 'timeout',
      owners: ['send.non-blocking'],
      isTold: true,
      explains: ({ reason }) => reason.includes(sendsSilent),
      isOfAll: doubt?.cause.id === 'late',
    },
  ];
}

/** The URIs of the extensions that the card requires, for messages. */
const requiredBy = ({ card }: Target): string =>
  excerpt(
    card.capabilities.extensions
      .filter(({ required }) => required)
      .map(({ uri }) => uri)
      .join(', '),
    200,
  );

/** The kit asks for extensions that it does not know, which may change what the agent does. */
function extended({ messages: { unextended }, target }: Seen): readonly Known[] {
  if (unextended === undefined || !('exchange' in unextended)) return [];
  return [
    {
      id: 'extensions',
      fact: `messages are refused that do not ask for what the card requires, so each call asks for ${requiredBy(target)}`,
      advice: 'the kit does not know what these extensions ask for; a second agent without them is judged in full',
      shownBy: [unextended.exchange],
      covers: () => false,
      isTold: true,
    },
  ];
}

/** Answers from which several failures are read. */
function shared(seen: Seen): readonly Known[] {
  const { redirect, doubt, deaths } = seen;
  // Redirects, deaths, limits and a want of credentials say more than the answers that come of them.
  const isExplained =
    redirect?.stopped !== undefined ||
    deaths.length > 0 ||
    ['credentials', 'overloaded'].includes(doubt?.cause.id ?? '');
  const answers = [...(isExplained ? [] : foreignAnswers(seen)), ...unreadVersion(seen)];
  return answers.map((answer) => ({
    ...answer,
    covers: () => false,
    ...(answer.isOfAll ? ({ isTold: true } as const) : {}),
  }));
}

function unaccepted({ doubt, redirect, messages, target }: Seen, before: readonly Known[]): readonly Known[] {
  // It says the same of one of the calls.
  if (before.some(({ shares, isOfAll }) => shares !== undefined && isOfAll === true)) return [];
  const control = doubt?.cause;
  if (control?.id === 'late' && messages.silent !== undefined) return [];
  if (control === undefined || control.id === 'credentials' || control.id === 'overloaded') return [];
  if (redirect?.stopped !== undefined) return [];
  const { id, outcome } = control;
  const required = requiredBy(target);
  const isForExtensions = id === 'no-message' && outcome?.kind === 'refusal' && required !== '';
  const more = isForExtensions ? `, also with the extensions that the card requires: ${required}` : '';
  const fact = `${control.fact}${more}`;
  const advice = isForExtensions ? 'the kit cannot send what they ask for: test an agent without them' : control.advice;
  const signature = outcome && signatureOf(outcome);
  const shownBy = outcome === undefined || outcome.kind === 'not-sent' ? [] : [outcome.exchange];
  return [
    {
      id,
      fact,
      advice,
      shownBy,
      covers: (recorded) =>
        id === 'no-message' &&
        signature !== undefined &&
        (recorded.operation === 'send' || recorded.operation === 'stream') &&
        standingOf(recorded).signature === signature,
      owners: isForExtensions
        ? ['ext.required-accepted']
        : [
            'send.implemented',
            'ext.required-accepted',
            outcome?.kind === 'invalid-response' ? 'rpc.response-object' : 'send.part-forms',
          ],
      isOfAll: true,
    },
  ];
}

const isOfUnmoved = (_: CheckResult, clue: Clue | undefined): boolean => clue === 'unmoved';

/** Tasks that were accepted and do not move: no sentence says when a task ends, and no run on such an agent is whole. */
function stalled({ stuck, readings, waiting }: Seen): readonly Known[] {
  const [first] = stuck;
  // A task that waits for a worker does not move either.
  if (first === undefined || waiting.size > 0) return [];
  const [id, { fact }] = first;
  const others = new Set([...stuck.values()].map(({ prompt }) => prompt)).size - 1;
  const shows = ({ operation, exchange }: Recorded): boolean =>
    operation === 'get' && bodyText(exchange.response?.body).includes(id);
  const shown = readings.findLast(shows);
  return [
    {
      id: 'stalled',
      fact: others === 0 ? fact : `${fact} (and ${plural(others, 'other prompt')})`,
      advice: 'look into the log of the agent, or raise --timeout if its work takes longer',
      shownBy: shown === undefined ? [] : [shown.exchange],
      covers: () => false,
      isTold: true,
      explains: isOfUnmoved,
    },
  ];
}

/** An accepted cancel after which the task was never seen canceled: success is not guaranteed (AMB03-25, AMB10-67). */
function uncanceled({ results, clues, readings, dialect }: Seen): readonly Known[] {
  const isOpen = ({ id, verdict }: CheckResult): boolean =>
    verdict === 'inconclusive' && clues.get(id) === 'uncanceled';
  if (![...results.values()].some(isOpen)) return [];
  const isKept = ({ operation, outcome, valid }: Reading): boolean =>
    valid && operation === 'cancel' && outcome.kind === 'result' && !isTerminal((outcome.value as Task).status.state);
  const shown = readings.find(isKept);
  return [
    {
      id: 'uncanceled',
      fact: `${methodOf(dialect, 'cancel')} is accepted and changes nothing: the task was never seen canceled`,
      advice: 'stop the work, or answer that the task cannot be canceled: who cancels takes the answer for success',
      shownBy: shown === undefined ? [] : [shown.exchange],
      covers: () => false,
      isTold: true,
      explains: isOpen,
    },
  ];
}

/** Work of the kit that the agent does not end keeps its workers from other tasks. */
function occupied(seen: Seen): readonly Known[] {
  const { waiting, readings, dialect } = seen;
  const isWaiting = ({ exchange }: Recorded): boolean => waiting.has(exchange.id);
  const [first, ...more] = readings.filter(isWaiting);
  if (first === undefined) return [];
  const least = Math.min(...[first, ...more].map(({ exchange }) => waiting.get(exchange.id) ?? 0));
  const isLate = first.exchange.failure?.kind === 'timeout';
  const what = isLate
    ? `got no answer for ${seconds(first.exchange.durationMs)}`
    : 'shows a task that the agent has not begun';
  return [
    {
      id: 'occupied',
      fact: `the agent works on few tasks at a time, and ${plural(least, 'task')} of the kit's own went on: ${nameOf(first.exchange, seen)} ${what}`,
      advice: `let ${methodOf(dialect, 'cancel')} end the work, or give the agent more workers; --concurrency 1 has fewer tasks at work at a time`,
      shownBy: [first.exchange],
      covers: isWaiting,
      explains: isOfUnmoved,
      isReason: true,
    },
  ];
}

/** What waits behind another call says nothing about its request. */
function serial(seen: Seen): readonly Known[] {
  const { queued } = seen;
  const all = [...(queued?.values() ?? [])];
  const [first] = all.sort((exchange, other) => other.exchange.durationMs - exchange.exchange.durationMs);
  if (first === undefined) return [];
  const { exchange, behind } = first;
  const isAnswered = exchange.failure === undefined ? 'had to wait' : 'got no answer';
  return [
    {
      id: 'serial',
      fact: `the agent answers one request at a time: ${nameOf(exchange, seen)} ${isAnswered} for ${seconds(exchange.durationMs)}, behind ${nameOf(behind, seen)}, and no request was answered before an earlier one`,
      advice:
        'give its server more workers, since a client that reads a stream sends other requests, too; until then test it with --concurrency 1',
      shownBy: [exchange, behind],
      covers: (recorded) => recorded.exchange.failure?.kind === 'timeout' && queued?.has(recorded.exchange.id) === true,
      // Other calls are sent while a stream is open.
      explains: ({ suite, exchanges }, clue) =>
        (suite === 'stream' || clue === 'unmoved') && exchanges.some((id) => queued?.has(id) === true),
      isReason: true,
    },
  ];
}

/** In order of priority: the first that fits a result is its cause. Each kind is given what those before it found. */
const kinds: readonly ((seen: Seen, before: readonly Known[]) => readonly Known[])[] = [
  redirected,
  died,
  ended,
  denied,
  overloaded,
  serial,
  occupied,
  silent,
  shared,
  unaccepted,
  missing,
  dropped,
  stalled,
  extended,
  uncanceled,
];

const orderOf = { must: 0, should: 1, may: 2 } as const;

/** Checks before laws, MUST before SHOULD before MAY: the failure that stays should say the most. */
const inOrder = (planned: readonly Planned[]): readonly Planned[] =>
  planned
    .map((check, at) => ({ check, at }))
    .sort(
      (a, b) =>
        Number(a.check.rule.kind === 'law') - Number(b.check.rule.kind === 'law') ||
        orderOf[a.check.level] - orderOf[b.check.level] ||
        a.at - b.at,
    )
    .map(({ check }) => check);

/** Rules about callers, payments and the card: for these a refusal is evidence. */
const isOfRefusals = (rule: Rule, { signing, charging }: Pick<Seen, 'signing' | 'charging'>): boolean =>
  /^(auth|card|signature)\//.test(rule.id) || [signing?.pack, charging].includes(suiteOf(rule));

const isRefusal = (recorded: Recorded | undefined): boolean =>
  recorded !== undefined && ['refusal', 'denied'].includes(standingOf(recorded).kind);

const owns = ({ owners = [] }: Known, { rows }: Planned): boolean => rows.some(({ key }) => owners.includes(key ?? ''));

/** The check that asks whether the agent survives bad input. */
const isOfDeath = ({ id }: Rule): boolean => id === 'rpc/survives-bad-input';

/**
 * The one check that fails because the agent died, and the reason: the check that asks for survival, if it saw the
 * death; else, for a valid request, the law of JSON-RPC 2.0 §5 that a call gets a response. Undefined: the first
 * failure caused by the death stays, if there is one.
 */
function deathOf(
  { id, shownBy, covers }: Known,
  seen: Seen,
): { readonly check: Planned; readonly reason: string } | undefined {
  const { planned, results, readings, deaths, dialect } = seen;
  if (id !== 'died') return undefined;
  const touched = new Set(
    [...shownBy, ...readings.filter(covers).map(({ exchange }) => exchange)].map((exchange) => exchange.id),
  );
  const asking = planned.find(({ rule }) => isOfDeath(rule));
  const asked = asking && results.get(asking.rule.id);
  if (asking !== undefined && asked?.verdict !== 'pass' && asked?.exchanges.some((id) => touched.has(id)) === true) {
    return { check: asking, reason: asked.verdict === 'fail' ? asked.reason : 'the agent did not live on' };
  }
  const [deadly, ...others] = shownBy;
  const isPlain = deadly?.failure?.kind === 'reset' && deadly.call?.valid === true;
  const replies = planned.find(
    ({ rule, rows }) => rule.kind === 'law' && rows.some(({ key }) => key === 'rpc.response-object'),
  );
  const isOne = others.length === 0 || deaths.length > 1;
  if (!isPlain || !isOne || replies === undefined || deaths.some(({ isSure }) => !isSure)) return undefined;
  return { check: replies, reason: `no response came to ${nameOf(deadly, { dialect })}: the agent died of it` };
}

function deathShown(result: CheckResult, { shownBy }: Known, reason: string, redactor: Redactor): CheckResult {
  const [deadly] = shownBy;
  return {
    ...result,
    verdict: 'fail',
    reason: redactor.text(reason),
    actual: redactor.text(deadly?.failure?.detail ?? reason),
    exchanges: result.verdict === 'fail' || deadly === undefined ? result.exchanges : [deadly.id],
    ...(deadly === undefined ? {} : { exhibit: deadly.id, curl: curlFor(deadly, redactor) }),
  };
}

/** The exchanges that a failure was read from. */
const shownIn = ({ rule }: Planned, { exchanges, exhibit }: CheckResult): readonly string[] =>
  rule.kind === 'law' ? exchanges : exhibit === undefined ? [] : [exhibit];

/** The results with the causes applied, in the order of the plan, and the causes. */
export function causesOf(seen: Seen): {
  readonly checks: readonly CheckResult[];
  readonly causes: readonly Cause[];
} {
  const { planned, results, readings, deaths, redactor } = seen;
  const known: Known[] = [];
  for (const kind of kinds) known.push(...kind(seen, known));
  const byId = new Map(readings.map((reading) => [reading.exchange.id, reading]));
  const isCovered = (cause: Known, id: string): boolean => {
    const reading = byId.get(id);
    return reading !== undefined && cause.covers(reading);
  };
  const isShared = (cause: Known, id: string): boolean => {
    const reading = byId.get(id);
    return reading !== undefined && cause.shares?.(reading) === true;
  };
  /** Causes that already have the one failure that stays. */
  const claimed = new Set(
    known.filter((cause) =>
      planned.some((check) => owns(cause, check) && results.get(check.rule.id)?.verdict === 'fail'),
    ),
  );

  const deadly = known
    .map((cause) => ({ cause, death: deathOf(cause, seen) }))
    .find(({ death }) => death !== undefined);
  if (deadly !== undefined) claimed.add(deadly.cause);

  function causeOfFailure(check: Planned, result: CheckResult): Known | undefined {
    const shown = shownIn(check, result);
    const cause = known.find(
      (each) =>
        (shown.length > 0 && shown.every((id) => isCovered(each, id))) ||
        (each.id === 'died' && straddles(result, deaths)),
    );
    if (cause === undefined || owns(cause, check)) return undefined;
    // The form and code of a refusal can be judged whatever its reason.
    const isOfForm = check.rule.kind === 'law' && !check.rows.some(({ key }) => key === 'rpc.method-names');
    if (isOfForm && shown.some((id) => isRefusal(byId.get(id)))) return undefined;
    if (cause.id === 'credentials' && isOfRefusals(check.rule, seen)) return undefined;
    const isSuspect = cause.id !== 'died' || cause.shownBy.some(({ id }) => shown.includes(id));
    if (cause.isFault === true && !claimed.has(cause) && isSuspect) {
      claimed.add(cause);
      return undefined;
    }
    return cause;
  }
  const causeOfDoubt = (check: Planned, result: CheckResult): Known | undefined =>
    known.find((each) => each.explains?.(result, seen.clues.get(result.id)) === true) ??
    known.find((each) => result.exchanges.some((id) => isCovered(each, id))) ??
    known.find((each) => each.isOfAll === true && result.exchanges.some((id) => isShared(each, id))) ??
    known.find((each) => result.exchanges.length === 0 && each.suites?.includes(suiteOf(check.rule)) === true) ??
    (isOfCard(check) ? undefined : known.find(({ isOfAll }) => isOfAll === true));

  const judged = new Map<string, CheckResult>();
  for (const check of inOrder(planned)) {
    const result = results.get(check.rule.id);
    if (result === undefined) continue;
    if (deadly?.death !== undefined && deadly.death.check === check) {
      judged.set(result.id, deathShown(result, deadly.cause, deadly.death.reason, redactor));
      continue;
    }
    const cause =
      result.verdict === 'fail'
        ? causeOfFailure(check, result)
        : result.verdict === 'inconclusive'
          ? causeOfDoubt(check, result)
          : undefined;
    if (cause === undefined || result.cause !== undefined) judged.set(result.id, result);
    else if (result.verdict === 'inconclusive' && cause.isReason !== true)
      judged.set(result.id, { ...result, cause: cause.id });
    else {
      const { advice: __, ...rest } = result;
      judged.set(result.id, {
        ...rest,
        verdict: 'inconclusive',
        reason: redactor.text(`it could not be judged: ${cause.fact}`),
        cause: cause.id,
      });
    }
  }
  /** Ids of the failures that the report shows as one; first the failure that says the most. */
  const together = new Map<string, readonly string[]>();
  for (const cause of known) {
    const { id, owners = [] } = cause;
    if (cause.shares === undefined || together.has(id)) continue;
    const place = ({ rows }: Planned): number => {
      const keys = rows.map(({ key }): string | undefined => key);
      const at = owners.findIndex((owner) => keys.includes(owner));
      return at < 0 ? owners.length : at;
    };
    const own = inOrder(planned)
      .filter((check) => {
        const result = judged.get(check.rule.id);
        const isOpen = result?.verdict === 'fail' && result.cause === undefined && check.level !== 'may';
        const shown = isOpen ? shownIn(check, result) : [];
        return shown.length > 0 && shown.every((exchange) => isShared(cause, exchange));
      })
      .sort((check, other) => orderOf[check.level] - orderOf[other.level] || place(check) - place(other))
      .map(({ rule }) => rule.id);
    if (own.length < 2) continue;
    together.set(id, own);
    for (const failedId of own) {
      const result = judged.get(failedId);
      if (result !== undefined) judged.set(failedId, { ...result, cause: id });
    }
  }
  const checks = planned.flatMap((check) => judged.get(check.rule.id) ?? []);
  const causes = new Map<string, Cause>();
  for (const { id, fact, advice, shownBy, isTold } of known) {
    const suffering = checks
      .filter((result) => result.cause === id && result.verdict !== 'fail')
      .map((result) => result.id);
    const failures = together.get(id);
    if (causes.has(id) || (suffering.length === 0 && failures === undefined && isTold !== true)) continue;
    const [exhibit] = shownBy;
    causes.set(id, {
      id,
      fact: redactor.text(fact),
      // The advice may contain the target of a redirect.
      advice: redactor.text(advice),
      checks: suffering,
      ...(failures === undefined ? {} : { failures }),
      exchanges: [...new Set(shownBy.map((exchange) => exchange.id))],
      ...(exhibit === undefined ? {} : { curl: curlFor(exhibit, redactor) }),
    });
  }
  return { checks, causes: [...causes.values()] };
}
