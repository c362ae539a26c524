import {
  bodyText,
  brief,
  type ClientCall,
  type ClientCheck,
  type ClientRun,
  callName,
  callsOf,
  excerpt,
  header,
  inconclusive,
  type LawJudgement,
  type Operation,
  overdue,
  standing,
} from '../../src/kit/index.js';

// What checks of clients see in requests.

/** Judges each call; a reason is what is wrong with it. 'skip': it does not concern the check. */
export const eachRealCall = (
  judge: (call: ClientCall, run: ClientRun) => string | 'skip' | undefined,
  ...of: readonly Operation[]
): ClientCheck['judge'] =>
  standing((run) => {
    let isSeen = false;
    for (const call of callsOf(run, ...of)) {
      const wrong = judge(call, run);
      if (wrong === 'skip') continue;
      if (wrong !== undefined) return `${callName(call)}: ${wrong}`;
      isSeen = true;
    }
    return isSeen ? 'holds' : 'not-concerned';
  });

/** The version that a request names, in its header or its query; undefined: none. */
export function versionIn({ exchange: { request } }: ClientCall): string | undefined {
  return header(request.headers, 'a2a-version') ?? new URL(request.url).searchParams.get('A2A-Version') ?? undefined;
}

/** One scenario is judged by one judge, and another, in which the client must be seen to do something, by another. */
export const where = (judges: Readonly<Record<string, ClientCheck['judge']>>): ClientCheck['judge'] =>
  Object.assign((run: ClientRun): LawJudgement => judges[run.scenario]?.(run) ?? 'not-concerned', {
    compares: true,
  } as const);

/** Whether the agent answered a call to its end, and with no error. */
export const isAnswered = ({ exchange: { response, failure }, refused }: ClientCall): boolean =>
  response !== undefined && failure === undefined && refused === undefined;

/**
 * Whether the client read the task and the answer had the last output of the task. A list of tasks counts in any case,
 * because it may leave artifacts out.
 */
export const sawTheEnd = (run: ClientRun): boolean =>
  callsOf(run, 'list').length > 0 ||
  callsOf(run, 'get', 'subscribe').some(
    ({ exchange: { response } }) =>
      response !== undefined && bodyText(response.body).includes(run.expected.text ?? 'completed'),
  );

/**
 * What is wrong with several calls of one play. A client that comes by itself may play a scenario again: the kit knows
 * that its calls belong together only where it asked once for the card, which it may not keep for another play, and
 * said once what it understood.
 */
export function inOnePlay({ isServed, calls, reports }: ClientRun, wrong: string): LawJudgement {
  const isOne = calls.filter(({ is }) => is === 'card' || is === 'old-card').length === 1 && reports === 1;
  return isServed === true && !isOne
    ? inconclusive(
        `start the client with --command, or play the scenario once, and post once to /told: ${wrong}; a client that comes by itself may have played this scenario again`,
      )
    : wrong;
}

/**
 * Judges whether a client sends its first message once more as another one: the same parts, and not the same messageId.
 * `counts`: whether a later call counts. A message without a messageId is another one each time.
 */
export function sentAgain(
  run: ClientRun,
  counts: (again: ClientCall, first: ClientCall) => boolean = () => true,
): LawJudgement {
  const [first, ...more] = callsOf(run, 'send', 'stream').filter(({ message }) => message !== undefined);
  if (first === undefined) return 'not-concerned';
  const parts = JSON.stringify(first.message?.parts);
  // Messages of some dialects have no id.
  const { messageId: id } = first.message ?? {};
  const again = more.find(
    (call) =>
      JSON.stringify(call.message?.parts) === parts && (!id || call.message?.messageId !== id) && counts(call, first),
  );
  if (again === undefined) return 'holds';
  const { messageId: other } = again.message ?? {};
  const as = other ? `with the messageId ${brief(other)}` : 'without a messageId';
  const before = id ? `with ${brief(id)}` : 'without one';
  return inOnePlay(
    run,
    `${callName(again)}: the message of ${first.exchange.id} came once more, ${as}, first ${before}`,
  );
}

/** The client gives up: it makes at most so many calls, and ends. `words`: what it did that made more of them. */
export function givesUp(
  run: ClientRun,
  calls: readonly ClientCall[],
  most: number,
  words: (count: number) => string,
): LawJudgement {
  if (calls.length > most) return inOnePlay(run, words(calls.length));
  return overdue(run) ?? (calls.length > 0 ? 'holds' : 'not-concerned');
}

/** "x4, GET http://127.0.0.1:1/x": a request, for reasons. */
export const named = ({ exchange: { id, request } }: ClientCall): string =>
  `${id}, ${request.method} ${excerpt(request.url, 200)}`;

/** The path of a request, from where the agent of the scenario is. */
export function pathIn({ exchange: { request } }: ClientCall, { base = '' }: ClientRun): string {
  const { pathname } = new URL(request.url);
  return pathname.startsWith(`${base}/`) ? pathname.slice(base.length) : pathname;
}

/** Whether it goes to this URL, or to a path below it. */
export function isBelow({ exchange: { request } }: ClientCall, base: string): boolean {
  const [asked, declared] = [new URL(request.url), new URL(base)];
  const folder = declared.pathname.replace(/\/$/, '');
  return asked.origin === declared.origin && (asked.pathname === folder || asked.pathname.startsWith(`${folder}/`));
}
