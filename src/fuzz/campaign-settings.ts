import type { Finding } from '../report/index.js';
import type { FuzzStage } from '../run/index.js';
import type { Exchange } from '../wire/index.js';
import type { Case } from './case.js';
import type { Generator } from './generator.js';
import type { Oracle, Symptom } from './oracle.js';
import type { Spell } from './spelling.js';
import type { Trace } from './trace.js';

/** How long a campaign is, and how it chooses. */
export interface CampaignSettings {
  /** Cases. Confirming and shrinking come on top. */
  readonly runs: number;
  /** Of the whole campaign, with all that confirms findings; default: no limit. */
  readonly timeMs?: number;
  /** Requests per second; default: no limit. */
  readonly rate?: number;
  /** Cases at once; default 1. */
  readonly concurrency?: number;
  /** Default true. false: every case is a fresh one, whatever was answered. */
  readonly guided?: boolean;
  /** Share of cases that are races, 0 to 1; default 0.05. */
  readonly races?: number;
  /** Run first. */
  readonly corpus?: readonly Case[];
  /** The agent has seen the messages before: they go out under other ids from the first run on. Default: with a corpus. */
  readonly renews?: boolean;
  /** Told of each case that brought an answer which none had brought before. */
  readonly onKept?: (kept: Case) => void;
  /** How long a wait step reads a task, and a stream is listened to, ms; default: a part of the timeout. */
  readonly patienceMs?: number;
  readonly listenMs?: number;
  /** How long an agent that died may take to come back, ms; default 15 s. */
  readonly revivalMs?: number;
}

/** The parts that a campaign is put together of. */
export interface CampaignParts {
  readonly spell: Spell;
  generator(stage: FuzzStage): Generator;
  /** Oracles of one campaign: what they remember is theirs. */
  oracles(stage: FuzzStage): readonly Oracle[];
  readonly settle: Settle;
  /** Tells of a suspect that nobody had the time to run again; left out: nothing is told of it. */
  readonly tell?: (suspect: Suspect, seen: Attempt, stage: FuzzStage) => Confirmed;
  /** Tells of an agent that is gone for good; left out: the campaign only ends. */
  readonly bury?: (suspect: Suspect, seen: Attempt, stage: FuzzStage) => Confirmed;
}

/** What one run of a case from scratch showed. */
export interface Attempt {
  readonly trace: Trace;
  readonly symptoms: readonly Symptom[];
}

/** Of a case that was not run, or not to its end. */
export const notTried = (next: Case, cut = ''): Attempt => ({
  trace: { case: next, sent: [], begun: new Map(), isWithheld: true, cut },
  symptoms: [],
});

/** Tries cases one after the other, while nothing else of the campaign is under way. */
export interface Bench {
  /**
   * Runs a case on an agent that has answered a canary before, and judges it by all oracles. `apartMs`: so long passes
   * before each step about what an earlier one began.
   */
  attempt(next: Case, apartMs?: number): Promise<Attempt>;
  /** Nothing more can be tried: stopped, a budget is spent, the agent is gone for good. */
  isOver(): boolean;
}

export interface Suspect {
  /** In which it was seen; what its oracle tried, if anything, is with the symptom. */
  readonly case: Case;
  readonly bucket: string;
  readonly symptom: Symptom;
  /** What ran before it, the oldest first: the agent may remember it. */
  readonly before: readonly Case[];
  /** What was under way at the same time, the last that began last: the agent may have mixed them up. */
  readonly beside?: readonly Case[];
  /** Number of the case in the campaign, from 1. */
  readonly number: number;
  /** Only what comes each time is wanted, and alone: that it comes at all is known. */
  readonly steadily?: boolean;
  /** Only what comes also where the requests are apart is wanted. */
  readonly atLeisure?: boolean;
}

export interface Confirmed {
  readonly finding: Finding;
  /** Those that the finding names. */
  readonly exchanges: readonly Exchange[];
  /** It does not come where the requests are apart: its script may be too slow for it. */
  readonly isHasty?: true;
}

/** Confirms a suspect, and makes it small; undefined: it never came again. */
export type Settle = (suspect: Suspect, bench: Bench, stage: FuzzStage) => Promise<Confirmed | undefined>;
