import type { CheckResult } from '../report/index.js';

/** Gets at once what no event reports, so that the results of a run that can no longer report are not lost. */
export interface Witness {
  /** The result of each check if nothing more is judged; secrets removed. */
  planned(results: readonly CheckResult[]): void;
  /** A result for which there may be a cause, so that no event reports it yet; secrets removed. */
  settled(result: CheckResult): void;
  /** The work of the thread from now on, in a few words: a check, a law, an oracle. */
  doing(what: string): void;
}
