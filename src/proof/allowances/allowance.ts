/** A check that may pass on an impostor, with the reason: what it judges is really so there. */
export interface Allowance {
  /** Check id; `card/*` for all of a suite. */
  readonly check: string;
  readonly impostors: 'any' | readonly string[];
  readonly reason: string;
}
