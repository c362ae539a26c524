import type { Exchange } from '../wire/index.js';

/** The judgement of an expectation: undefined if it holds, a reason if it does not, `Unproven` if neither was shown. */
export type Judgement = string | Unproven | undefined;

/** Applicable, but not shown either way. The reason says what would be needed. */
export class Unproven {
  readonly reason: string;
  constructor(reason: string) {
    this.reason = reason;
  }
}
export const unproven = (reason: string): Unproven => new Unproven(reason);

/** Thrown by sources that cannot bring the agent where a check needs it: the check becomes inconclusive. */
export class Unreached extends Error {
  override readonly name = 'Unreached';
  /** The exchange that shows why, if one does. */
  readonly exchange: Exchange | undefined;
  constructor(reason: string, exchange?: Exchange) {
    super(reason);
    this.exchange = exchange;
  }
}

/** The value that was found; undefined if the agent cannot be brought there. Any other error is passed on. */
export async function ifReached<T>(finding: Promise<T>): Promise<T | undefined> {
  try {
    return await finding;
  } catch (error) {
    if (error instanceof Unreached) return undefined;
    throw error;
  }
}

/** Thrown by sources when the agent does not claim what a check is about; the reason names the declaration. */
export class NotClaimed extends Error {
  override readonly name = 'NotClaimed';
}
