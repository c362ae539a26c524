import type { Operation } from '../../model/index.js';
import type { Acceptance, Finding } from '../../report/index.js';
import type { FuzzOutcome, FuzzPhase, FuzzStage } from '../../run/index.js';
import type { Exchange } from '../../wire/index.js';
import type { Case } from '../case/case.js';
import { createFlakyFindings, isSteady, isSure } from '../confirm/flaky-findings.js';
import { createCaseRunner, type Examined } from '../execute/case-runner.js';
import type { PerformOptions } from '../execute/executor.js';
import { isOwnFailure } from '../execute/own-failure.js';
import { isOutOfTime, shorter, timeIsOver } from '../execute/time.js';
import { isSilent, type Sent, type Trace } from '../execute/trace.js';
import { createRandomSource } from '../generate/random-source.js';
import { crashBench, failingFor, isCrash, unseenCrash } from '../oracles/crash-report.js';
import type { JudgedCase } from '../oracles/judge-case.js';
import type { Symptom } from '../oracles/oracle.js';
import { causeOf, findingId } from '../report/bucket.js';
import {
  type Attempt,
  type Bench,
  type CampaignParts,
  type CampaignSettings,
  type Confirmed,
  notTried,
  type Suspect,
} from './campaign-settings.js';
import { oneByOne, type RunOptions, several } from './case-scheduler.js';
import { createChooser } from './chooser.js';
import { createNovelty, type Traits, traitsOf } from './novelty.js';
import { createRecentRequests } from './recent-requests.js';
import { createTaken } from './taken.js';

/** What is kept of a case until its answers are taken into account. */
interface Numbered extends JudgedCase {
  readonly case: Case;
  /** Cases that ran at the same time: those that started last. */
  readonly beside: ReadonlySet<Case>;
  readonly number: number;
  readonly traits: Traits;
  /** Kept only with symptoms, which may have to be reported without another run. */
  readonly trace?: Trace;
}

/** How many earlier cases are kept: a symptom may need them to come again. */
const pastKept = 24;
/**
 * After so many vain attempts to confirm it, a symptom counts as chance. If other cases ran at the same time, they may
 * be the cause, and a later case may be the first that shows it alone.
 */
const mostTries = 3;
const mostTriesBeside = 6;
/** How long to look for an agent that goes down and that the user restarts, ms. */
const deathMs = 300;
/** Limits of suspects and findings in one campaign: an agent may fail in a new way each time. */
const mostSuspects = 300;
const mostFindings = 100;
const mostCauses = 1000;
const gone = 'the agent no longer answers';
/**
 * Time reserved for confirming what the last cases show: as long as so many times the longest case, at least this many
 * ms, and at most this share of the campaign.
 */
const reservedCases = 4;
const leastReserveMs = 2000;
const reservedShare = 0.2;
/** Cases between two progress reports. */
const stride = 25;

/** No answer, a server error without an A2A answer, or an InternalError for a valid request. */
function isTrouble({ demand, exchange: { failure, response }, reading: { outcome } }: Sent): boolean {
  if (failure !== undefined)
    return failure.kind !== 'aborted' && failure.kind !== 'proxy' && failure.kind !== 'too-large';
  if (outcome.kind === 'invalid-response') return isOwnFailure(response?.status ?? 0);
  return demand === 'valid' && outcome.kind === 'refusal' && outcome.error === 'InternalError';
}
const isTroubled = ({ sent, cut }: Trace): boolean => cut !== undefined || sent.some(isTrouble);

/** What shows it is that no answer came. */
const isSilence = ({ sent }: Symptom): boolean => sent !== undefined && isSilent(sent);

/** Adds an item, and removes the oldest one if there are more than `most`. */
function keep<T>(all: Set<T>, item: T, most: number): void {
  all.add(item);
  if (all.size <= most) return;
  for (const oldest of all) {
    all.delete(oldest);
    return;
  }
}

/** Requests sent at once show other symptoms than the same requests in order. */
const isRace = ({ steps }: Case): boolean => steps.some(({ step }) => step === 'together');

/**
 * Runs cases, several at once if wanted. The same seed gives the same cases with the same requests on an agent that
 * answers the same: the choice of a case depends on the seed and on the answers to the cases that `knownAt` names,
 * taken into account in their order. With one request at a time the order of the requests is the same, too. Exceptions
 * that depend on time: how often a wait step reads a task, what takes far longer than usual, what oracles ask about
 * that, and, with several cases at once, when a case that took longer than a second counts.
 */
export const fuzzPhase =
  (settings: CampaignSettings, parts: CampaignParts): FuzzPhase =>
  async (stage) => {
    const { clock, signal } = stage;
    const started = clock.now();
    const timeMs = shorter(settings.timeMs, stage.timeMs);
    const runner = createCaseRunner(stage, settings, parts);
    const novelty = createNovelty();
    const generator = parts.generator(stage);
    const chooser = createChooser(generator, createRandomSource(stage.seed), novelty.countOf, settings);
    const taken = createTaken(generator, createRandomSource(stage.seed), stage);
    const lanes = Math.max(1, settings.concurrency ?? 1);
    const findings: Finding[] = [];
    const exchanges: Exchange[] = [];
    const past: Case[] = [];
    /** Attempts to confirm by bucket, for races and for other cases: all, and those with a case that ran alone. */
    const tries = new Map<string, { readonly all: number; readonly alone: number }>();
    /** Causes that were confirmed. */
    const confirmedIn = new Set<string>();
    /** Operations that showed a finding, by its id. */
    const through = new Map<string, Set<Operation>>();
    /** Ids of findings by cause: a finding may be named after its shrunk case. */
    const ids = new Map<string, string>();
    const underWay = new Map<Case, Set<Case>>();
    const unsure = createFlakyFindings();
    const arrived = createRecentRequests();
    let cases = 0;
    let kept = 0;
    let suspects = 0;
    let longestMs = 0;
    /** A silence was confirmed: the agent leaves requests unanswered, and each new kind of them costs a short wait. */
    let wasSilent = false;
    let cut: string | undefined;
    let fault: string | undefined;
    let revival: Promise<void> | undefined;
    let last: (Pick<Suspect, 'case' | 'number' | 'before'> & { readonly seen: Attempt }) | undefined;

    const isTimeUp = (): boolean => isOutOfTime(signal) || clock.now() - started >= timeMs;
    const isOver = (): boolean => {
      if (isTimeUp()) cut ??= timeIsOver;
      if (signal?.aborted === true) cut ??= 'interrupted';
      if (stage.requestBudget !== undefined && runner.requests >= stage.requestBudget)
        cut ??= 'the budget of requests is spent';
      if (stage.taskBudget !== undefined && runner.tasks >= stage.taskBudget) cut ??= 'the budget of tasks is spent';
      return cut !== undefined;
    };

    /** The rest of the time is reserved for confirming symptoms. */
    const isClosing = (): boolean => {
      const reserve = Math.min(reservedShare * timeMs, Math.max(leastReserveMs, reservedCases * longestMs));
      return Number.isFinite(timeMs) && clock.now() - started >= timeMs - reserve;
    };

    /** After trouble: asks whether the agent still answers, and if not, revives it. All cases share one revival. */
    async function tend(): Promise<void> {
      if (revival === undefined && !isOver() && !(await runner.canary.isAlive())) {
        revival ??= runner.canary.revive().then((isBack) => {
          if (!isBack && !isOver()) cut = gone;
          revival = undefined;
        });
      }
      await revival;
    }

    /** Does work in a place of its own, once no revival is under way. */
    const inTurn = <T>(work: () => Promise<T>): Promise<T> =>
      runner.inTurn(async () => {
        await revival;
        return work();
      });

    async function examine(
      next: Case,
      number: number,
      { onTurn, ...how }: RunOptions & PerformOptions = {},
    ): Promise<Examined | undefined> {
      let begunAt = 0;
      const run = await inTurn(async () => {
        onTurn?.();
        begunAt = clock.now();
        if (isOver()) return undefined;
        const trace = await runner.perform(next, number, how);
        // After trouble the place stays taken while the case is judged: the next case must not meet an agent that is
        // down.
        return isTroubled(trace) ? runner.judge(trace, number) : { trace };
      });
      if (run === undefined) return undefined;
      const examined = 'symptoms' in run ? run : await runner.judge(run.trace, number, inTurn);
      longestMs = Math.max(longestMs, clock.now() - begunAt);
      // A case that was cut in the middle shows nothing.
      if (isTimeUp()) return undefined;
      if (isTroubled(run.trace)) {
        await tend();
        if (cut === gone) last ??= { seen: examined, case: next, number, before: [...past] };
      }
      return examined;
    }

    /** Adds the finding of an agent that is down, or fails each request: nothing can be run on it again. */
    async function bury(): Promise<void> {
      if (last === undefined || parts.bury === undefined) return;
      const { seen, ...known } = last;
      let symptom: Symptom | undefined;
      if (await runner.canary.isGone()) symptom = seen.symptoms.find(isCrash) ?? unseenCrash;
      else {
        const failure = await runner.canary.failing();
        symptom = failure === undefined ? undefined : failingFor(failure);
      }
      if (symptom !== undefined) add(parts.bury({ ...known, bucket: symptom.bucket, symptom }, seen, stage));
    }

    const reported = (finding: Finding): Finding => {
      const operations = [...(through.get(finding.id) ?? [])].sort();
      return operations.length === 0 ? finding : { ...finding, operations };
    };

    function add({ finding, exchanges: its }: Confirmed): void {
      if (findings.some(({ id }) => id === finding.id)) return;
      findings.push(finding);
      exchanges.push(...its);
      stage.onFinding(reported(finding));
    }

    /** Notes the operation that showed a symptom, under the id of its finding. */
    function noteThrough(symptom: Symptom): void {
      const id = ids.get(causeOf(symptom)) ?? findingId(causeOf(symptom));
      const operation = symptom.sent?.step.operation;
      const known = through.get(id);
      if (operation === undefined || (known === undefined && through.size >= mostCauses)) return;
      through.set(id, (known ?? new Set()).add(operation));
    }

    async function run(next: Case, number: number, how: RunOptions): Promise<Numbered | undefined> {
      const beside = new Set<Case>();
      function onTurn(): void {
        for (const [other, its] of underWay) {
          keep(its, next, pastKept);
          keep(beside, other, pastKept);
        }
        underWay.set(next, beside);
        how.onTurn?.();
      }
      const examined = await examine(next, number, { ...how, onTurn, briefly: wasSilent });
      underWay.delete(next);
      if (examined === undefined) return undefined;
      const { trace, symptoms, fault } = examined;
      arrived.note(trace);
      taken.note(trace);
      // Many cases wait to be taken into account: their answers are not kept.
      return {
        case: next,
        number,
        beside,
        traits: traitsOf(trace),
        symptoms,
        ...(symptoms.length === 0 ? {} : { trace }),
        ...(fault === undefined ? {} : { fault }),
      };
    }

    /** Cases that the agent may remember, or work on, while a case runs: the most recent last. */
    const before = ({ case: own, beside }: Numbered): readonly Case[] => [
      ...past.filter((fuzzCase) => !beside.has(fuzzCase)),
      ...[...beside].filter((fuzzCase) => fuzzCase !== own),
    ];
    const triesOf = (bucket: string, found: Case): string => `${isRace(found) ? 'race' : 'order'} ${bucket}`;

    /** `isBrief`: see `Bench`; `onTried`: called after each attempt that ran to its end. */
    const benchFor = (number: number, isBrief: boolean, onTried?: () => void): Bench => ({
      async attempt(next, { briefly = isBrief, ...how } = {}): Promise<Attempt> {
        await tend();
        const examined = await examine(next, number, { ...how, briefly });
        if (examined !== undefined) onTried?.();
        return examined ?? notTried(next, cut);
      },
      isOver,
      isBrief,
    });

    function isTried({ bucket, cause = bucket }: Symptom, found: Case): boolean {
      if (confirmedIn.has(cause)) return true;
      const { all, alone } = tries.get(triesOf(bucket, found)) ?? { all: 0, alone: 0 };
      return alone >= mostTries || all >= mostTriesBeside;
    }

    const isBroken = ({ keys }: Symptom): boolean => keys.length > 0 && keys.every((key) => stage.broken.has(key));
    function isSuspect(symptom: Symptom, found: Case): boolean {
      if (isBroken(symptom)) return false;
      if (isOver()) return false;
      const cause = causeOf(symptom);
      if (unsure.has(cause)) return unsure.mayBetter(cause, found);
      return !isTried(symptom, found) && suspects < mostSuspects && findings.length + unsure.size < mostFindings;
    }

    /** For an agent that went down: another recent case that makes it go down, if there is one. */
    async function deadlyCase({ bucket, sent }: Symptom, found: Case, bench: Bench): Promise<Case | undefined> {
      if (sent === undefined) return undefined;
      for (const likely of arrived.shortlyBefore(sent.exchange)) {
        if (likely === found) continue;
        const { symptoms } = await bench.attempt(likely);
        if (symptoms.some((symptom) => symptom.bucket === bucket)) return likely;
      }
      return undefined;
    }

    async function settle(symptom: Symptom, examined: Numbered): Promise<void> {
      const { case: found, number, trace } = examined;
      const { bucket } = symptom;
      const cause = causeOf(symptom);
      const isNew = !confirmedIn.has(cause) && !unsure.has(cause) && !tries.has(triesOf(bucket, found));
      let tried = 0;
      /** Reports a symptom that the time did not let the kit run again. */
      function tellUnconfirmed(): void {
        if (!isTimeUp() || tried > 0 || !isNew || isBroken(symptom) || findings.length >= mostFindings) return;
        if (trace === undefined || parts.tell === undefined) return;
        const seen = { trace, symptoms: [symptom] };
        add(parts.tell({ case: found, bucket, symptom, before: [], number }, seen, stage));
      }
      if (!isSuspect(symptom, found)) return tellUnconfirmed();
      const plain = benchFor(number, isSilence(symptom), () => tried++);
      const isDeadly = isCrash(symptom);
      const bench = isDeadly ? crashBench(bucket, plain, runner.canary, stage, deathMs) : plain;
      const isUnknown = bucket === unseenCrash.bucket && !unsure.has(cause);
      const deadly = isUnknown ? await deadlyCase(symptom, found, bench) : undefined;
      // An agent that goes down for a known cause loses requests of other cases, too: what ran before them says nothing
      // new.
      const isBystander = isDeadly && confirmedIn.has(unseenCrash.bucket);
      // The case that an oracle ran is tried first, and this case if that one does not show the symptom.
      const suspect = {
        case: deadly ?? found,
        bucket,
        symptom,
        before: isBystander ? [] : before(examined),
        beside: isBystander ? [] : [...examined.beside].filter((fuzzCase) => fuzzCase !== found),
        number,
      };
      if (unsure.has(cause)) {
        const wanted = { ...suspect, steadily: true, atLeisure: unsure.isSteady(cause) };
        const better = await parts.settle(wanted, bench, stage);
        if (better === undefined || !isSteady(better)) return unsure.looked(cause, found);
        unsure.drop(cause);
        if (isSure(better)) return add(better);
        return unsure.wait(symptom, better, found, cases);
      }
      const { all, alone } = tries.get(triesOf(bucket, found)) ?? { all: 0, alone: 0 };
      const isAlone = lanes === 1 || examined.beside.size === 0;
      tries.set(triesOf(bucket, found), { all: all + 1, alone: alone + (isAlone ? 1 : 0) });
      suspects++;
      const steadily = unsure.isPlain(symptom);
      const confirmed = await parts.settle({ ...suspect, steadily }, bench, stage);
      if (confirmed === undefined) return tellUnconfirmed();
      if (steadily && !isSteady(confirmed)) return;
      confirmedIn.add(cause);
      wasSilent ||= isSilence(symptom);
      ids.set(cause, confirmed.finding.id);
      noteThrough(symptom);
      if (isSure(confirmed)) add(confirmed);
      else unsure.wait(symptom, confirmed, found, cases);
    }

    /** Takes the answers to one case into account, in the order of the cases. */
    async function fold(examined: Numbered | undefined, quiet: () => Promise<unknown>): Promise<void> {
      if (examined === undefined) return;
      cases++;
      fault ??= examined.fault;
      const noted = novelty.note(examined.traits);
      if (noted.fresh.length > 0) {
        kept++;
        chooser.keep(examined.case, noted);
        settings.onKept?.(examined.case);
      }
      for (const symptom of examined.symptoms) noteThrough(symptom);
      if (isTimeUp() || examined.symptoms.some((symptom) => isSuspect(symptom, examined.case))) {
        // No other case may run during a confirmation.
        if (!isTimeUp()) await quiet();
        for (const symptom of examined.symptoms) await settle(symptom, examined);
      }
      for (const waited of unsure.take(cases)) add(waited);
      past.push(examined.case);
      if (past.length > pastKept) past.shift();
      if (cases % stride === 0) stage.onProgress(cases, runner.requests, findings.length);
    }

    if (await runner.canary.isAlive()) {
      await runner.learn();
      const courseParts = { clock, run, fold };
      const course = lanes === 1 ? oneByOne(courseParts) : several(lanes, courseParts);
      let number = 1;
      for (; number <= settings.runs && !isOver() && !isClosing(); number++) {
        await course.before(number);
        if (isOver() || isClosing()) break;
        await course.begin(chooser.choose(), number);
      }
      await course.end();
      if (number <= settings.runs && isClosing()) cut ??= timeIsOver;
      for (const waited of unsure.take()) add(waited);
      await bury();
    } else cut = 'the agent does not answer';
    // An agent that does not answer is not asked again.
    const isEarly = cut !== undefined && cut !== timeIsOver && !cut.startsWith('the budget');
    const messages = isEarly ? undefined : await taken.settle((next) => runner.perform(next, 0));
    stage.onProgress(cases, runner.requests, findings.length);
    if (fault !== undefined) cut ??= `the kit itself failed: ${fault}`;
    return outcome(stage, findings.map(reported), exchanges, runner.tasks, messages, {
      cases,
      requests: runner.requests,
      features: novelty.size,
      kept,
      durationMs: Math.round(clock.now() - started),
      ...(cut === undefined ? {} : { cut }),
    });
  };

const outcome = (
  { seed }: FuzzStage,
  findings: readonly Finding[],
  exchanges: readonly Exchange[],
  tasks: number,
  messages: Acceptance | undefined,
  summary: Omit<FuzzOutcome['summary'], 'seed'>,
): FuzzOutcome => ({
  findings,
  exchanges,
  tasks,
  ...(messages === undefined ? {} : { messages }),
  summary: { seed, ...summary },
});
