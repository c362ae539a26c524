import type { Scene } from '../kit/index.js';
import type { ExpectationResult } from '../report/index.js';
import type { Clock, Exchange, Redactor } from '../wire/index.js';

/** What the user's own expectations get from a run, after all checks. */
export interface ExpectStage {
  /** Why nothing can be sent; undefined: it can. */
  off(): string | undefined;
  scene(purpose: string, seen: (exchange: Exchange) => void): Scene;
  /** What could not be asked since the last call, where the answers are those of a tape; undefined: nothing. */
  readonly lacking?: (() => string | undefined) | undefined;
  readonly clock: Clock;
  readonly redactor: Redactor;
}

/** Judges the user's own expectations. Never rejects because of the target. */
export type ExpectPhase = (stage: ExpectStage) => Promise<readonly ExpectationResult[]>;
