import type { CheckResult } from '../report/index.js';

/**
 * Hears what no event tells, as soon as it is so: for whoever has to tell what is known of a run that cannot tell it
 * any more.
 */
export interface Witness {
  /** What each check comes to when nothing more is judged; secrets removed. */
  planned(results: readonly CheckResult[]): void;
  /** Before causes and baseline are weighed; secrets removed. */
  settled(result: CheckResult): void;
  /** What the thread is busy with from now on, in few words: a check, a law, an oracle. */
  doing(what: string): void;
}
