import {
  brief,
  type ClientCheck,
  type ClientRun,
  callName,
  callsOf,
  expectationOf,
  Inconclusive,
  isFailure,
  type LawJudgement,
  lastLine,
  suiteOf,
} from '../kit/index.js';
import type { ScenarioId } from '../ledger/index.js';
import type { Level, Verdict } from '../model/index.js';
import type { Cause, CheckResult } from '../report/index.js';
import type { Planned } from '../run/index.js';
import { type Exchange, excerpt, type Redactor } from '../wire/index.js';

export interface ClientRuling {
  readonly verdict: Verdict;
  readonly reason: string;
  /** The run that shows it. */
  readonly shown?: ClientRun | undefined;
  /** The client gave up there, so that no sentence of a MUST was seen to be broken. */
  readonly isGivenUp?: true;
  /** What is so of the whole client and kept the check from being judged. */
  readonly cause?: Omit<Cause, 'checks' | 'curl'>;
}

/** Why nothing of a scenario can be judged; undefined: it can. */
function unplayed(run: ClientRun): string | undefined {
  const { ending, calls, leftOut } = run;
  if (ending.kind === 'unsupported') return ending.why;
  if (calls.length > 0) return undefined;
  if (leftOut !== undefined) return leftOut.why;
  if (ending.kind === 'served') return 'no client came';
  return `the client sent nothing (${endedText(run)})`;
}

/** How a run ended, for people. */
export function endedText(run: ClientRun): string {
  const left = run.leftRunning === true ? '; a process that it started goes on, which the kit cannot end' : '';
  return `${endingText(run)}${left}`;
}

function endingText({ ending, words }: ClientRun): string {
  const said = words === '' ? '' : `: ${excerpt(lastLine({ words }), 200)}`;
  switch (ending.kind) {
    case 'exit':
      return `it ended with exit code ${ending.status}${ending.status === 0 ? '' : said}`;
    case 'signal':
      return `it was ended by ${ending.signal}${said}`;
    case 'hung':
      return `it did not end within ${ending.afterMs / 1000} s`;
    case 'unsupported':
      return `it cannot do that: ${ending.why}`;
    case 'served':
      return 'it is not known how it ended';
  }
}

/** How the client failed the errand as a whole; undefined: it did it, or that is not known. */
function givenUp(run: ClientRun): string | undefined {
  const { told, ending } = run;
  const isLate = ending.kind === 'hung' || ending.kind === 'signal';
  if (told?.error !== undefined) return `the client reported an error: ${brief(told.error.text)}`;
  if (isLate || (ending.kind === 'exit' && ending.status !== 0)) return endedText(run).replace(/^it/, 'the client');
  return ending.kind === 'exit' && callsOf(run).length === 0
    ? `the client called nothing: ${endedText(run)}${run.words === '' ? '' : `; it wrote: ${brief(lastLine(run))}`}`
    : undefined;
}

/** What a check says of a run, and whether that is because the client gave up. */
interface Judged {
  readonly run: ClientRun;
  readonly said: LawJudgement;
  readonly isGivenUp: boolean;
}

/**
 * A client that gives up where card and answers are right does not do what is asked there; where it gives up without a
 * difficulty too, the plain scenarios show that.
 */
function judgedBy(check: ClientCheck, run: ClientRun): Judged {
  const said = judgementOf(check, run);
  const isOpen = said === 'not-concerned' || said instanceof Inconclusive;
  const isAsked = check.plays !== 'all' && check.judge.compares !== true && run.isDoable === true;
  const why = isOpen && isAsked && run.leftOut === undefined ? givenUp(run) : undefined;
  return { run, said: why ?? said, isGivenUp: why !== undefined };
}

/** What a check says of a run. Of one of which requests were left out it says only what they cannot change. */
function judgementOf({ judge }: ClientCheck, run: ClientRun): LawJudgement {
  const { leftOut } = run;
  const why = unplayed(run);
  if (why !== undefined) return new Inconclusive(why);
  if (leftOut === undefined || (judge.stands === 'all' && !leftOut.refused)) return judge(run);
  if (judge.stands !== 'failures') return new Inconclusive(leftOut.why);
  const calls = run.calls.filter(({ exchange }) => exchange.request.cut !== true);
  const outcome = leftOut.refused ? ({ told: undefined, ending: { kind: 'served' } } as const) : {};
  const said = judge({ ...run, calls, ...outcome });
  return isFailure(said) ? said : new Inconclusive(leftOut.why);
}

/** Scenarios without a difficulty, for checks that name no control. */
const plainScenarios: readonly ScenarioId[] = ['send', 'stream'];

/** Scenarios in which a client must do something, for what a check finds elsewhere to show anything. */
export const plainOf = ({ plays, controls }: ClientCheck): readonly ScenarioId[] =>
  plays === 'all' || controls.length > 0 ? controls : plainScenarios;

/** What keeps the client from doing anything in a scenario without a difficulty; undefined: it does something there. */
function causeIn(run: ClientRun): ClientRuling['cause'] {
  const refused = run.isDoable === true ? callsOf(run).find((call) => call.refused !== undefined) : undefined;
  if (refused?.refused !== undefined)
    return {
      id: `refused:${run.scenario}`,
      fact: `where ${run.about}, the agent of the kit answered ${callName(refused)} with the error ${refused.refused.text}`,
      advice: 'Other scenarios are compared with this one: look at the request first.',
      exchanges: [refused.exchange.id],
    };
  const why = callsOf(run).length === 0 ? givenUp(run) : undefined;
  if (why === undefined) return undefined;
  return {
    id: `silent:${run.scenario}`,
    fact: `where ${run.about}, ${why}`,
    advice: 'Other scenarios are compared with this one: the client must call the agent here first.',
    exchanges: run.calls.map(({ exchange }) => exchange.id),
  };
}

/**
 * The ruling on every check where the client called nothing and printed nothing in any scenario, and did not end in
 * order: a program that dies while it loads, say. undefined: it did something.
 */
export function neverStarted(runs: readonly ClientRun[]): ClientRuling | undefined {
  const [first] = runs;
  const isDead = ({ calls, told, leftOut, ending }: ClientRun): boolean =>
    calls.length === 0 &&
    told === undefined &&
    leftOut === undefined &&
    (ending.kind === 'signal' || ending.kind === 'hung' || (ending.kind === 'exit' && ending.status !== 0));
  if (first === undefined || !runs.every(isDead)) return undefined;
  const fact = `the client called nothing in any scenario: ${endedText(first)}`;
  return {
    verdict: 'inconclusive',
    reason: fact,
    shown: first,
    cause: {
      id: 'never-started',
      fact,
      advice: 'Run the command by hand: it must call its last argument.',
      exchanges: [],
    },
  };
}

/** Judges one check on what was played. Never throws: a failure of the kit gives the verdict `error`. */
export function ruleOn(check: ClientCheck, runs: ReadonlyMap<ScenarioId, ClientRun>): ClientRuling {
  try {
    return ruling(check, runs);
  } catch (error) {
    const detail = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    return { verdict: 'error', reason: `the check itself failed: ${detail}` };
  }
}

function ruling(check: ClientCheck, runs: ReadonlyMap<ScenarioId, ClientRun>): ClientRuling {
  const { plays, controls } = check;
  const wanted = plays === 'all' ? [...runs.values()] : plays.flatMap((id) => runs.get(id) ?? []);
  if (wanted.length === 0) return { verdict: 'not-applicable', reason: 'no scenario of it was played' };
  const cannot = wanted.flatMap((run) => (run.ending.kind === 'unsupported' ? [run] : []));
  const able = wanted.filter((run) => run.ending.kind !== 'unsupported');
  if (able.length === 0) {
    const [first] = cannot;
    return { verdict: 'not-applicable', reason: `the client says that it cannot do it: ${endingWhy(first)}` };
  }
  const judged = able.map((run) => judgedBy(check, run));
  const broken = judged.find(({ said }) => isFailure(said));
  if (broken !== undefined) {
    const plain = plainOf(check).flatMap((id) => runs.get(id) ?? []);
    const lame =
      controls.flatMap((id) => runs.get(id) ?? []).find((run) => judgementOf(check, run) !== 'holds') ??
      // Where the client does nothing at all, a check that has no control shows nothing either.
      (broken.isGivenUp ? plain.find((run) => run.isDoable === true && givenUp(run) !== undefined) : undefined);
    if (lame !== undefined) {
      const cause = causeIn(lame);
      const reason =
        lame.leftOut === undefined
          ? `the client does not do it where ${lame.about} either, so this shows nothing`
          : `it is not known whether the client does it where ${lame.about}: ${lame.leftOut.why}`;
      return {
        verdict: 'inconclusive',
        reason: cause === undefined ? reason : `${reason}: ${cause.fact}`,
        shown: lame,
        ...(cause === undefined ? {} : { cause }),
      };
    }
    return {
      verdict: 'fail',
      reason: `where ${broken.run.about}: ${String(broken.said)}`,
      shown: broken.run,
      ...(broken.isGivenUp ? { isGivenUp: true } : {}),
    };
  }
  const open = judged.find(({ said }) => said instanceof Inconclusive);
  const holds = judged.find(({ said }) => said === 'holds');
  // What is judged in every scenario needs one that shows it; what is judged in named ones needs each.
  if (holds !== undefined && (plays === 'all' || open === undefined))
    return { verdict: 'pass', reason: '', shown: holds.run };
  if (open?.said instanceof Inconclusive)
    return { verdict: 'inconclusive', reason: `where ${open.run.about}: ${open.said.reason}`, shown: open.run };
  return { verdict: 'inconclusive', reason: 'the client sent nothing that concerns it' };
}

const endingWhy = (run: ClientRun | undefined): string => (run?.ending.kind === 'unsupported' ? run.ending.why : '');

/** What it finds counts as `ClientCheck.atAnyLevel` says; where the client gave up, no sentence of a MUST is broken. */
function levelOf({ verdict, isGivenUp }: ClientRuling, { atAnyLevel }: ClientCheck, level: Level): Level {
  if (isGivenUp === true) return level === 'must' ? 'should' : level;
  return verdict === 'fail' && atAnyLevel === true ? 'must' : level;
}

/** Characters that a result quotes at most. */
const longestText = 2000;

/** The exchange that a reader looks at first: a call whose id the reason names, or the last call of the run. */
function exhibitOf({ calls, deliveries }: ClientRun, reason: string): Exchange | undefined {
  const all = [...calls.map(({ exchange }) => exchange), ...deliveries.map(({ exchange }) => exchange)];
  const named = all.find(({ id }) => new RegExp(`\\b${id}\\b`).test(reason));
  return named ?? calls.findLast(({ is }) => is === 'call')?.exchange ?? calls.at(-1)?.exchange;
}

/**
 * The result of a check, as reports have it. `again`: the command that plays a scenario again; the request of the client
 * alone would show nothing, since its server is gone.
 */
export function resultOf(
  planned: Planned<ClientCheck>,
  ruled: ClientRuling,
  redactor: Redactor,
  again: (scenario: ScenarioId) => string,
): CheckResult {
  const { rule, rows, level, title } = planned;
  const { verdict, reason, shown, cause } = ruled;
  const isBroken = verdict === 'fail' || verdict === 'inconclusive';
  const exhibit = isBroken && shown !== undefined ? exhibitOf(shown, reason) : undefined;
  return {
    id: rule.id,
    suite: suiteOf(rule),
    title,
    level: levelOf(ruled, rule, level),
    requirements: rows.map((row) => row.id),
    section: rows.map((row) => row.section).join('; '),
    verdict,
    reason: excerpt(redactor.text(reason), longestText),
    expected: expectationOf(rule),
    actual: shown === undefined ? '' : excerpt(redactor.text(endedText(shown)), longestText),
    exchanges: (shown?.calls ?? []).map(({ exchange }) => exchange.id),
    ...(exhibit === undefined ? {} : { exhibit: exhibit.id }),
    ...(shown === undefined ? {} : { scenario: shown.scenario, ...(isBroken ? { curl: again(shown.scenario) } : {}) }),
    ...(verdict === 'fail' ? { advice: rule.advice } : {}),
    ...(cause === undefined ? {} : { cause: cause.id }),
    durationMs: 0,
  };
}
