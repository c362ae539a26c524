import type { Replay } from '../../report/index.js';
import type { FuzzPhase, FuzzStage } from '../../run/index.js';
import type { Case } from '../case/case.js';
import type { StoredCase } from '../case/stored-case.js';
import { transcode } from '../case/transcode.js';
import { type CaseRunner, createCaseRunner } from '../execute/case-runner.js';
import { isOutOfTime, shorter, timeIsOver } from '../execute/time.js';
import { createRandomSource } from '../generate/random-source.js';
import { crashBench, isEnd } from '../oracles/crash-report.js';
import { findingOf } from '../report/finding.js';
import {
  type Bench,
  type CampaignSettings,
  type Confirmed,
  notTried,
  type Suspect,
} from '../schedule/campaign-settings.js';
import { fuzzParts } from '../schedule/parts.js';
import { createTaken } from '../schedule/taken.js';
import type { ConfirmationSettings } from './confirmation.js';
import { count } from './reruns.js';
import { showing, showsIn } from './showing.js';

const usualConfirmations = 3;
const away = 'the agent no longer answers';

/** Runs cases one after the other; the agent must answer a canary before each. `end`: when the time is over, ms. */
function benchOn(
  runner: CaseRunner,
  stage: FuzzStage,
  number: number,
  end: number,
): Bench & { readonly cut: () => string | undefined } {
  let cut: string | undefined;
  const isOver = (): boolean => {
    if (stage.clock.now() >= end || isOutOfTime(stage.signal)) cut ??= timeIsOver;
    if (stage.signal?.aborted === true) cut ??= 'interrupted';
    if (stage.requestBudget !== undefined && runner.requests >= stage.requestBudget)
      cut ??= 'the budget of requests is spent';
    return cut !== undefined;
  };
  return {
    async attempt(next) {
      // With a spent budget no canary is sent, and the agent may be well.
      if (!isOver() && !(await runner.canary.isAlive()) && !isOver() && !(await runner.canary.revive()) && !isOver()) {
        cut = away;
      }
      const seen = isOver() ? undefined : await runner.examine(next, number);
      // A case that was cut in the middle shows nothing.
      return seen === undefined || (isOver() && cut === timeIsOver) ? notTried(next, cut) : seen;
    },
    isOver,
    cut: () => cut,
  };
}

interface Replayed {
  readonly replay: Replay;
  readonly confirmed?: Confirmed;
  /** The agent went down and did not come back. */
  readonly isAway?: boolean;
}

const notRun = ({ name, bucket = '', why = '' }: StoredCase, reason: string): Replayed => ({
  replay: { name, bucket, title: why, verdict: 'not-run', times: 0, of: 0, reason },
});

/** The part of a bucket that names the defect in any dialect, without operation and place. */
const kindOf = (bucket: string): string => bucket.split(/[ /]/).slice(0, 2).join('/');

/** The bucket that a case shows now: its own, or one of its kind in another dialect. */
async function bucketNow(own: string, next: Case, isForeign: boolean, bench: Bench): Promise<string> {
  if (!isForeign) return own;
  const attempt = await bench.attempt(next);
  if (showing(own, attempt) !== undefined) return own;
  return attempt.symptoms.find(({ bucket }) => kindOf(bucket) === kindOf(own))?.bucket ?? own;
}

async function replayOne(
  stored: StoredCase,
  number: number,
  runner: CaseRunner,
  stage: FuzzStage,
  settling: ConfirmationSettings,
  end: number,
): Promise<Replayed> {
  const { name, bucket: own, why = '' } = stored;
  if (own === undefined) return notRun(stored, 'the case comes from a corpus and showed no defect');
  const spelled = transcode(stored.case, stage.client.dialect);
  if ('reason' in spelled) return notRun(stored, spelled.reason);
  const plain = benchOn(runner, stage, number, end);
  if (plain.isOver()) return notRun(stored, plain.cut() ?? '');
  // The agent may go down only once: no run is spent on the bucket of this dialect.
  const isDeadly = isEnd({ bucket: own });
  const bench = isDeadly ? crashBench(own, plain, runner.canary, stage) : plain;
  const isForeign = spelled.case !== stored.case && !isDeadly;
  const bucket = await bucketNow(own, spelled.case, isForeign, bench);
  const {
    times,
    of,
    shown,
    why: unsent,
  } = await count(spelled.case, showsIn(bucket, false), settling.confirmations ?? usualConfirmations, bench);
  const isAway = plain.cut() === away;
  if (of === 0) return { ...notRun(stored, plain.cut() ?? unsent ?? 'the campaign ended'), isAway };
  const replay: Replay = { name, bucket, title: why, verdict: times > 0 ? 'shows' : 'gone', times, of };
  const symptom = shown[0] && showing(bucket, shown[0]);
  if (symptom === undefined) return { replay, isAway };
  const suspect: Suspect = { case: spelled.case, bucket, symptom, before: [], number };
  const found = { case: spelled.case, symptom, times, of, shown };
  return { replay, isAway, confirmed: findingOf(found, suspect, stage, settling.kit) };
}

/** Runs stored cases again, in place of new ones. */
export const replayPhase =
  (cases: readonly StoredCase[], settings: CampaignSettings, settling: ConfirmationSettings): FuzzPhase =>
  async (stage) => {
    const started = stage.clock.now();
    const end = started + shorter(settings.timeMs, stage.timeMs);
    const parts = fuzzParts(stage, settling);
    const runner = createCaseRunner(stage, { ...settings, renews: true }, parts);
    const replays: Replay[] = [];
    const found = new Map<string, Confirmed>();
    // Later answers to a canary are compared with the first.
    let silence = (await runner.canary.isAlive()) ? undefined : 'the agent does not answer';
    if (silence === undefined) await runner.learn();
    for (const [at, stored] of cases.entries()) {
      const { replay, confirmed, isAway }: Replayed =
        silence === undefined ? await replayOne(stored, at + 1, runner, stage, settling, end) : notRun(stored, silence);
      if (isAway === true) silence = away;
      replays.push(replay);
      if (confirmed !== undefined && !found.has(confirmed.finding.id)) {
        found.set(confirmed.finding.id, confirmed);
        stage.onFinding(confirmed.finding);
      }
      stage.onProgress(at + 1, runner.requests, found.size);
    }
    const taken = createTaken(parts.generator(stage), createRandomSource(stage.seed), stage);
    const cut = stage.signal?.aborted === true && !isOutOfTime(stage.signal) ? 'interrupted' : silence;
    const messages = cut === undefined ? await taken.settle((next) => runner.perform(next, 0)) : undefined;
    return {
      findings: [...found.values()].map(({ finding }) => finding),
      exchanges: [...found.values()].flatMap(({ exchanges }) => exchanges),
      tasks: runner.tasks,
      ...(messages === undefined ? {} : { messages }),
      summary: {
        seed: stage.seed,
        cases: replays.filter(({ verdict }) => verdict !== 'not-run').length,
        requests: runner.requests,
        features: 0,
        kept: 0,
        durationMs: Math.round(stage.clock.now() - started),
        ...(cut === undefined ? {} : { cut }),
        replays,
      },
    };
  };
