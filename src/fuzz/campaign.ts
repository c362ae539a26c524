import type { Finding, FuzzOutcome, FuzzPhase, FuzzStage } from '../run/index.js';
import { type Exchange, plural } from '../wire/index.js';
import type { Attempt, Bench, CampaignParts, CampaignSettings, Confirmed, Suspect } from './campaign-settings.js';
import type { Case } from './case.js';
import { createChooser } from './chooser.js';
import { isDeath, unseenDeath } from './death.js';
import { createDice } from './dice.js';
import type { Judged } from './judging.js';
import { createLab, type Examined } from './lab.js';
import { isSlow, knownAt } from './lookahead.js';
import { createNovelty, type Traits, traitsOf } from './novelty.js';
import type { Symptom } from './oracle.js';
import type { Trace } from './trace.js';
import { createUnsure, isSure } from './unsure.js';

/** What is kept of a case until its turn comes. */
interface Numbered extends Judged {
  readonly case: Case;
  readonly number: number;
  readonly traits: Traits;
}

/** A case under way, among others. */
interface Run {
  readonly ended: Promise<Numbered | undefined>;
  /** Whether it ended in time, known by then. */
  readonly inTime: Promise<boolean>;
  isOver(): boolean;
}

/**
 * Longer than that no case is waited for when others are to be chosen, ms: a second in which nothing is sent costs more
 * than what the answers of one case would have told.
 */
const lateMs = 1000;
/** What ran last, for symptoms that need a past. */
const pastKept = 24;
/** A symptom that did not come again is looked at so often; then it is chance. */
const mostTries = 3;
/** Symptoms that are looked at in one campaign, and findings that it gives: an agent may fail in a new way each time. */
const mostSuspects = 300;
const mostFindings = 100;
const gone = 'the agent no longer answers';
/** Cases between two notices of progress. */
const stride = 25;

const isTroubled = ({ sent, cut }: Trace): boolean =>
  cut !== undefined ||
  sent.some(
    ({ exchange: { failure } }) => failure !== undefined && failure.kind !== 'aborted' && failure.kind !== 'too-large',
  );

/**
 * Runs cases, several at once if wanted. The same seed gives the same cases with the same requests on an agent that
 * answers the same: what is chosen for a case depends on the seed and on the answers to the cases that `knownAt` names,
 * taken into account in their order. With one case at a time the requests also go out in the same order. Apart from that
 * stand how often a wait step reads a task, what takes far longer than usual, what oracles ask about that, and, with several
 * at once, when a case that took longer than a second counts: that is a matter of time.
 */
export const fuzzPhase =
  (settings: CampaignSettings, parts: CampaignParts): FuzzPhase =>
  async (stage) => {
    const { clock, signal } = stage;
    const started = clock.now();
    const lab = createLab(stage, settings, parts);
    const novelty = createNovelty();
    const chooser = createChooser(parts.generator(stage), createDice(stage.seed), novelty.countOf, settings);
    const lanes = Math.max(1, settings.concurrency ?? 1);
    const findings: Finding[] = [];
    const exchanges: Exchange[] = [];
    const past: Case[] = [];
    const tries = new Map<string, number>();
    const unsure = createUnsure();
    let cases = 0;
    let kept = 0;
    let suspects = 0;
    let cut: string | undefined;
    let fault: string | undefined;
    let revival: Promise<void> | undefined;
    let last: (Pick<Suspect, 'case' | 'number' | 'before'> & { readonly seen: Attempt }) | undefined;
    /** Chosen, and not yet begun. */
    let queued = 0;
    let hurry: (() => void) | undefined;

    const isOver = (): boolean => {
      if (signal?.aborted === true) cut ??= 'interrupted';
      if (settings.timeMs !== undefined && clock.now() - started >= settings.timeMs) cut ??= 'the time is over';
      if (stage.requestBudget !== undefined && lab.requests >= stage.requestBudget)
        cut ??= `the budget of ${plural(stage.requestBudget, 'request')} is spent`;
      if (stage.taskBudget !== undefined && lab.tasks >= stage.taskBudget)
        cut ??= `the budget of ${plural(stage.taskBudget, 'task')} is spent`;
      return cut !== undefined;
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

    async function examine(next: Case, number: number, onTurn?: () => void): Promise<Examined | undefined> {
      const examined = await lab.inTurn(async () => {
        await revival;
        onTurn?.();
        return isOver() ? undefined : lab.examine(next, number);
      });
      if (examined !== undefined && isTroubled(examined.trace)) {
        await tend();
        if (cut === gone) last ??= { seen: examined, case: next, number, before: [...past] };
      }
      return examined;
    }

    /** What the agent died of cannot be run again. */
    async function bury(): Promise<void> {
      if (last === undefined || parts.bury === undefined || !(await lab.canary.isGone())) return;
      const { seen, ...known } = last;
      const symptom = seen.symptoms.find(isDeath) ?? unseenDeath;
      add(parts.bury({ ...known, bucket: symptom.bucket, symptom }, seen, stage));
    }

    function add(confirmed: Confirmed): void {
      if (findings.some(({ id }) => id === confirmed.finding.id)) return;
      findings.push(confirmed.finding);
      exchanges.push(...confirmed.exchanges);
      stage.onFinding(confirmed.finding);
    }

    async function numbered(next: Case, number: number, onTurn: () => void): Promise<Numbered | undefined> {
      const examined = await examine(next, number, onTurn);
      if (examined === undefined) return undefined;
      const { trace, symptoms, fault } = examined;
      // Many wait for their turn: the answers themselves are not kept.
      return { case: next, number, traits: traitsOf(trace), symptoms, ...(fault === undefined ? {} : { fault }) };
    }

    function begin(next: Case, number: number): Run {
      let isDone = false;
      let stop: (() => void) | undefined;
      let tell: (inTime: boolean) => void = () => {};
      const inTime = new Promise<boolean>((resolve) => {
        tell = resolve;
      });
      queued++;
      const ended = numbered(next, number, () => {
        queued--;
        hurry?.();
        stop = clock.after(lateMs, () => tell(false));
      }).finally(() => {
        isDone = true;
        stop?.();
        tell(true);
      });
      return { ended, inTime, isOver: () => isDone };
    }

    const benchFor = (number: number): Bench => ({
      async attempt(next): Promise<Attempt> {
        await tend();
        const examined = await examine(next, number);
        return examined ?? { trace: { case: next, sent: [], begun: new Map(), cut: cut ?? '' }, symptoms: [] };
      },
      isOver,
    });

    function isSuspect({ bucket, keys }: Symptom, found: Case): boolean {
      if (keys.length > 0 && keys.every((key) => stage.broken.has(key))) return false;
      if (isOver()) return false;
      if (unsure.has(bucket)) return unsure.mayBetter(bucket, found);
      const isTried = (tries.get(bucket) ?? 0) >= mostTries;
      return !isTried && suspects < mostSuspects && findings.length + unsure.size < mostFindings;
    }

    async function settle(symptom: Symptom, examined: Numbered): Promise<void> {
      const { case: found, number } = examined;
      if (!isSuspect(symptom, found)) return;
      const { bucket } = symptom;
      // What an oracle tried is tried first, and this where that does not show it again.
      const suspect = { case: found, bucket, symptom, before: [...past], number };
      if (unsure.has(bucket)) {
        const better = await parts.settle({ ...suspect, steadily: true }, benchFor(number), stage);
        if (better === undefined || !isSure(better)) return unsure.looked(bucket, found);
        unsure.drop(bucket);
        return add(better);
      }
      tries.set(bucket, (tries.get(bucket) ?? 0) + 1);
      suspects++;
      const confirmed = await parts.settle(suspect, benchFor(number), stage);
      if (confirmed === undefined) return;
      tries.set(bucket, mostTries);
      if (isSure(confirmed)) add(confirmed);
      else unsure.wait(bucket, confirmed, found, cases);
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
      if (examined.symptoms.some((symptom) => isSuspect(symptom, examined.case))) {
        // What is confirmed is alone with the agent.
        await quiet();
        for (const symptom of examined.symptoms) await settle(symptom, examined);
      }
      for (const waited of unsure.take(cases)) add(waited);
      past.push(examined.case);
      if (past.length > pastKept) past.shift();
      if (cases % stride === 0) stage.onProgress(cases, lab.requests, findings.length);
    }

    if (await lab.canary.isAlive()) {
      const [quick, slow, late] = [new Map<number, Run>(), new Map<number, Run>(), new Set<Run>()];
      const quiet = () => Promise.all([...quick.values(), ...slow.values(), ...late].map(({ ended }) => ended));
      async function foldUntil(last: number, runs: Map<number, Run>): Promise<void> {
        for (const [number, run] of runs) {
          if (number > last) return;
          const isDone = lanes === 1 || (await run.inTime);
          runs.delete(number);
          if (isDone) await fold(await run.ended, quiet);
          else late.add(run);
        }
      }
      /** Those that took long are taken into account when they have ended. */
      async function foldLate(which: (run: Run) => boolean): Promise<void> {
        for (const run of late) {
          if (!which(run)) continue;
          late.delete(run);
          await fold(await run.ended, quiet);
        }
      }
      let made = 0;
      while (made < settings.runs && !isOver()) {
        await foldUntil(knownAt(made + 1, lanes, false), quick);
        await foldUntil(knownAt(made + 1, lanes, true), slow);
        await foldLate((run) => run.isOver());
        // Cases that only stand in line cost memory.
        while (queued >= 2 * lanes) {
          await new Promise<void>((resolve) => {
            hurry = resolve;
          });
        }
        if (isOver()) break;
        const number = ++made;
        const next = chooser.choose();
        (isSlow(next) ? slow : quick).set(number, begin(next, number));
      }
      await foldUntil(made, quick);
      await foldUntil(made, slow);
      await foldLate(() => true);
      for (const waited of unsure.take()) add(waited);
      await bury();
    } else cut = 'the agent does not answer';
    stage.onProgress(cases, lab.requests, findings.length);
    if (fault !== undefined) cut ??= `the kit itself failed: ${fault}`;
    return outcome(stage, findings, exchanges, lab.tasks, {
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
  told: Omit<FuzzOutcome['summary'], 'seed'>,
): FuzzOutcome => ({ findings, exchanges, tasks, summary: { seed, ...told } });
