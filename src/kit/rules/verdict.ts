import type { Exchange } from '../../wire/index.js';

/**
 * The judgement of an expectation: undefined if it holds, what was seen if it does not, `Inconclusive` if neither was
 * shown.
 */
export type Judgement = string | Inconclusive | undefined;

/**
 * What kept a check from being judged, where it may be so of the whole agent. `unmoved`: a task was last seen submitted
 * or working; `uncanceled`: a cancel was accepted, and the task was never seen canceled.
 */
export type Clue = 'unmoved' | 'uncanceled';

/** Applicable, but not shown either way. The reason says first what the user can do, or else what the kit saw. */
export class Inconclusive {
  readonly reason: string;
  readonly clue: Clue | undefined;
  constructor(reason: string, clue?: Clue) {
    this.reason = reason;
    this.clue = clue;
  }
}
export const inconclusive = (reason: string, clue?: Clue): Inconclusive => new Inconclusive(reason, clue);

/** Thrown by sources that cannot bring the agent where a check needs it: the check becomes inconclusive. */
export class PreconditionUnmet extends Error {
  override readonly name = 'PreconditionUnmet';
  /** The exchange that shows why, if one does. */
  readonly exchange: Exchange | undefined;
  readonly clue: Clue | undefined;
  constructor(reason: string, exchange?: Exchange, clue?: Clue) {
    super(reason);
    this.exchange = exchange;
    this.clue = clue;
  }
}

/** The value that was found; undefined if the agent cannot be brought there. Any other error is passed on. */
export async function ifMet<T>(finding: Promise<T>): Promise<T | undefined> {
  try {
    return await finding;
  } catch (error) {
    if (error instanceof PreconditionUnmet) return undefined;
    throw error;
  }
}

/** Thrown by sources when the agent does not claim what a check is about; the reason names the declaration. */
export class NotApplicable extends Error {
  override readonly name = 'NotApplicable';
}
