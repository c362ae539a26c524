import type { Level, Verdict } from '../model/index.js';
import type { Exchange } from '../wire/index.js';
import type { ShardReport } from './shard.js';

export interface Selection {
  /** Suite names, globs. Empty: all. */
  readonly suites: readonly string[];
  /** Check ids, globs. Empty: all. */
  readonly checks: readonly string[];
  /** Lowest level to run. */
  readonly level: Level;
}

/** Whether the agent was seen to take a message: without that, nothing that it does shows what it is for. */
export interface Acceptance {
  readonly accepted: boolean;
  /** Where none was accepted: one sentence, the fact first. */
  readonly why?: string;
}

/** The judged check, as in `contract.md`. */
export interface CheckResult {
  readonly id: string;
  readonly suite: string;
  readonly title: string;
  readonly level: Level;
  /** Ids of the requirement rows of this version that the check decides. */
  readonly requirements: readonly string[];
  readonly section: string;
  readonly verdict: Verdict;
  /** Why; empty for a pass. */
  readonly reason: string;
  readonly expected: string;
  /** What came; empty when nothing was judged. */
  readonly actual: string;
  /** Ids on the tape, in order of sending. */
  readonly exchanges: readonly string[];
  /** Id on the tape of the exchange from which the failure was read. */
  readonly exhibit?: string;
  /** Its request, as one shell line. */
  readonly curl?: string;
  readonly advice?: string;
  /** The id of the cause that kept it from being judged. */
  readonly cause?: string;
  /** Listed in the baseline: a known failure, or a stale or expired entry. */
  readonly baseline?: 'known' | 'stale' | 'expired';
  readonly durationMs: number;
}

/** What is so of the agent as a whole and kept checks from being judged: it is told once, before all checks. */
export interface Cause {
  /** The same for the same cause in every run: `redirect`, `credentials`, `operation:cancel`, `died`, `no-message`. */
  readonly id: string;
  /** One sentence, the fact first: "the endpoint redirects to /a2a/ (HTTP 307)". */
  readonly fact: string;
  /** What the user can do about it. */
  readonly advice: string;
  /** Ids of the checks that are inconclusive because of it. */
  readonly checks: readonly string[];
  /** Ids on the tape of what shows it. */
  readonly exchanges: readonly string[];
  /** The request that shows it, as one shell line. */
  readonly curl?: string;
}

export interface Tally {
  readonly pass: number;
  readonly fail: number;
  readonly inconclusive: number;
  readonly notApplicable: number;
  readonly error: number;
}
export type Summary = { readonly [Name in Level]: Tally };

/** An interface of the agent, and whether the run says anything of it. */
export interface InterfaceReport {
  readonly url: string;
  /** As the card names it: "JSONRPC", "HTTP+JSON", a URI. */
  readonly binding: string;
  readonly version?: string;
  readonly tenant?: string;
  /** The card declares it; else it was found by looking where such endpoints usually are. */
  readonly declared: boolean;
  readonly judged: 'in-full' | 'not';
  /** Why it is not judged. */
  readonly why?: string;
}

export interface TargetReport {
  readonly url: string;
  readonly endpoint: string;
  readonly cardUrl?: string;
  /** SHA-256 of the card's canonical form (RFC 8785), hex; left out when there was no card. */
  readonly cardDigest?: string;
  readonly profile: string;
  readonly agent: { readonly name?: string; readonly version?: string };
  /** What the detection saw, in order, one line each. */
  readonly detection: readonly string[];
  /** URIs that the card declares. */
  readonly extensions: readonly string[];
  /** What the card declares, and what is judged; left out in reports of before. */
  readonly interfaces?: readonly InterfaceReport[];
}

/** A payment with funds that nobody has answered for: see `Report.payments`. */
export interface PaymentReport {
  /**
   * Outstanding: whoever has its signature can cash it until it expires. Receipted: the agent says that it has done so,
   * which nobody has looked up; told only where a run was ended by force. Planned: a dry run would have signed it.
   */
  readonly state: 'outstanding' | 'receipted' | 'planned';
  readonly network: string;
  readonly asset: string;
  readonly payTo: string;
  /** Atomic units. */
  readonly amount: string;
  readonly nonce: string;
  /** ISO 8601. */
  readonly expires: string;
  /** Its beginning. */
  readonly signature?: string;
}

/** What the fuzzer found, confirmed by running it again from the beginning, and made as small as it could be. */
export interface Finding {
  /** The same for the same defect in every run: a hash of the bucket. */
  readonly id: string;
  /** What saw it: `law`, `alive`, `error-class`, `unchanged`, `life-cycle`, `history`, `cost`, `leak`. */
  readonly oracle: string;
  /** The same for what is the same defect. */
  readonly bucket: string;
  /** One line, the fact first. */
  readonly title: string;
  readonly detail: string;
  /** That of the sentences that are broken; absent where no sentence is. */
  readonly level?: Level;
  /** Ids of the rows that are broken; none: a weakness, no violation. */
  readonly requirements: readonly string[];
  /**
   * It came again in so many of so many runs from the beginning; fewer than all is flaky. 0 of 0: the agent died of it
   * and stayed away, so that it could not be run again, or there was no time for it.
   */
  readonly confirmed: { readonly times: number; readonly of: number };
  /** Why it was not run again, though the agent is there. Such a one fails no gate. */
  readonly unconfirmed?: 'for want of time';
  /** All that showed the same in the campaign: one cause is one finding, whichever operation shows it. */
  readonly operations?: readonly string[];
  /** Requests of the smallest case that still shows it. */
  readonly steps: number;
  readonly seed: number;
  /** Number of the case in the campaign, from 1. */
  readonly case: number;
  /** Listed in the baseline, or all that it breaks is broken by a known failure; or its time is over. */
  readonly baseline?: 'known' | 'expired';
  /** A POSIX shell script with curl that shows it alone. */
  readonly script: string;
  /** What `--replay` runs again: `schemas/kit/fuzz-case.schema.json`. */
  readonly replay: unknown;
  /** Ids on the tape of the requests that show it. */
  readonly exchanges: readonly string[];
}

/** What a campaign of the fuzzer did. */
export interface FuzzSummary {
  readonly seed: number;
  readonly cases: number;
  readonly requests: number;
  /** Different answers seen: what guided the choice of inputs. */
  readonly features: number;
  /** Inputs kept because they brought an answer that none had brought before. */
  readonly kept: number;
  readonly durationMs: number;
  /** Why it ended before its time. */
  readonly cut?: string;
  /** Of stored cases that were run again. */
  readonly replays?: readonly Replay[];
}

/** A stored case that was run again. */
export interface Replay {
  /** The file it comes from. */
  readonly name: string;
  readonly bucket: string;
  /** What it showed when it was stored. */
  readonly title: string;
  /** It shows it; it does not; it was not run, because this dialect cannot spell it or the campaign ended. */
  readonly verdict: 'shows' | 'gone' | 'not-run';
  /** Of so many runs from scratch so many showed it. */
  readonly times: number;
  readonly of: number;
  /** Why it was not run. */
  readonly reason?: string;
}

/** What a gate says, by its exit code. */
const gateVerdicts = { 0: 'passed', 1: 'failed', 4: 'unproven', 70: 'error' } as const;

/** A gate without its demands. */
export const gateOf = (exitCode: Gate['exitCode'], reasons: readonly string[]): Gate => ({
  passed: exitCode === 0,
  verdict: gateVerdicts[exitCode],
  exitCode,
  reasons,
});

export interface Gate {
  readonly passed: boolean;
  /** Unproven: nothing failed, and too little was shown. Left out in reports of before. */
  readonly verdict?: (typeof gateVerdicts)[keyof typeof gateVerdicts];
  readonly exitCode: 0 | 1 | 4 | 70;
  readonly reasons: readonly string[];
  /** What was asked for, so that parts of a run can be judged together, and a run be shown again as it was judged. */
  readonly strict?: boolean;
  readonly minProof?: number;
}

export interface Report {
  readonly kit: { readonly name: string; readonly version: string };
  readonly target: TargetReport;
  readonly run: {
    readonly startedAt: string;
    readonly durationMs: number;
    readonly seed: number;
    readonly requests: number;
    readonly tasks: number;
    /** Ended before all checks were judged: `interrupted`, or which budget. */
    readonly cut?: string;
    /** Only these were chosen; left out: all checks. */
    readonly selection?: Selection;
    /** Of what was chosen, that of which this version has nothing: "--suite signature". */
    readonly skipped?: readonly string[];
    /** Nothing was sent that could create a task or change one. */
    readonly readOnly?: true;
    /** Whether the agent was seen to take a message; left out where no chosen check needs one. */
    readonly messages?: Acceptance;
    /** A part of a run; `merged` makes one of all parts. */
    readonly shard?: ShardReport;
  };
  readonly gate: Gate;
  /** Left out where there is none. */
  readonly causes?: readonly Cause[];
  readonly summary: Summary;
  readonly checks: readonly CheckResult[];
  readonly findings: readonly Finding[];
  /** Left out where nothing was fuzzed. */
  readonly fuzz?: FuzzSummary;
  /** Payments that can still be cashed, or would have been signed; left out where no funds were given. */
  readonly payments?: readonly PaymentReport[];
  /** Secrets removed. */
  readonly exchanges: readonly Exchange[];
}

/** What a run tells while it goes; the list of events is the truth, all else is a fold over it. */
export type RunEvent =
  | {
      readonly type: 'run.started';
      readonly at: string;
      readonly seed: number;
      readonly url: string;
      readonly kit: Report['kit'];
    }
  | { readonly type: 'target.detected'; readonly target: TargetReport; readonly checks: number }
  /** Nothing is sent for so long: the agent's limit answered, or would if it were. */
  | { readonly type: 'run.waiting'; readonly ms: number; readonly for: 'answered' | 'kept' }
  | { readonly type: 'check.started'; readonly id: string; readonly title: string }
  | { readonly type: 'exchange'; readonly exchange: Exchange }
  | { readonly type: 'check.judged'; readonly result: CheckResult }
  /** From time to time while inputs are tried. */
  | { readonly type: 'fuzz.progress'; readonly cases: number; readonly requests: number; readonly findings: number }
  | { readonly type: 'finding'; readonly finding: Finding }
  | { readonly type: 'run.ended'; readonly report: Report };

export function tallyOf(results: readonly CheckResult[]): Tally {
  const of = (verdict: Verdict) => results.filter((result) => result.verdict === verdict).length;
  return {
    pass: of('pass'),
    fail: of('fail'),
    inconclusive: of('inconclusive'),
    notApplicable: of('not-applicable'),
    error: of('error'),
  };
}

export function tally(results: readonly CheckResult[]): Summary {
  const count = (level: Level): Tally => tallyOf(results.filter((result) => result.level === level));
  return { must: count('must'), should: count('should'), may: count('may') };
}
