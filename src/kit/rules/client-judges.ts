import type { Operation } from '../../model/index.js';
import { brief } from '../../model/index.js';
import type { ClientCall, ClientJudge, ClientReport, ClientRun } from './client-rule.js';
import type { LawJudgement } from './law.js';
import { Inconclusive, inconclusive } from './verdict.js';

// What checks of clients have in common.

type Judge = (run: ClientRun) => LawJudgement;

/** A judge whose failures are shown by the requests that they name, whatever else the client sent. */
export const standing = (judge: Judge): ClientJudge =>
  Object.assign((run: ClientRun) => judge(run), { stands: 'failures' } as const);

/** Whether a judgement is what is wrong. */
export const isFailure = (said: LawJudgement): said is string =>
  typeof said === 'string' && said !== 'holds' && said !== 'not-concerned';

/** A judge of how the client ended and what it printed: no request changes what it says. */
const ofOutcome = (judge: Judge): ClientJudge =>
  Object.assign((run: ClientRun) => judge(run), { stands: 'all' } as const);

/** The same for a judge that is made of others: what all of them can say. */
function asAll(judge: Judge, others: readonly ClientJudge[]): ClientJudge {
  if (others.some(({ stands }) => stands === undefined)) return judge;
  return others.every(({ stands }) => stands === 'all') ? ofOutcome(judge) : standing(judge);
}

/** The calls of some operations, or all calls; those at the agent and elsewhere. */
export const callsOf = ({ calls }: ClientRun, ...of: readonly Operation[]): readonly ClientCall[] =>
  calls.filter(
    ({ is, operation }) => is === 'call' && (of.length === 0 || (operation !== undefined && of.includes(operation))),
  );

/** "x4 (send)", for reasons: the id names the request in the report. */
export const callName = ({ exchange, operation }: ClientCall): string =>
  `${exchange.id} (${operation ?? 'no operation'})`;

/** Judges each call that `pick` takes; a reason is what is wrong with it, undefined: nothing. */
export const eachCall = (
  judge: (call: ClientCall, run: ClientRun) => string | undefined,
  ...of: readonly Operation[]
): ClientJudge =>
  standing((run) => {
    const calls = callsOf(run, ...of);
    for (const call of calls) {
      const wrong = judge(call, run);
      if (wrong !== undefined) return `${callName(call)}: ${wrong}`;
    }
    return calls.length === 0 ? 'not-concerned' : 'holds';
  });

/** Lines below the one that names the error: frames of a stack, and what Node, Go and Rust write last. */
const belowError = /^(?:\s|[{}]|Node\.js v|note: run with|exit status|goroutine |[\w./*]+\()/;

/**
 * The last line that the client wrote to its error output, or printed in place of its line; of a program that died, the
 * one that names the error.
 */
export function lastLine({ words }: Pick<ClientRun, 'words'>): string {
  const lines = words.split('\n').filter((line) => line.trim() !== '');
  return (lines.findLast((line) => !belowError.test(line)) ?? lines.at(-1) ?? '').trim();
}

/** What is wrong with a client that did not end in time; undefined: it ended. */
export const overdue = ({ ending }: Pick<ClientRun, 'ending'>): string | undefined =>
  ending.kind === 'hung' ? `the client did not end within ${ending.afterMs / 1000} s` : undefined;

/** What the client printed; an open judgement where it printed nothing, a reason where it did not end. */
export function toldOf(run: ClientRun): { readonly told: ClientReport } | { readonly open: LawJudgement } {
  const { told, words } = run;
  const late = overdue(run);
  if (late !== undefined) return { open: late };
  if (told !== undefined) return { told };
  const said = words === '' ? '' : `; it wrote: ${brief(lastLine(run))}`;
  return {
    open: inconclusive(
      `print one line of JSON at the end of the client: its output does not show what it understood${said}`,
    ),
  };
}

/** Judges what was printed. */
export const whatWasTold = (judge: (report: ClientReport, run: ClientRun) => LawJudgement | undefined): ClientJudge =>
  ofOutcome((run) => {
    const found = toldOf(run);
    return 'open' in found ? found.open : (judge(found.told, run) ?? 'holds');
  });

const squeezed = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** Whether the exit status of the client says that the errand failed. */
export const saysFailure = ({ ending }: Pick<ClientRun, 'ending'>): boolean =>
  ending.kind === 'exit' && ending.status !== 0;

/**
 * Of a task that is not completed: the client reports its state or an error, or its exit status says that the errand
 * failed. A text alone with exit status 0 is an ordinary answer. `of`: "a task that is still at work".
 */
export function toldAsCompleted(
  { state, text, error }: ClientReport,
  run: ClientRun,
  of: string,
): LawJudgement | undefined {
  if (error !== undefined || saysFailure(run)) return undefined;
  if (state !== undefined)
    return state === 'completed' ? `the client reported the state completed of ${of}` : undefined;
  if (text === undefined) return inconclusive('print `state` or `text` in the line of the client: it has neither');
  return run.ending.kind === 'exit'
    ? `the client reported the text ${brief(text)} of ${of}, and exit status 0 means success`
    : inconclusive('print `state` in the line of the client: it has none');
}

/** The printed state, text, ids and error are those that the scenario has; members that it does not name do not count. */
export const understands: ClientJudge = whatWasTold((report, run) => {
  const { expected } = run;
  const { state, text, ids, error } = expected;
  if (error !== undefined) {
    if (report.error === undefined) return `the client reported no error, but ${toldText(report)}`;
    if (report.error.name !== error)
      return `the client reported ${brief(report.error.text)} where the agent said ${error}`;
    return undefined;
  }
  if (report.error !== undefined) return `the client reported an error: ${brief(report.error.text)}`;
  if (state === 'completed' && saysFailure(run)) return 'its exit status says that the errand failed';
  // A client may print texts alone; its line without anything is that of one that has understood nothing.
  const isSilent = report.state === undefined && report.text === undefined;
  if (state !== undefined && report.state !== state && (report.state !== undefined || isSilent || text === undefined))
    return `the client reported ${report.state === undefined ? 'no state' : `the state ${report.state}`} where the task is ${state}`;
  if (text !== undefined) {
    if (report.text === undefined) return inconclusive('print `text` in the line of the client: it has none');
    const times = squeezed(report.text).split(squeezed(text)).length - 1;
    if (times === 0) return `the client reported ${brief(report.text)} where the agent said ${brief(text)}`;
    if (times > 1) return `the client reported the text ${times} times: ${brief(report.text)}`;
  }
  if (ids !== undefined) {
    if (report.ids === undefined) return inconclusive('print `ids` in the line of the client: it has none');
    if ([...report.ids].sort().join() !== [...ids].sort().join())
      return `the client reported the ids ${brief(report.ids)} instead of ${brief(ids)}`;
  }
  return undefined;
});

/** What a line says, in short. */
export const toldText = ({ state, text, ids }: ClientReport): string =>
  state !== undefined
    ? `the state ${state}`
    : text !== undefined
      ? `the text ${brief(text)}`
      : `${ids?.length ?? 0} ids`;

/** A client that sends and polls where it was asked to stream shows nothing of how it reads a stream. */
export const ofStreams = (judge: ClientJudge): ClientJudge =>
  asAll(
    (run) => (run.errand.do === 'stream' && callsOf(run, 'stream').length === 0 ? 'not-concerned' : judge(run)),
    [judge],
  );

/** A client whose line says nothing shows nothing of what it understands, nor does one that got a refusal. */
export const ofTelling = (judge: ClientJudge): ClientJudge =>
  asAll(
    (run) => {
      const calls = callsOf(run);
      const refused = calls.every((call) => call.refused !== undefined) ? calls[0]?.refused : undefined;
      if (refused !== undefined)
        return inconclusive(`mend the request first: the kit's agent refused it, so no answer came (${refused.text})`);
      const { state, text, error } = run.told ?? {};
      const isSilent = run.told !== undefined && state === undefined && text === undefined && error === undefined;
      return isSilent ? inconclusive('print `state` or `text` in the line of the client: it has neither') : judge(run);
    },
    [judge],
  );

/** The client ends, whatever it makes of the scenario. */
export const ends = ofOutcome((run) => {
  const { ending } = run;
  const late = overdue(run);
  if (late !== undefined) return late;
  if (ending.kind === 'signal') return `the client was ended by ${ending.signal}`;
  return ending.kind === 'exit'
    ? 'holds'
    : inconclusive('start the client with --command: the kit does not see the end of a client that it has not started');
});

/** Both judgements; the first that does not hold counts. */
export const both = (...judges: readonly ClientJudge[]): ClientJudge =>
  asAll((run) => {
    const all = judges.map((judge) => judge(run));
    return (
      all.find(isFailure) ??
      all.find((lawJudgement) => lawJudgement instanceof Inconclusive) ??
      (all.includes('holds') ? 'holds' : 'not-concerned')
    );
  }, judges);
