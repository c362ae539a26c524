import type { Level, Verdict } from '../model/index.js';
import type { Exchange } from '../wire/index.js';
import type { Latency } from './latency.js';
import type { ShardReport } from './shard.js';

export interface Selection {
  /** Suite names, globs. Empty: all. */
  readonly suites: readonly string[];
  /** Check ids, globs. Empty: all. */
  readonly checks: readonly string[];
  /** Lowest level to run. */
  readonly level: Level;
}

/** Whether the agent accepted a message. If it did not, the run shows nothing of what the agent is for. */
export interface Acceptance {
  readonly accepted: boolean;
  /** Why no message was accepted: one sentence, the fact first. */
  readonly why?: string;
  /**
   * Whether the kit could read an event of any stream; left out where the agent opened none. `why`: how the first stream
   * without such an event ended.
   */
  readonly streams?: { readonly read: boolean; readonly why?: string };
}

/** A judged check. */
export interface CheckResult {
  /** Of an interface beside the first: `rest/answers@a2a-1.0-rest`, the id of the check and the label of the interface. */
  readonly id: string;
  /** The label of the interface; left out for the first one, which is judged in full. */
  readonly interface?: string;
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
  /** The id of the cause that kept it from being judged; of a failure, of the cause that it shares with others. */
  readonly cause?: string;
  /** Added, or made stricter, after the frozen set of the run: it counts for no gate. */
  readonly afterSet?: true;
  /** Listed in the baseline: a known failure, or a stale or expired entry. */
  readonly baseline?: 'known' | 'stale' | 'expired';
  readonly durationMs: number;
  /** The scenario that shows it, of a check of clients. */
  readonly scenario?: string;
}

/**
 * A fact about the whole agent that kept checks from being judged, or that several failures were read from. It is
 * reported once, before all checks.
 */
export interface Cause {
  /** The same for the same cause in every run: `redirect`, `credentials`, `operation:cancel`, `died`, `no-message`. */
  readonly id: string;
  /** One sentence, the fact first: "the endpoint redirects to /a2a/ (HTTP 307)". */
  readonly fact: string;
  /** What the user can do about it. */
  readonly advice: string;
  /** Ids of the checks that are inconclusive because of it. */
  readonly checks: readonly string[];
  /** Ids of the checks that fail by it, the one that says the most first; left out if empty. */
  readonly failures?: readonly string[];
  /** Ids on the tape of the exchanges that show it. */
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
  readonly notOffered: number;
}
export type Summary = { readonly [Name in Level]: Tally };

/** An interface of the agent, and whether the run judged it. */
export interface InterfaceReport {
  readonly url: string;
  /** As the card names it: "JSONRPC", "HTTP+JSON", a URI. */
  readonly binding: string;
  readonly version?: string;
  readonly tenant?: string;
  /** The card declares it. false: the kit found it where such endpoints usually are. */
  readonly declared: boolean;
  /** In part: by the rows that belong to its binding. */
  readonly judged: 'in-full' | 'in-part' | 'not';
  /** What the ids of its results end with, after `@`; left out for the first one, and where it is not judged. */
  readonly label?: string;
  /** Why it is not judged, or only in part; in full: why it is not the one whose URL the user gave. */
  readonly why?: string;
}

export interface TargetReport {
  readonly url: string;
  readonly endpoint: string;
  readonly cardUrl?: string;
  /** SHA-256 of the card's canonical form (RFC 8785), hex; left out without a card. */
  readonly cardDigest?: string;
  readonly profile: string;
  readonly agent: { readonly name?: string; readonly version?: string };
  /** What the detection saw, in order, one line each. */
  readonly detection: readonly string[];
  /** How it was reached where that is not the plain way (a proxy, certificates, tokens), one line each. */
  readonly network?: readonly string[];
  /** Its certificate was not checked. */
  readonly insecure?: true;
  /** It is a client: the scenarios that were played with it, by id. Its `url` is its command. */
  readonly client?: { readonly scenarios: readonly string[] };
  /** URIs that the card declares. */
  readonly extensions: readonly string[];
  /** What the card declares, and what is judged; left out in older reports. */
  readonly interfaces?: readonly InterfaceReport[];
}

/** A payment with the user's funds that is not settled: see `Report.payments`. */
export interface PaymentReport {
  /**
   * Outstanding: any program that has the signature can cash it until it expires. Receipted: the agent has given a
   * receipt, which the kit has not looked up on the chain; reported only if a signal ended the run. Planned: a dry run
   * would have signed it.
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
  /** The beginning of the signature. */
  readonly signature?: string;
}

/** A finding of the fuzzer, confirmed by running it again from scratch, and shrunk to the smallest case. */
export interface Finding {
  /** The same for the same defect in every run: a hash of the bucket. */
  readonly id: string;
  /** The oracle that saw it: `law`, `alive`, `error-class`, `unchanged`, `life-cycle`, `history`, `cost`, `leak`. */
  readonly oracle: string;
  /** The same for all symptoms of one defect. */
  readonly bucket: string;
  /** One line, the fact first. */
  readonly title: string;
  readonly detail: string;
  /** The level of the broken sentences; absent if no sentence is broken. */
  readonly level?: Level;
  /** Ids of the broken rows. Empty: the finding is a weakness, not a violation. */
  readonly requirements: readonly string[];
  /**
   * It came again in `times` of `of` runs from scratch; fewer than all is flaky. 0 of 0: it was not run again, because
   * the agent died of it and did not come back, or because the time had ended.
   */
  readonly confirmed: { readonly times: number; readonly of: number };
  /** Why it was not run again, although the agent is available. Such a finding fails no gate. */
  readonly unconfirmed?: 'for want of time';
  /** All operations that showed it: one cause is one finding, whichever operation shows it. */
  readonly operations?: readonly string[];
  /** Requests of the smallest case that still shows it. */
  readonly steps: number;
  readonly seed: number;
  /** Number of the case in the campaign, from 1. */
  readonly case: number;
  /**
   * Known: listed in the baseline, or it breaks only what known failures break. Expired: the day of its entry is over.
   */
  readonly baseline?: 'known' | 'expired';
  /**
   * Found by a later kit than that of the frozen set, on inputs for which the user did not ask: it counts for no gate.
   */
  readonly afterSet?: true;
  /** A POSIX shell script with curl that reproduces the finding. */
  readonly script: string;
  /** The case that `--replay` runs again: `schemas/kit/fuzz-case.schema.json`. */
  readonly replay: unknown;
  /** Ids on the tape of the requests that show it. */
  readonly exchanges: readonly string[];
}

/** What a campaign of the fuzzer did. */
export interface FuzzSummary {
  readonly seed: number;
  readonly cases: number;
  readonly requests: number;
  /** Number of different answers, which guide the choice of inputs. */
  readonly features: number;
  /** Number of inputs that were kept because their answer was new. */
  readonly kept: number;
  readonly durationMs: number;
  /** Why it ended before its time. */
  readonly cut?: string;
  /** The stored cases that were run again. */
  readonly replays?: readonly Replay[];
}

/** A stored case that was run again. */
export interface Replay {
  /** The file it comes from. */
  readonly name: string;
  readonly bucket: string;
  /** What it showed when it was stored. */
  readonly title: string;
  /** Whether the case still shows its defect. Not run: this dialect cannot spell it, or the campaign ended. */
  readonly verdict: 'shows' | 'gone' | 'not-run';
  /** The defect was shown in `times` of `of` runs from scratch. */
  readonly times: number;
  readonly of: number;
  /** Why it was not run. */
  readonly reason?: string;
}

/** What the user expects beside the protocol. It counts for the gate, and for nothing else. */
export interface ExpectationResult {
  readonly name: string;
  /** The label of the interface, where it is not the first one. */
  readonly interface?: string;
  /** Inconclusive: it was not asked, or too seldom answered, to be decided. */
  readonly verdict: 'pass' | 'fail' | 'inconclusive';
  /** Why it does not hold or was not decided; empty where it holds. */
  readonly reason: string;
  /** What must hold, one line each. */
  readonly expected: readonly string[];
  /** The beginning of what came, secrets removed. */
  readonly actual: string;
  /** It held so many times, was answered so often, and was to be asked so often; `least`: how often it must hold. */
  readonly held: number;
  readonly answered: number;
  readonly runs: number;
  readonly least: number;
  readonly durationMs: number;
  readonly exchanges: readonly string[];
}

/** The verdict of a gate by its exit code. */
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
  /** Unproven: nothing failed, but too little was shown. Left out in older reports. */
  readonly verdict?: (typeof gateVerdicts)[keyof typeof gateVerdicts];
  readonly exitCode: 0 | 1 | 4 | 70;
  readonly reasons: readonly string[];
  /** What was asked for: needed to judge parts of a run together, and to show a run again as it was judged. */
  readonly strict?: boolean;
  readonly minProof?: number;
}

/** The frozen set of a run. */
export interface SetReport {
  readonly id: string;
  /** Entries of the baseline whose checks pass with this later kit; left out where there are none. */
  readonly stale?: readonly string[];
}

/** A check, and how long no other one ended before it did. */
export interface Waited {
  readonly check: string;
  readonly ms: number;
}

/** A pack that a run had. */
export interface PackReport {
  readonly name: string;
  readonly version: string;
  readonly requirements: readonly {
    readonly id: string;
    readonly section: string;
    readonly statement: string;
    readonly url?: string;
  }[];
}

/** What `--report tape` keeps of a run. */
export interface TapedRun {
  readonly url: string;
  readonly profile: string;
  /** Of the kit. */
  readonly version: string;
  readonly exchanges: readonly Exchange[];
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
    /** Why the run ended before all checks were judged: `interrupted`, or the budget. */
    readonly cut?: string;
    /** The chosen checks; left out: all checks. */
    readonly selection?: Selection;
    /** Choices that match no check of this version: "--suite signature". */
    readonly skipped?: readonly string[];
    /** The check that the run waited for longest; left out where none was played. */
    readonly waited?: Waited;
    /** The frozen set whose checks count for the gate. */
    readonly set?: SetReport;
    /** The packs whose checks were judged too; left out where there is none. */
    readonly packs?: readonly PackReport[];
    /** Nothing was sent that could create a task or change one. */
    readonly readOnly?: true;
    /** Whether the agent accepted a message; left out where no chosen check needs one. */
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
  /** Left out where the user expects nothing beside the protocol. */
  readonly expectations?: readonly ExpectationResult[];
  /** Left out in reports of older kits, of clients, and of runs that ended by force. */
  readonly latency?: Latency;
  /** Payments that can still be cashed, or would have been signed; left out where no funds were given. */
  readonly payments?: readonly PaymentReport[];
  /** Secrets removed. */
  readonly exchanges: readonly Exchange[];
}

/** What a run will cost, estimated before it begins. */
export interface Estimate {
  /** Messages that the agent must work on. */
  readonly messages: number;
  /** Other requests. */
  readonly requests: number;
  /** At the pace of the answers so far, or of `--rate`. */
  readonly ms: number;
  /** The rate decides the time. */
  readonly isByRate?: true;
  /** Of them, those that a budget leaves out. */
  readonly messagesLeft: number;
  readonly requestsLeft: number;
}

/** The events of a run in order; everything else is derived from them. */
export type RunEvent =
  | {
      readonly type: 'run.started';
      readonly at: string;
      readonly seed: number;
      readonly url: string;
      readonly kit: Report['kit'];
    }
  | {
      readonly type: 'target.detected';
      readonly target: TargetReport;
      readonly checks: number;
      readonly estimate?: Estimate;
    }
  /**
   * The kit sends nothing for `ms`. Answered: the agent's rate limit has answered. Kept: the kit stays below that
   * limit.
   */
  | { readonly type: 'run.waiting'; readonly ms: number; readonly for: 'answered' | 'kept' }
  | { readonly type: 'check.started'; readonly id: string; readonly title: string }
  | { readonly type: 'exchange'; readonly exchange: Exchange }
  | { readonly type: 'check.judged'; readonly result: CheckResult }
  /** Sent from time to time while inputs are tried. */
  | { readonly type: 'fuzz.progress'; readonly cases: number; readonly requests: number; readonly findings: number }
  | { readonly type: 'finding'; readonly finding: Finding }
  | { readonly type: 'run.ended'; readonly report: Report };

/** A MAY that does not hold breaks nothing: the agent does not offer it. Reports of before call it a failure. */
export const asOffer = (result: CheckResult): CheckResult =>
  result.verdict === 'fail' && result.level === 'may' ? { ...result, verdict: 'not-offered' } : result;

export function tallyOf(results: readonly CheckResult[]): Tally {
  const of = (verdict: Verdict) => results.filter((result) => result.verdict === verdict).length;
  return {
    pass: of('pass'),
    fail: of('fail'),
    inconclusive: of('inconclusive'),
    notApplicable: of('not-applicable'),
    error: of('error'),
    notOffered: of('not-offered'),
  };
}

export function tally(results: readonly CheckResult[]): Summary {
  const count = (level: Level): Tally => tallyOf(results.filter((result) => result.level === level));
  return { must: count('must'), should: count('should'), may: count('may') };
}
