import type { BindingId } from '../binding/index.js';
import type { CallerCredentials } from '../client/index.js';
import type { Behaviours, Rule } from '../kit/index.js';
import type { FrozenSet, Ledger } from '../ledger/index.js';
import type { Baseline, PaymentReport, Report, Selection, Shard } from '../report/index.js';
import type { Carrier, Clock, Exchange, LateSecret, Limits, OpenWebhooks, Redactor, Secret } from '../wire/index.js';
import type { ExpectPhase } from './expect-phase.js';
import type { Charging } from './extensions/charging.js';
import type { CallSigning } from './extensions/signing.js';
import type { FuzzOptions } from './fuzzing.js';
import type { Taped } from './judging/taped.js';
import type { Pace, Rate } from './schedule/pace.js';
import type { Witness } from './witness.js';

/** The answers of an earlier run: laws judge these, and the carrier gives them once more. */
export interface Replayed {
  readonly exchanges: readonly Exchange[];
  /** What was asked since the last call and is on no tape; undefined: everything is. */
  lacking(): string | undefined;
}

export interface RunOptions extends CallerCredentials {
  readonly url: string;
  readonly profile: string;
  /**
   * A binding: its first interface is judged. `auto`: the first interface of the card that the kit speaks in full, and
   * the others by what belongs to their binding. `all`: each in full. Default auto.
   */
  readonly binding?: BindingId | 'auto' | 'all';
  readonly rules: readonly Rule[];
  /** The bundled pack of the profile brings its rules, because `rules` leaves them out; left out: only `rules` count. */
  readonly bringsRules?: true;
  /** Packs of the kit that are judged only where the user asks for it, and how: "payments are judged with --pay". */
  readonly onRequest?: readonly { readonly pack: string; readonly how: string }[];
  /** The packs that some of the rules are of, with their rows; left out: none. */
  readonly packs?: readonly { readonly name: string; readonly version: string; readonly ledger: Ledger }[];
  readonly selection: Selection;
  readonly carrier: Carrier;
  /** Exact bytes can be sent on a socket; false in memory. */
  readonly rawSocket: boolean;
  readonly clock: Clock;
  /** Seed of every choice. */
  readonly seed: number;
  /** Seed of the ids that are sent: an agent may remember those of earlier runs. Default: `seed`. */
  readonly idSeed?: number;
  readonly limits: Limits;
  /** Checks in flight, at most. */
  readonly concurrency: number;
  /** The same for an agent that is slow, but not slower with more requests at once. Default: `concurrency`. */
  readonly slowConcurrency?: number;
  /** How many requests the agent takes in a time; left out: as many as it answers. */
  readonly rate?: Rate;
  /** Nothing is judged: the run ends when it has estimated its cost. */
  readonly dryRun?: boolean;
  readonly requestBudget?: number;
  readonly taskBudget?: number;
  readonly readOnly: boolean;
  /** For agents whose callers sign; left out: none can be judged. */
  readonly signing?: CallSigning;
  /** For agents that charge; left out: payments are not judged. */
  readonly charging?: Charging;
  readonly secrets: readonly Secret[];
  /** Secrets that are known only during the run, such as tokens; the list only grows. */
  readonly lateSecrets?: () => readonly LateSecret[];
  /** How the agent is reached where that is not the plain way, for the report. */
  readonly network?: readonly string[];
  /** The certificate of the agent is not checked. */
  readonly insecure?: boolean;
  /** Default: hides all secrets. */
  readonly redactor?: Redactor;
  readonly allowedOrigins: readonly string[];
  /** TLS shows a certificate of the kit. */
  readonly hasCertificate?: boolean;
  readonly behaviours: Behaviours;
  /** How webhooks of the kit are opened, or why there are none. */
  readonly webhooks?: OpenWebhooks | string;
  /** Restarts the agent. Rejects when it could not be done. */
  readonly restart?: () => Promise<void>;
  /** A campaign of the fuzzer, after all checks or in their place; left out: none. */
  readonly fuzz?: FuzzOptions;
  /** What the user expects beside the protocol, asked after all checks; left out: nothing. */
  readonly expect?: ExpectPhase;
  /** Left out: laws judge the answers of this run. */
  readonly replayed?: Replayed;
  readonly strict: boolean;
  /** Ends the run after the first check that fails the gate. */
  readonly failFast?: boolean;
  readonly minProof?: number;
  readonly baseline?: Baseline;
  /** The checks that count for the gate; left out: all. */
  readonly set?: FrozenSet;
  /** Only this share of the checks is judged. */
  readonly shard?: Shard;
  /** Run although the target does not look like an agent: the proof does so with impostors. */
  readonly anyTarget?: boolean;
  readonly kit: Report['kit'];
  /** Ends the run early and reports what is known. If its reason is a text, the report quotes it. */
  readonly signal?: AbortSignal;
  /** Called before each payment is sent, with all payments signed with the user's money so far; secrets removed. */
  readonly onPayments?: (list: readonly PaymentReport[]) => void;
  readonly witness?: Witness;
  /** Called before laws judge, with all that they get: the proof judges changed answers by them. */
  readonly onTape?: (taped: Taped) => void;
  /** The pace of the whole run, which its interfaces share. */
  readonly pace?: Pace;
}
