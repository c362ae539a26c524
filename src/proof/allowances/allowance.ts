/** A check that may pass on an impostor, with the reason: the impostor really does what the check judges. */
export interface Allowance {
  /** Check id; `card/*` for all of a suite. */
  readonly check: string;
  readonly impostors: 'any' | readonly string[];
  readonly reason: string;
}
