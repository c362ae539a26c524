import type { ClientOptions } from '../client/index.js';
import type { Behaviours, Inspector, Rule, Target } from '../kit/index.js';
import type { Ledger } from '../ledger/index.js';
import type { Acceptance, Finding, FuzzSummary } from '../report/index.js';
import type { Carrier, Clock, Exchange, Limits, Redactor } from '../wire/index.js';

/** All that a campaign of the fuzzer is given of a run: the agent as it was found, and how it may be treated. */
export interface FuzzStage {
  readonly target: Target;
  readonly rules: readonly Rule[];
  readonly ledger: Ledger;
  readonly inspector: Inspector;
  readonly behaviours: Behaviours;
  readonly carrier: Carrier;
  readonly clock: Clock;
  readonly limits: Limits;
  /** Offers exact bytes on sockets; false in memory. */
  readonly rawSocket: boolean;
  /** Who calls, and how: a client of the campaign's own is made of it, over a wire of its own. */
  readonly client: Omit<ClientOptions, 'wire' | 'taskBudget'>;
  /** Sentences that checks of this run have shown to be broken: nothing is spent on what breaks no others. */
  readonly broken: ReadonlySet<string>;
  /** The agent charges, and payments are to be tried: what it charges for, and its time in Unix seconds. */
  readonly charges?: { readonly message: string; seconds(): number };
  readonly seed: number;
  /** Of the ids that are sent, where they are to be others in each campaign of one seed; left out: they are the same. */
  readonly idSeed?: number;
  /** What is left of the budgets of the run; undefined: no cap. */
  readonly requestBudget?: number;
  readonly taskBudget?: number;
  /** When the campaign has to be over, confirmations too, ms; undefined: no limit but its own. */
  readonly timeMs?: number;
  readonly readOnly: boolean;
  readonly redactor: Redactor;
  /** Restarts the agent, and waits until it answers again. */
  readonly restart?: () => Promise<void>;
  readonly signal?: AbortSignal;
  /** Told what the thread is busy with. */
  doing?(what: string): void;
  /** A fresh id for an exchange that shall stand in the report. */
  nextId(): string;
  onProgress(cases: number, requests: number, findings: number): void;
  onFinding(finding: Finding): void;
}

export interface FuzzOutcome {
  readonly findings: readonly Finding[];
  /** Those that the findings name, with the ids that they name; not yet redacted. */
  readonly exchanges: readonly Exchange[];
  readonly tasks: number;
  /** Whether the agent was seen to take a message: to do anything, where none may be sent. */
  readonly messages?: Acceptance;
  readonly summary: FuzzSummary;
}

/** A campaign. Never rejects for what the target does. */
export type FuzzPhase = (stage: FuzzStage) => Promise<FuzzOutcome>;
