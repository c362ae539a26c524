import type { Operation } from '../model/index.js';
import type { Acceptance, Finding } from '../report/index.js';
import type { FuzzOutcome, FuzzPhase, FuzzStage } from '../run/index.js';
import type { Exchange } from '../wire/index.js';
import { createArrived } from './arrived.js';
import { causeOf, findingId } from './bucket.js';
import {
  type Attempt,
  type Bench,
  type CampaignParts,
  type CampaignSettings,
  type Confirmed,
  notTried,
  type Suspect,
} from './campaign-settings.js';
import type { Case } from './case.js';
import { createChooser } from './chooser.js';
import { oneByOne, type RunOptions, several } from './course.js';
import { deathBench, failingFor, isDeath, unseenDeath } from './death.js';
import { createDice } from './dice.js';
import type { PerformOptions } from './executor.js';
import type { Judged } from './judging.js';
import { createLab, type Examined } from './lab.js';
import { createNovelty, type Traits, traitsOf } from './novelty.js';
import type { Symptom } from './oracle.js';
import { isOwnFailure } from './own-failure.js';
import { createTaken } from './taken.js';
import { isOutOfTime, shorter, timeIsOver } from './time.js';
import type { Sent, Trace } from './trace.js';
import { createUnsure, isSteady, isSure } from './unsure.js';

/** What is kept of a case until its turn comes. */
interface Numbered extends Judged {
  readonly case: Case;
  /** Those that were under way at the same time, the last ones that began. */
  readonly beside: ReadonlySet<Case>;
  readonly number: number;
  readonly traits: Traits;
  /** Kept only where symptoms may have to be told as they were seen. */
  readonly trace?: Trace;
}

/** What ran last, for symptoms that need a past. */
const pastKept = 24;
/**
 * A symptom that did not come again is looked at so often; then it is chance. Where others were under way it may be of
 * their making, and the next case the first that shows it alone.
 */
const mostTries = 3;
const mostTriesBeside = 6;
/** So long somebody who starts the agent again may take to be seen, ms. */
const deathMs = 300;
/** Symptoms that are looked at in one campaign, and findings that it gives: an agent may fail in a new way each time. */
const mostSuspects = 300;
const mostFindings = 100;
const mostCauses = 1000;
const gone = 'the agent no longer answers';
/**
 * What is left of the time for what the last cases show: as long as so many of the longest case, and this at least, ms;
 * never more than this share of all.
 */
const reservedCases = 4;
const leastReserveMs = 2000;
const reservedShare = 0.2;
/** Cases between two notices of progress. */
const stride = 25;

/** No answer, the page of a failure, or to a right request a failure of the agent's own. */
function isTrouble({ demand, exchange: { failure, response }, reading: { outcome } }: Sent): boolean {
  if (failure !== undefined) return failure.kind !== 'aborted' && failure.kind !== 'too-large';
  if (outcome.kind === 'broken') return isOwnFailure(response?.status ?? 0);
  return demand === 'valid' && outcome.kind === 'refusal' && outcome.error === 'InternalError';
}
const isTroubled = ({ sent, cut }: Trace): boolean => cut !== undefined || sent.some(isTrouble);

/** Adds one; the oldest goes where there are more than so many. */
function keep<T>(all: Set<T>, one: T, most: number): void {
  all.add(one);
  if (all.size <= most) return;
  for (const oldest of all) {
    all.delete(oldest);
    return;
  }
}

/** What is sent at once shows other things than the same in order. */
const isRace = ({ steps }: Case): boolean => steps.some(({ step }) => step === 'together');

/**
 * Runs cases, several at once if wanted. The same seed gives the same cases with the same requests on an agent that
 * answers the same: what is chosen for a case depends on the seed and on the answers to the cases that `knownAt` names,
 * taken into account in their order. With one request at a time they also go out in the same order. Apart from that
 * stand how often a wait step reads a task, what takes far longer than usual, what oracles ask about that, and, with several
 * at once, when a case that took longer than a second counts: that is a matter of time.
 */
export const fuzzPhase =
  (settings: CampaignSettings, parts: CampaignParts): FuzzPhase =>
  async (stage) => {
    const { clock, signal } = stage;
    const started = clock.now();
    const timeMs = shorter(settings.timeMs, stage.timeMs);
    const lab = createLab(stage, settings, parts);
    const novelty = createNovelty();
    const generator = parts.generator(stage);
    const chooser = createChooser(generator, createDice(stage.seed), novelty.countOf, settings);
    const taken = createTaken(generator, createDice(stage.seed), stage);
    const lanes = Math.max(1, settings.concurrency ?? 1);
    const findings: Finding[] = [];
    const exchanges: Exchange[] = [];
    const past: Case[] = [];
    /** Looks in vain by bucket, of races and of others: how many, and how many of them at cases with none beside. */
    const tries = new Map<string, { readonly all: number; readonly alone: number }>();
    /** By cause. */
    const confirmedIn = new Set<string>();
    /** Operations that showed a finding, by its id. */
    const through = new Map<string, Set<Operation>>();
    /** Of causes that are known by what was left of their cases: the findings that they are. */
    const ids = new Map<string, string>();
    const underWay = new Map<Case, Set<Case>>();
    const unsure = createUnsure();
    const arrived = createArrived();
    let cases = 0;
    let kept = 0;
    let suspects = 0;
    let longestMs = 0;
    let cut: string | undefined;
    let fault: string | undefined;
    let revival: Promise<void> | undefined;
    let last: (Pick<Suspect, 'case' | 'number' | 'before'> & { readonly seen: Attempt }) | undefined;

    const isTimeUp = (): boolean => isOutOfTime(signal) || clock.now() - started >= timeMs;
    const isOver = (): boolean => {
      if (isTimeUp()) cut ??= timeIsOver;
      if (signal?.aborted === true) cut ??= 'interrupted';
      if (stage.requestBudget !== undefined && lab.requests >= stage.requestBudget)
        cut ??= 'the budget of requests is spent';
      if (stage.taskBudget !== undefined && lab.tasks >= stage.taskBudget) cut ??= 'the budget of tasks is spent';
      return cut !== undefined;
    };

    /** What is left of the time is for confirming what was seen. */
    const isClosing = (): boolean => {
      const reserve = Math.min(reservedShare * timeMs, Math.max(leastReserveMs, reservedCases * longestMs));
      return Number.isFinite(timeMs) && clock.now() - started >= timeMs - reserve;
    };

    /** After trouble: whether the agent still answers. One looks after it for all. */
    async function tend(): Promise<void> {
      if (revival === undefined && !isOver() && !(await lab.canary.isAlive())) {
        revival ??= lab.canary.revive().then((isBack) => {
          if (!isBack && !isOver()) cut = gone;
          revival = undefined;
        });
      }
      await revival;
    }

    /** In a place of its own, and when nobody looks after the agent. */
    const inTurn = <T>(work: () => Promise<T>): Promise<T> =>
      lab.inTurn(async () => {
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
        const trace = await lab.perform(next, number, how);
        // Of what an agent may have died others are not to die, too, before somebody has looked after it.
        return isTroubled(trace) ? lab.judge(trace, number) : { trace };
      });
      if (run === undefined) return undefined;
      const examined = 'symptoms' in run ? run : await lab.judge(run.trace, number, inTurn);
      longestMs = Math.max(longestMs, clock.now() - begunAt);
      // What was cut in the middle shows nothing.
      if (isTimeUp()) return undefined;
      if (isTroubled(run.trace)) {
        await tend();
        if (cut === gone) last ??= { seen: examined, case: next, number, before: [...past] };
      }
      return examined;
    }

    /** What the agent died of, or fails for good since, cannot be run again. */
    async function bury(): Promise<void> {
      if (last === undefined || parts.bury === undefined) return;
      const { seen, ...known } = last;
      let symptom: Symptom | undefined;
      if (await lab.canary.isGone()) symptom = seen.symptoms.find(isDeath) ?? unseenDeath;
      else {
        const failure = await lab.canary.failing();
        symptom = failure === undefined ? undefined : failingFor(failure);
      }
      if (symptom !== undefined) add(parts.bury({ ...known, bucket: symptom.bucket, symptom }, seen, stage));
    }

    const told = (finding: Finding): Finding => {
      const operations = [...(through.get(finding.id) ?? [])].sort();
      return operations.length === 0 ? finding : { ...finding, operations };
    };

    function add({ finding, exchanges: its }: Confirmed): void {
      if (findings.some(({ id }) => id === finding.id)) return;
      findings.push(finding);
      exchanges.push(...its);
      stage.onFinding(told(finding));
    }

    /** Where it was made small, and is known by what is left: `id`. */
    function noteThrough(symptom: Symptom, id = ids.get(causeOf(symptom)) ?? findingId(causeOf(symptom))): void {
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
      const examined = await examine(next, number, { ...how, onTurn });
      underWay.delete(next);
      if (examined === undefined) return undefined;
      const { trace, symptoms, fault } = examined;
      arrived.note(trace);
      taken.note(trace);
      // Many wait for their turn: the answers themselves are not kept.
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

    /** What an agent may remember, or be at, when a case runs: the nearest last. */
    const before = ({ case: own, beside }: Numbered): readonly Case[] => [
      ...past.filter((one) => !beside.has(one)),
      ...[...beside].filter((one) => one !== own),
    ];
    const triesOf = (bucket: string, found: Case): string => `${isRace(found) ? 'race' : 'order'} ${bucket}`;

    /** `onTried`: told of each attempt that came to its end. */
    const benchFor = (number: number, onTried?: () => void): Bench => ({
      async attempt(next, apartMs): Promise<Attempt> {
        await tend();
        const examined = await examine(next, number, apartMs === undefined ? {} : { apartMs });
        if (examined !== undefined) onTried?.();
        return examined ?? notTried(next, cut);
      },
      isOver,
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

    /** Of a death: the case of another one that it comes of, if one of those that came last shows it. */
    async function deadlyCase({ bucket, sent }: Symptom, found: Case, bench: Bench): Promise<Case | undefined> {
      if (sent === undefined) return undefined;
      for (const likely of arrived.shortlyBefore(sent.exchange)) {
        if (likely === found) continue;
        const { symptoms } = await bench.attempt(likely);
        if (symptoms.some((one) => one.bucket === bucket)) return likely;
      }
      return undefined;
    }

    async function settle(symptom: Symptom, examined: Numbered): Promise<void> {
      const { case: found, number, trace } = examined;
      const { bucket } = symptom;
      const cause = causeOf(symptom);
      const isNew = !confirmedIn.has(cause) && !unsure.has(cause) && !tries.has(triesOf(bucket, found));
      let tried = 0;
      /** It was seen, and there was no time to run it again. */
      function tellUnconfirmed(): void {
        if (!isTimeUp() || tried > 0 || !isNew || isBroken(symptom) || findings.length >= mostFindings) return;
        if (trace === undefined || parts.tell === undefined) return;
        const seen = { trace, symptoms: [symptom] };
        add(parts.tell({ case: found, bucket, symptom, before: [], number }, seen, stage));
      }
      if (!isSuspect(symptom, found)) return tellUnconfirmed();
      const plain = benchFor(number, () => tried++);
      const isDeadly = isDeath(symptom);
      const bench = isDeadly ? deathBench(bucket, plain, lab.canary, stage, deathMs) : plain;
      const isUnknown = bucket === unseenDeath.bucket && !unsure.has(cause);
      const deadly = isUnknown ? await deadlyCase(symptom, found, bench) : undefined;
      // Of a known death others have lost their requests, too: what was before them says nothing new.
      const isBystander = isDeadly && confirmedIn.has(unseenDeath.bucket);
      // What an oracle tried is tried first, and this where that does not show it again.
      const suspect = {
        case: deadly ?? found,
        bucket,
        symptom,
        before: isBystander ? [] : before(examined),
        beside: isBystander ? [] : [...examined.beside].filter((one) => one !== found),
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
        // What is confirmed is alone with the agent.
        if (!isTimeUp()) await quiet();
        for (const symptom of examined.symptoms) await settle(symptom, examined);
      }
      for (const waited of unsure.take(cases)) add(waited);
      past.push(examined.case);
      if (past.length > pastKept) past.shift();
      if (cases % stride === 0) stage.onProgress(cases, lab.requests, findings.length);
    }

    if (await lab.canary.isAlive()) {
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
    // Nobody is asked who is away.
    const isEarly = cut !== undefined && cut !== timeIsOver && !cut.startsWith('the budget');
    const messages = isEarly ? undefined : await taken.settle((next) => lab.perform(next, 0));
    stage.onProgress(cases, lab.requests, findings.length);
    if (fault !== undefined) cut ??= `the kit itself failed: ${fault}`;
    return outcome(stage, findings.map(told), exchanges, lab.tasks, messages, {
      cases,
      requests: lab.requests,
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
  told: Omit<FuzzOutcome['summary'], 'seed'>,
): FuzzOutcome => ({
  findings,
  exchanges,
  tasks,
  ...(messages === undefined ? {} : { messages }),
  summary: { seed, ...told },
});
