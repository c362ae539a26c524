import type { ClientOptions } from '../client/index.js';
import type { Behaviours, Inspector, PeerPlace, Rule, Target } from '../kit/index.js';
import type { Ledger } from '../ledger/index.js';
import type { Acceptance, Finding, FuzzSummary } from '../report/index.js';
import type { Carrier, Clock, Exchange, Limits, Redactor } from '../wire/index.js';
import type { Charges } from './extensions/charging.js';

/** Everything that a campaign gets from a run: the agent as it was found, and what may be done to it. */
export interface FuzzStage {
  readonly target: Target;
  readonly rules: readonly Rule[];
  readonly ledger: Ledger;
  readonly inspector: Inspector;
  readonly behaviours: Behaviours;
  /** The other interfaces of the same version and tenant; left out: there are none. */
  readonly peers?: readonly PeerPlace[];
  readonly carrier: Carrier;
  readonly clock: Clock;
  readonly limits: Limits;
  /** Exact bytes can be sent on a socket; false in memory. */
  readonly rawSocket: boolean;
  /** Options for the campaign's own client, which has its own wire. */
  readonly client: Omit<ClientOptions, 'wire' | 'taskBudget'>;
  /** Sentences that checks of this run have shown to be broken: no effort is spent on inputs that break only these. */
  readonly broken: ReadonlySet<string>;
  /** Set if the agent charges and payments are to be tried. */
  readonly charges?: Charges;
  readonly seed: number;
  /** Seed of the ids, if campaigns with the same `seed` need different ids; left out: the ids are the same. */
  readonly idSeed?: number;
  /** The rest of the run's budgets; undefined: no cap. */
  readonly requestBudget?: number;
  readonly taskBudget?: number;
  /** Longest time of the campaign, with confirmations, ms; undefined: only its own limit. */
  readonly timeMs?: number;
  readonly readOnly: boolean;
  readonly redactor: Redactor;
  /** Restarts the agent, and waits until it answers again. */
  readonly restart?: () => Promise<void>;
  readonly signal?: AbortSignal;
  /** Called with what the thread is doing. */
  doing?(what: string): void;
  /** A fresh id for an exchange that goes into the report. */
  nextId(): string;
  onProgress(cases: number, requests: number, findings: number): void;
  onFinding(finding: Finding): void;
}

export interface FuzzOutcome {
  readonly findings: readonly Finding[];
  /** The exchanges that the findings name, under those ids; not yet redacted. */
  readonly exchanges: readonly Exchange[];
  readonly tasks: number;
  /** Whether the agent accepted a message; if none may be sent, whether it accepted anything. */
  readonly messages?: Acceptance;
  readonly summary: FuzzSummary;
}

/** Runs a campaign. Never rejects because of the target. */
export type FuzzPhase = (stage: FuzzStage) => Promise<FuzzOutcome>;
