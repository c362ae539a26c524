import type { Finding } from '../../report/index.js';
import type { FuzzStage } from '../../run/index.js';
import type { Exchange } from '../../wire/index.js';
import type { Case } from '../case/case.js';
import type { Spell } from '../case/spelled.js';
import type { Trace } from '../execute/trace.js';
import type { Generator } from '../generate/generator.js';
import type { Oracle, Symptom } from '../oracles/oracle.js';

/** How long a campaign is, and how it chooses. */
export interface CampaignSettings {
  /** Number of cases. Runs that confirm and shrink findings are not counted. */
  readonly runs: number;
  /** Limit of the whole campaign, confirmation of findings included; default: no limit. */
  readonly timeMs?: number;
  /** Requests per second; default: no limit. */
  readonly rate?: number;
  /** Cases that run at once; default 1. */
  readonly concurrency?: number;
  /** Default true. false: every case is a new one, whatever was answered before. */
  readonly guided?: boolean;
  /** Share of cases that are races, 0 to 1; default 0.05. */
  readonly races?: number;
  /** Cases that run first. */
  readonly corpus?: readonly Case[];
  /** The agent has seen the messages before: new ids from the first run on. Default: with a corpus or an id seed. */
  readonly renews?: boolean;
  /** Called with each case whose answers showed something new. */
  readonly onKept?: (kept: Case) => void;
  /**
   * How long a wait step reads a task, and a stream is listened to, ms; default: the timeout, at most 5 s and 1.5 s.
   */
  readonly patienceMs?: number;
  readonly listenMs?: number;
  /** How long an agent that went down may take to come back, ms; default 15 s. */
  readonly revivalMs?: number;
}

/** The parts of a campaign. */
export interface CampaignParts {
  readonly spell: Spell;
  generator(stage: FuzzStage): Generator;
  /** The oracles of one campaign, which share no memory with other campaigns. */
  oracles(stage: FuzzStage): readonly Oracle[];
  readonly settle: Settle;
  /** Makes the finding of a suspect that the time did not let the kit run again; left out: no such finding. */
  readonly tell?: (suspect: Suspect, seen: Attempt, stage: FuzzStage) => Confirmed;
  /** Makes the finding of an agent that did not come back; left out: the campaign only ends. */
  readonly bury?: (suspect: Suspect, seen: Attempt, stage: FuzzStage) => Confirmed;
}

/** The trace and the symptoms of one run of a case. */
export interface Attempt {
  readonly trace: Trace;
  readonly symptoms: readonly Symptom[];
}

/** The attempt of a case that was not run, or not to its end. */
export const notTried = (next: Case, cut = ''): Attempt => ({
  trace: { case: next, sent: [], begun: new Map(), isWithheld: true, cut },
  symptoms: [],
});

export interface AttemptOptions {
  /** Pause before each step that refers to an earlier step, ms. */
  readonly apartMs?: number;
  /** No answer is awaited for longer than it takes to know silence from the answers that came; default: `isBrief`. */
  readonly briefly?: boolean;
}

/** Runs cases one after the other, while no other case of the campaign runs. */
export interface Bench {
  /** Checks that the agent answers a canary, runs a case, and asks all oracles. */
  attempt(next: Case, how?: AttemptOptions): Promise<Attempt>;
  /** Whether attempts are brief where nothing else is said. */
  readonly isBrief?: boolean;
  /** Nothing more can be run: the campaign was stopped, a budget is spent, or the agent did not come back. */
  isOver(): boolean;
}

export interface Suspect {
  /** The case that showed the symptom; a case that the oracle itself ran is in `symptom.case`. */
  readonly case: Case;
  readonly bucket: string;
  readonly symptom: Symptom;
  /** Cases that ran before it, the oldest first: the agent may remember them. */
  readonly before: readonly Case[];
  /** Cases that ran at the same time, in the order of their start: the agent may have mixed them up. */
  readonly beside?: readonly Case[];
  /** Number of the case in the campaign, from 1. */
  readonly number: number;
  /** Confirm only a case that alone shows the symptom in each run: that it comes at times is known. */
  readonly steadily?: boolean;
  /** Confirm only if the symptom also comes with pauses between the requests. */
  readonly atLeisure?: boolean;
}

export interface Confirmed {
  readonly finding: Finding;
  /** The exchanges that the finding names. */
  readonly exchanges: readonly Exchange[];
  /** The symptom does not come with pauses between the requests: its script may be too slow. */
  readonly isHasty?: true;
}

/** Confirms a suspect and shrinks its case; undefined: the symptom did not come again. */
export type Settle = (suspect: Suspect, bench: Bench, stage: FuzzStage) => Promise<Confirmed | undefined>;
