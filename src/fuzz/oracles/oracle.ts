import type { Signer } from '../../client/index.js';
import type { Dialect } from '../../dialect/index.js';
import type { Inspector, Rule, Target } from '../../kit/index.js';
import type { Ledger, RequirementKey } from '../../ledger/index.js';
import type { Clock } from '../../wire/index.js';
import type { Case } from '../case/case.js';
import type { PerformOptions } from '../execute/executor.js';
import type { Sent, Trace } from '../execute/trace.js';

/** Something wrong, seen in one trace. */
export interface Symptom {
  /** Which oracle saw it: `law`, `alive`, `error-class`, `unchanged`, `life-cycle`, `history`, `cost`, `leak` … */
  readonly oracle: string;
  /**
   * The same defect has the same bucket, whatever the ids, texts and numbers of the run were: `alive/reset send type
   * /params/message/parts`.
   */
  readonly bucket: string;
  /**
   * The same for a law that is broken for the same reason, whichever operation shows it: such symptoms are one finding.
   * Left out: the bucket.
   */
  readonly cause?: string;
  /**
   * The bucket of the same symptom with an unchanged request: if that one comes at times, this one may be no more than
   * that.
   */
  readonly plain?: string;
  /** One line for people, the fact first. */
  readonly title: string;
  /** Request and answer, short, printable. */
  readonly detail: string;
  /** Sentences that are broken; empty where none is: a weakness, not a violation. */
  readonly keys: readonly RequirementKey[];
  /** The request that shows it, if one does. */
  readonly sent?: Sent;
  /** Requests over another binding whose answers are part of it. */
  readonly beside?: readonly Sent[];
  /** The case that shows it alone, if it is not the case of the trace: a probe of the oracle. */
  readonly case?: Case;
}

/** Another interface of the agent, of the same version and tenant. */
export interface Peer {
  /** For people: "gRPC". */
  readonly title: string;
  readonly dialect: Dialect;
  /** Runs a case of its dialect, unjudged, within the limits of the campaign. */
  perform(next: Case): Promise<Trace>;
}

/** What oracles may use beside the trace. */
export interface OracleContext {
  readonly dialect: Dialect;
  readonly target: Target;
  readonly ledger: Ledger;
  readonly inspector: Inspector;
  readonly rules: readonly Rule[];
  readonly clock: Clock;
  /** Signs the requests of the configured caller. */
  readonly signer?: Signer;
  /** One object for a whole campaign, in which oracles keep what they remember. Left out: each oracleContext is a campaign. */
  readonly memory?: object;
  /** The other interfaces; left out: there are none. */
  readonly peers?: readonly Peer[];
  /**
   * Runs another case, unjudged, within the limits of the campaign. It waits briefly where the trace itself already
   * waited for an answer in vain, unless `how` says otherwise: one long wait is enough.
   */
  perform(next: Case, how?: Pick<PerformOptions, 'briefly'>): Promise<Trace>;
  /** Asks for a task that does not exist; false when the agent did not answer as at the start. */
  isAlive(): Promise<boolean>;
}

/** Judges one trace. Pure, except for the cases that it performs. Never throws for what the target does. */
export type Oracle = (trace: Trace, oracleContext: OracleContext) => readonly Symptom[] | Promise<readonly Symptom[]>;
